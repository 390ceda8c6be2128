package bot;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/**
 * The connection to the referee: {@link #run} plays until the referee sends bye.
 *
 * <p>The messages are those of protocol.md, sections 3 and 4. Fields, events and messages that a
 * later referee may add are passed over. Nothing is ever written to standard output; what goes to
 * standard error, the arena keeps.
 */
public final class Client {
  /** A bot. An exception in it ends the process; the referee shows its trace. */
  @FunctionalInterface
  public interface Player {
    Choice decide(Decision decision);
  }

  /** The index of an action, and what nobody sees before the end of the game, or null. */
  public record Choice(int index, String note, Map<String, Double> metrics) {
    public Choice(int index) {
      this(index, null, null);
    }
  }

  /** The question: choose one of the actions. {@code random} comes from the {@code bot_seed}. */
  public record Decision(Message.Start start, Message.Decide message, RandomGenerator random) {
    public String game() {
      return start.game();
    }

    public int seat() {
      return start.seat();
    }

    /** How many actions there are. */
    public int size() {
      return message.actions().size();
    }

    /** All that this seat may know, as the game's own type: {@code Kosmos.View.class}. */
    public <T> T view(Class<T> type) {
      return MAPPER.convertValue(message.view(), type);
    }

    public <T> T edition(Class<T> type) {
      return MAPPER.convertValue(start.edition(), type);
    }

    /** The actions in order; null for one that a later version of the game has added. */
    public <T> List<T> actions(Class<T> type) {
      return listOf(message.actions(), type);
    }

    /** What happened since this seat's last decision; null for what a later version has added. */
    public <T> List<T> events(Class<T> type) {
      return listOf(message.events(), type);
    }
  }

  static final ObjectMapper MAPPER = mapper();

  private final Player player;
  private final Map<String, Table> tables = new HashMap<>();

  /** An open game. */
  private record Table(Message.Start start, RandomGenerator random) {}

  Client(Player player) {
    this.player = player;
  }

  /** Plays until {@code bye}, or until the referee is gone. */
  public static void run(Message.Hello hello, Player player) throws IOException {
    String endpoint = System.getenv("ARENA_ENDPOINT");
    String token = System.getenv("ARENA_TOKEN");
    if (endpoint == null || token == null) {
      System.err.println("This is a bot: the arena starts it. Watch it play:  arena match . .");
      System.err.println(
          "By hand: arena match wait:me .  and set ARENA_ENDPOINT and ARENA_TOKEN as it says.");
      System.exit(2);
    }
    Client client = new Client(player);
    new Client(player).rehearse();
    try (Wire wire = new Wire(endpoint, token)) {
      wire.send(MAPPER.writeValueAsBytes(hello));
      for (byte[] frame = wire.receive(); frame != null; frame = wire.receive()) {
        Message message = read(frame);
        if (message instanceof Message.Bye) return;
        Optional<Message.Act> act = client.answer(message);
        if (act.isPresent()) wire.send(MAPPER.writeValueAsBytes(act.get()));
      }
    }
  }

  /**
   * Answers recorded questions to nobody. The JVM loads classes when they are first used: that may
   * take longer than a decision, and costs nothing before the hello.
   */
  private void rehearse() throws IOException {
    try (InputStream recorded = Client.class.getResourceAsStream("rehearsal.json")) {
      for (JsonNode message : new ObjectMapper().readTree(recorded)) {
        Optional<Message.Act> act = answer(read(MAPPER.writeValueAsBytes(message)));
        if (act.isPresent()) MAPPER.writeValueAsBytes(act.get());
      }
    }
  }

  /** Null for a message of a later version. */
  static Message read(byte[] frame) throws IOException {
    return MAPPER.readValue(frame, Message.class);
  }

  /** An act to a decide; nothing else must be answered. */
  Optional<Message.Act> answer(Message message) {
    if (message instanceof Message.Start start) {
      // Also when the referee restates a game: all in it begins afresh.
      var random = new SplittableRandom(start.botSeed().longValue());
      tables.put(start.gameId(), new Table(start, random));
    } else if (message instanceof Message.Decide asked && tables.containsKey(asked.gameId())) {
      Table table = tables.get(asked.gameId());
      Choice choice = player.decide(new Decision(table.start, asked, table.random));
      return Optional.of(
          new Message.Act(asked.gameId(), asked.turn(), choice.index, choice.note, choice.metrics));
    } else if (message instanceof Message.Fault fault) {
      System.err.printf(
          "%s: %s (strikes left: %s)%n", fault.code(), fault.text(), fault.strikesLeft());
    } else if (message instanceof Message.End end) {
      tables.remove(end.gameId());
    }
    return Optional.empty();
  }

  private static <T> List<T> listOf(List<JsonNode> nodes, Class<T> type) {
    return nodes.stream().map(node -> MAPPER.convertValue(node, type)).toList();
  }

  private static ObjectMapper mapper() {
    return new ObjectMapper(new MessagePackFactory())
        .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .setDefaultPropertyInclusion(Include.NON_NULL)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .setAnnotationIntrospector(new KindsByName());
  }
}
