package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bot's own tests: it and the client can be asked without any referee. */
class BotTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** As the client reads, but a field that the types do not know is an error. */
  private static final ObjectMapper STRICT =
      Client.MAPPER.copy().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  @Test
  void kosmosTravelsTheQuickestLegWithARollReckonedAtThreeAndAHalfDays() throws IOException {
    String legs =
        """
        [{"do": "stay"},
         {"do": "travel", "to": "Paris", "days": 9, "die": false},
         {"do": "travel", "to": "Paris", "days": 6, "die": true},
         {"do": "travel", "to": "Paris", "days": 8, "die": false}]""";
    assertEquals(3, decide("kosmos", "{}", "{\"phase\": \"travel\"}", legs));
  }

  @Test
  void kosmosDoesNotComeHomeLateWhereThatLoses() throws IOException {
    String home =
        """
        [{"do": "stay"}, {"do": "travel", "to": "London", "days": 6, "die": false}]""";
    assertEquals(0, decide("kosmos", lateFirstLoses(true), travel("[75, 0]"), home));
    assertEquals(1, decide("kosmos", lateFirstLoses(true), travel("[74, 0]"), home));
    assertEquals(1, decide("kosmos", lateFirstLoses(true), travel("[75, 0, 0]"), home));
    assertEquals(1, decide("kosmos", lateFirstLoses(false), travel("[75, 0]"), home));
  }

  private static String lateFirstLoses(boolean loses) {
    return "{\"parameters\": {\"late_first_loses\": " + loses + "}}";
  }

  private static String travel(String days) {
    return "{\"phase\": \"travel\", \"days\": " + days + "}";
  }

  @Test
  void kosmosTakesTheCardThatTheLegAsksForAndCountsEqualOnesOnce() throws IOException {
    String edition = "{\"board\": {\"legs\": [[[\"train\", \"train\"]]]}}";
    String view = "{\"phase\": \"take\", \"hand\": [\"t3\", \"balloon\"], \"city\": [0, 0]}";
    String cards =
        """
        [{"do": "take", "place": "gold", "card": "t2"},
         {"do": "take", "place": "gold", "card": "t3"},
         {"do": "a kind of a later version"}]""";
    assertEquals(1, decide("kosmos", edition, view, cards));
  }

  @Test
  void ravensburgerPlaysTheFurthestCardAndDrawsTwoWhenNoneGoesOn() throws IOException {
    String view = "{\"phase\": \"turn\", \"square\": [10, 0]}";
    String idle =
        """
        {"do": "draw", "count": 1}, {"do": "draw", "count": 2},
        {"do": "play", "card": "train-3", "to": 7}""";
    String strides =
        """
        {"do": "play", "card": "coach-2", "to": 12}, {"do": "play", "card": "coach-5", "to": 15}""";
    assertEquals(4, decide("ravensburger", "{}", view, "[" + idle + ", " + strides + "]"));
    assertEquals(1, decide("ravensburger", "{}", view, "[" + idle + "]"));
  }

  @Test
  void inAGameThatItDoesNotKnowItPlaysAnythingFromTheSeedAlone() throws IOException {
    List<Integer> choices = unknown();
    assertEquals(Set.of(0, 1, 2), choices.stream().collect(Collectors.toSet()));
    assertEquals(choices, unknown());
  }

  @Test
  void everyVectorMeansWhatStandsBesideIt() throws IOException {
    for (Vector vector : vectors()) {
      JsonNode read = Client.MAPPER.readTree(vector.frame);
      vector.assertMeans(vector.json, read);
      vector.assertMeans(
          vector.json, Client.MAPPER.readTree(Client.MAPPER.writeValueAsBytes(read)));
    }
  }

  @Test
  void theTypesHoldEveryField() throws IOException {
    for (Vector vector : vectors()) {
      // This bot never sends these: messages of a later version, and a hello with defaults.
      if (vector.name.matches("hello-least|.*-later-minor")) continue;
      Object value = STRICT.readValue(vector.frame, vector.type());
      assertNotNull(value, vector.name);
      vector.assertMeans(
          withoutNulls(vector.json.deepCopy()), withoutNulls(STRICT.valueToTree(value)));
    }
  }

  @Test
  void theWorkedSessionIsAnsweredByAnActForEachDecideAndNothingElse() throws IOException {
    Client client = new Client(game -> new Client.Choice(game.size() - 1));
    for (Vector vector : vectors()) {
      if (!vector.name.startsWith("session-") || !vector.from.equals("referee")) continue;
      Message message = Client.read(vector.frame);
      Optional<Message.Act> wanted = Optional.empty();
      if (message instanceof Message.Decide asked) {
        int last = asked.actions().size() - 1;
        wanted = Optional.of(new Message.Act(asked.gameId(), asked.turn(), last, null, null));
      }
      assertEquals(wanted, client.answer(message), vector.name);
    }
  }

  private static int decide(String game, String edition, String view, String actions)
      throws IOException {
    return decide(game, edition, view, actions, new SplittableRandom(1));
  }

  private static int decide(
      String game, String edition, String view, String actions, RandomGenerator random)
      throws IOException {
    var start = new Message.Start("g", game, JSON.readTree(edition), 0, 2, null, null);
    List<JsonNode> offered = JSON.readValue(actions, new TypeReference<>() {});
    var asked = new Message.Decide("g", 1, List.of(), JSON.readTree(view), offered, null);
    return Bot.decide(new Client.Decision(start, asked, random));
  }

  private static List<Integer> unknown() throws IOException {
    RandomGenerator random = new SplittableRandom(-1);
    List<Integer> choices = new ArrayList<>();
    for (int i = 0; i < 50; i++) choices.add(decide("go", "{}", "{}", "[{}, {}, {}]", random));
    return choices;
  }

  /**
   * A golden vector: a frame, and what it means. {@code file}: which messages, or which game's
   * data.
   */
  private record Vector(String file, String name, String from, byte[] frame, JsonNode json) {
    Class<?> type() {
      if (!from.equals("data")) return Message.class;
      boolean kosmos = file.equals("kosmos.json");
      return switch (name.split("-")[0]) {
        case "edition" -> kosmos ? Kosmos.Edition.class : Ravensburger.Edition.class;
        case "view" -> kosmos ? Kosmos.View.class : Ravensburger.View.class;
        case "action" -> kosmos ? Kosmos.Action.class : Ravensburger.Action.class;
        default -> kosmos ? Kosmos.Event.class : Ravensburger.Event.class;
      };
    }

    void assertMeans(JsonNode wanted, JsonNode read) {
      assertTrue(
          wanted.equals(BotTest::compare, read), () -> name + ": " + wanted + ", not " + read);
    }
  }

  /** They lie here in a bot made by {@code arena new}, else in the project. */
  private static List<Vector> vectors() throws IOException {
    Optional<Path> folder =
        Stream.of("vectors", "../../docs/vectors").map(Path::of).filter(Files::exists).findFirst();
    assumeTrue(folder.isPresent(), "no golden vectors: no vectors/, no ../../docs/vectors/");
    List<Vector> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.get(), "*.json")) {
      for (Path file : files) {
        for (JsonNode entry : JSON.readTree(file.toFile())) {
          if (!entry.has("json")) continue; // a frame that means nothing
          byte[] frame = HexFormat.of().parseHex(entry.get("hex").asText());
          String name = entry.get("name").asText();
          String from = entry.get("from").asText();
          all.add(new Vector(file.getFileName().toString(), name, from, frame, entry.get("json")));
        }
      }
    }
    List<String> files = all.stream().map(Vector::file).toList();
    assertTrue(files.containsAll(List.of("messages.json", "kosmos.json", "ravensburger.json")));
    return all;
  }

  /** 0 if equal; the same number may be an int here and a long there. */
  private static int compare(JsonNode one, JsonNode other) {
    return one.isNumber() && other.isNumber()
        ? one.decimalValue().compareTo(other.decimalValue())
        : one.equals(other) ? 0 : 1;
  }

  /** The types leave out what is null. */
  private static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(field -> field.getValue().isNull());
    }
    node.forEach(BotTest::withoutNulls);
    return node;
  }
}
