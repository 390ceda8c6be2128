package bot;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A ZeroMQ connection, as section 13 of protocol.md describes it.
 *
 * <p>JeroMQ, which is ZeroMQ written in Java, has no ipc, and on a busy machine it loses some of
 * the connections that it makes (zeromq/jeromq#1022).
 */
final class Wire implements Closeable {
  private static final int LONG = 2;
  private static final int COMMAND = 4;
  private static final int GREETING = 64;
  private static final String IPC = "ipc://";

  private final SocketChannel channel;
  private final DataInputStream input;

  /** Connects under the routing id {@code token}. */
  Wire(String endpoint, String token) throws IOException {
    boolean ipc = endpoint.startsWith(IPC);
    channel = SocketChannel.open(ipc ? path(endpoint) : port(endpoint));
    if (!ipc) channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    input = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 1 << 16));
    write(ByteBuffer.wrap(greeting()));
    write(frame(COMMAND, ready(token.getBytes(StandardCharsets.UTF_8))));
    input.skipNBytes(GREETING);
  }

  void send(byte[] message) throws IOException {
    write(frame(0, message));
  }

  /** Waits for the next message. Null: the referee is gone. */
  byte[] receive() throws IOException {
    try {
      while (true) {
        int flags = input.readUnsignedByte();
        long size = (flags & LONG) == 0 ? input.readUnsignedByte() : input.readLong();
        byte[] body = new byte[Math.toIntExact(size)];
        input.readFully(body);
        if ((flags & COMMAND) == 0) return body;
      }
    } catch (EOFException end) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static SocketAddress path(String endpoint) {
    return UnixDomainSocketAddress.of(endpoint.substring(IPC.length()));
  }

  private static SocketAddress port(String endpoint) {
    URI uri = URI.create(endpoint);
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }

  private static byte[] greeting() {
    ByteBuffer bytes = ByteBuffer.allocate(GREETING);
    bytes.put(new byte[] {-1, 0, 0, 0, 0, 0, 0, 0, 0, 127, 3, 0}).put(ascii("NULL"));
    return bytes.array();
  }

  private static byte[] ready(byte[] token) {
    ByteBuffer body = ByteBuffer.allocate(41 + token.length);
    body.put((byte) 5).put(ascii("READY"));
    body.put((byte) 11).put(ascii("Socket-Type")).putInt(6).put(ascii("DEALER"));
    body.put((byte) 8).put(ascii("Identity")).putInt(token.length).put(token);
    return body.array();
  }

  private static ByteBuffer frame(int flags, byte[] body) {
    ByteBuffer frame = ByteBuffer.allocate(9 + body.length);
    if (body.length < 256) {
      frame.put((byte) flags).put((byte) body.length);
    } else {
      frame.put((byte) (flags | LONG)).putLong(body.length);
    }
    return frame.put(body).flip();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) channel.write(bytes);
  }
}
