package bot;

import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A bot to begin with: {@link #decide} is where it chooses, with a class for each game that it
 * knows. In any other game it plays anything at all.
 */
public final class Bot {
  /** The worth of an action to choose only if there is no other. */
  static final double NEVER = Double.NEGATIVE_INFINITY;

  private static final String NAME = "java-bot";

  private Bot() {}

  public static void main(String[] args) throws IOException {
    // It plays any game, 8 at once, and its only randomness is Decision.random.
    var hello = new Message.Hello(List.of(1, 0), NAME, "1.0", "Java", List.of(), 8, true);
    Client.run(hello, game -> new Client.Choice(decide(game)));
  }

  /** The index of the action to play. */
  static int decide(Client.Decision game) {
    return switch (game.game()) {
      case "kosmos" -> KosmosPlayer.decide(game);
      case "ravensburger" -> RavensburgerPlayer.decide(game);
      default -> game.random().nextInt(game.size());
    };
  }

  /** The index of the action with the highest worth, the first among equals. */
  static <T> int best(List<T> actions, ToDoubleFunction<T> worth) {
    double[] worths = actions.stream().mapToDouble(worth).toArray();
    return IntStream.range(0, worths.length).reduce(0, (a, b) -> worths[b] > worths[a] ? b : a);
  }
}
