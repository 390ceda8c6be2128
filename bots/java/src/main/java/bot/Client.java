package bot;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.msgpack.jackson.dataformat.MessagePackFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * The way to the referee: {@link #run} plays until the referee says goodbye.
 *
 * <p>The messages are those of protocol.md, sections 3 and 4. Fields, events and messages that a
 * later referee may add are passed over. Nothing is ever written to standard output; what goes to
 * standard error, the arena keeps.
 */
public final class Client {
  /**
   * What a bot is: it answers a question. An exception ends the process; the referee shows its
   * trace.
   */
  @FunctionalInterface
  public interface Player {
    Choice decide(Decision decision);
  }

  /**
   * The index of an action, and what goes into the record of the game, which nobody sees before its
   * end.
   */
  public record Choice(int index, String note, Map<String, Double> metrics) {
    public Choice(int index) {
      this(index, null, null);
    }
  }

  /**
   * The question: choose one of the actions, by index. {@code clock} is null when there is no
   * limit.
   */
  public record Decision(
      Start start, int turn, Clock clock, RandomGenerator random, Decide message) {
    public String game() {
      return start.game;
    }

    public int seat() {
      return start.seat;
    }

    /** How many actions there are. */
    public int size() {
      return message.actions.size();
    }

    /**
     * All that this seat may know. Each game has its own types of edition, view, actions and
     * events.
     */
    public <T> T view(Class<T> type) {
      return MAPPER.convertValue(message.view, type);
    }

    public <T> T edition(Class<T> type) {
      return MAPPER.convertValue(start.edition, type);
    }

    /** The actions in order; null for one that a later version of the game has added. */
    public <T> List<T> actions(Class<T> type) {
      return listOf(message.actions, type);
    }

    /** What happened since this seat's last decision; null for what a later version has added. */
    public <T> List<T> events(Class<T> type) {
      return listOf(message.events, type);
    }
  }

  /** A message. The field {@code type} is the name of the record in small letters. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type", defaultImpl = Void.class)
  public sealed interface Message {}

  /** {@code games} that it can play, none: any; {@code parallel} games may be asked at once. */
  public record Hello(
      List<Integer> protocol,
      String name,
      String version,
      String language,
      List<String> games,
      int parallel,
      boolean deterministic)
      implements Message {}

  public record Act(String gameId, int turn, int index, String note, Map<String, Double> metrics)
      implements Message {}

  public record Welcome(List<Integer> protocol, Map<String, Integer> limits) implements Message {}

  /** {@code botSeed} has 64 bits without sign, which no type of Java but this one holds. */
  public record Start(
      String gameId,
      String game,
      JsonNode edition,
      int seat,
      int players,
      Clock clock,
      BigInteger botSeed)
      implements Message {}

  public record Decide(
      String gameId, int turn, JsonNode events, JsonNode view, JsonNode actions, Clock clock)
      implements Message {}

  public record Fault(String gameId, Integer turn, String code, String text, Integer strikesLeft)
      implements Message {}

  public record End(
      String gameId, String ending, List<Integer> ranks, List<Map<String, Integer>> scores)
      implements Message {}

  public record Bye() implements Message {}

  /** Milliseconds: free for a decision, and left in the bank for the game. */
  public record Clock(int move, int bank) {}

  static final ObjectMapper MAPPER = mapper();

  private final Player player;
  private final Map<String, Start> starts = new HashMap<>();
  private final Map<String, RandomGenerator> randoms = new HashMap<>();

  Client(Player player) {
    this.player = player;
  }

  /** Play until {@code bye}, or until whoever started this process is gone. */
  public static void run(Hello hello, Player player) throws IOException {
    String endpoint = System.getenv("ARENA_ENDPOINT");
    String token = System.getenv("ARENA_TOKEN");
    if (endpoint == null || token == null) {
      System.err.println("This is a bot: the arena starts it. Watch it play:  arena match . .");
      System.err.println(
          "By hand: arena match wait:me .  and set ARENA_ENDPOINT and ARENA_TOKEN as it says.");
      System.exit(2);
    }
    Optional<ProcessHandle> parent = ProcessHandle.current().parent();
    Client client = new Client(player);
    try (ZContext context = new ZContext()) {
      context.setLinger(1000); // a last answer may take a second to leave
      ZMQ.Socket socket = context.createSocket(SocketType.DEALER);
      socket.setIdentity(token.getBytes(StandardCharsets.UTF_8));
      socket.setReceiveTimeOut(1000);
      socket.connect(endpoint);
      socket.send(MAPPER.writeValueAsBytes(hello));
      while (true) {
        // Null when a second has passed. JeroMQ waits in Java's selectors, which go on by
        // themselves after a signal.
        byte[] frame = socket.recv();
        if (frame == null) {
          if (!ProcessHandle.current().parent().equals(parent)) return;
          continue;
        }
        Message message = read(frame);
        if (message instanceof Bye) return;
        Optional<Act> act = client.answer(message);
        if (act.isPresent()) socket.send(MAPPER.writeValueAsBytes(act.get()));
      }
    }
  }

  /** Null for a message of a later version. */
  static Message read(byte[] frame) throws IOException {
    return MAPPER.readValue(frame, Message.class);
  }

  /** An act to a decide; nothing else must be answered. */
  Optional<Act> answer(Message message) {
    if (message instanceof Start start) { // also when a game is restated: all in it begins afresh
      starts.put(start.gameId, start);
      randoms.put(start.gameId, new SplittableRandom(start.botSeed.longValue()));
    } else if (message instanceof Decide asked && starts.containsKey(asked.gameId)) {
      RandomGenerator random = randoms.get(asked.gameId);
      Start start = starts.get(asked.gameId);
      Choice choice = player.decide(new Decision(start, asked.turn, asked.clock, random, asked));
      return Optional.of(
          new Act(asked.gameId, asked.turn, choice.index, choice.note, choice.metrics));
    } else if (message instanceof Fault fault) {
      System.err.printf("%s: %s (strikes left: %s)%n", fault.code, fault.text, fault.strikesLeft);
    } else if (message instanceof End end) {
      starts.remove(end.gameId);
      randoms.remove(end.gameId);
    }
    return Optional.empty();
  }

  private static <T> List<T> listOf(JsonNode nodes, Class<T> type) {
    return MAPPER.convertValue(
        nodes, MAPPER.getTypeFactory().constructCollectionType(List.class, type));
  }

  private static ObjectMapper mapper() {
    return new ObjectMapper(new MessagePackFactory())
        .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .setDefaultPropertyInclusion(Include.NON_NULL)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .setAnnotationIntrospector(new KindsByName());
  }

  /**
   * A sealed interface with a kind in some field: {@code MoveDetective} is the kind
   * "move_detective".
   */
  private static final class KindsByName extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public List<NamedType> findSubtypes(Annotated type) {
      Class<?>[] kinds = type.getRawType().getPermittedSubclasses();
      return kinds == null ? null : Arrays.stream(kinds).map(NamedType::new).toList();
    }

    @Override
    public String findTypeName(AnnotatedClass type) {
      return PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(
          type.getRawType().getSimpleName());
    }
  }
}
