package bot;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A bot to begin with: in {@code kosmos} it takes the cheapest next leg, in {@code ravensburger}
 * the longest stride, and in a game that it does not know anything at all. {@link #decide} is the
 * place to change.
 */
public final class Bot {
  private static final double NEVER = Double.NEGATIVE_INFINITY;

  private Bot() {}

  public static void main(String[] args) throws IOException {
    List<Integer> protocol = List.of(1, 0);
    var hello = new Client.Hello(protocol, "java-bot", "1.0", "Java", List.of(), 8, true);
    Client.run(hello, game -> new Client.Choice(decide(game)));
  }

  /** The index of the action to play. */
  static int decide(Client.Decision game) {
    return switch (game.game()) {
      case "kosmos" -> playKosmos(game);
      case "ravensburger" -> playRavensburger(game);
      default -> game.random().nextInt(game.size());
    };
  }

  /**
   * The index of the action that is worth most, the first among equals; 0, the passive one, if none
   * is known.
   */
  private static <T> int best(List<T> actions, ToDoubleFunction<T> worth) {
    double[] worths = actions.stream().mapToDouble(worth).toArray();
    return IntStream.range(0, worths.length).reduce(0, (a, b) -> worths[b] > worths[a] ? b : a);
  }

  // kosmos: looks at the next leg only, and never waits for better cards.

  private static final double DIE = 3.5; // what a roll adds on average
  private static final int MISSING = 7; // days that a card we do not have yet is reckoned at
  private static final Map<String, Integer> PLACES = Map.of("event", 3, "gold", 2, "balloon", 1);

  private static int playKosmos(Client.Decision game) {
    Kosmos.View view = game.view(Kosmos.View.class);
    List<Kosmos.Action> actions = game.actions(Kosmos.Action.class);
    return switch (view.phase()) {
      case "take" -> { // the card after which the next leg is cheapest; among equals the one on the
        // better place
        Kosmos.Board board = game.edition(Kosmos.Edition.class).board();
        JsonNode leg = board.legs().get(view.city().get(game.seat()));
        yield best(
            actions,
            action ->
                action instanceof Kosmos.Action.Take take && take.card() != null
                    ? PLACES.getOrDefault(take.place(), 0)
                        - 10 * legCost(leg, view.hand(), take.card())
                    : NEVER);
      }
      case "action" -> best(actions, Bot::offer);
      case "travel" ->
          best(
              actions,
              action ->
                  action instanceof Kosmos.Action.Travel travel
                      ? -travel.days() - (travel.die() ? DIE : 0)
                      : NEVER);
      case "reroll" -> view.leg().roll() >= 5 ? 1 : 0; // a gold only when the roll was bad
      case "chit" -> best(actions, action -> action instanceof Kosmos.Action.Accept ? 1 : 0);
      case "escape" -> best(actions, action -> action instanceof Kosmos.Action.Escape ? 1 : 0);
      case "limit" -> // the dearest card goes
          best(
              actions,
              action ->
                  action instanceof Kosmos.Action.Discard discard && isTravelCard(discard.card())
                      ? days(discard.card())
                      : NEVER);
      default -> 0; // the first action of every list is the passive one
    };
  }

  private static double offer(Kosmos.Action action) {
    if (action instanceof Kosmos.Action.Event) return 3;
    if (action instanceof Kosmos.Action.Gold) return 2;
    return action instanceof Kosmos.Action.Pass ? 1 : NEVER;
  }

  /** Days for the leg with this hand and one card more, what is missing included. */
  private static int legCost(JsonNode leg, List<String> hand, String card) {
    if (leg.isTextual()) return 0; // the elephant's leg takes no cards
    List<String> cards =
        Stream.concat(hand.stream(), Stream.of(card)).filter(Bot::isTravelCard).toList();
    return StreamSupport.stream(leg.spliterator(), false)
        .mapToInt(option -> optionCost(option, cards, "train") + optionCost(option, cards, "ship"))
        .min()
        .orElse(0);
  }

  private static int optionCost(JsonNode option, List<String> cards, String mode) {
    int need = 0;
    for (JsonNode each : option) need += each.asText().equals(mode) ? 1 : 0;
    int[] have =
        cards.stream()
            .filter(card -> card.charAt(0) == mode.charAt(0))
            .mapToInt(Bot::days)
            .toArray();
    int paying = Math.min(need, have.length);
    return cheapest(have, 0, paying, 0) + MISSING * (need - paying);
  }

  /**
   * The least that so many of the cards from this one on cost. {@code counted}: bits of the values
   * that were laid.
   */
  private static int cheapest(int[] have, int from, int paying, int counted) {
    if (paying == 0) return 0;
    int least = Integer.MAX_VALUE;
    for (int i = from; i <= have.length - paying; i++) {
      int bit = 1 << have[i]; // two equal cards of a kind count once
      int cost = (counted & bit) == 0 ? have[i] : 0;
      least = Math.min(least, cost + cheapest(have, i + 1, paying - 1, counted | bit));
    }
    return least;
  }

  /** "t3" is a train of 3 days; longer names are event cards. */
  private static boolean isTravelCard(String card) {
    return card.length() == 2;
  }

  private static int days(String card) {
    return card.charAt(1) - '0';
  }

  // ravensburger: goes as far as it can, now, and draws two cards when it can go nowhere.

  private static final int SPECIAL =
      4; // a rose, a purse or handcuffs are worth as much as a long card

  private static int playRavensburger(Client.Decision game) {
    Ravensburger.View view = game.view(Ravensburger.View.class);
    List<Ravensburger.Action> actions = game.actions(Ravensburger.Action.class);
    return switch (view.phase()) {
      case "turn", "further" ->
          best(actions, action -> stride(action, view.square().get(game.seat())));
      case "setup", "rose" -> best(actions, action -> longest(action, view.hand()));
      case "exchange", "lay_off" ->
          best(actions, action -> stride(action, 0)); // the shortest card goes
      default -> best(actions, Bot::keepsInFront);
    };
  }

  /** The card that gets furthest, else one that may help the next, else two cards. */
  private static double stride(Ravensburger.Action action, int square) {
    if (action instanceof Ravensburger.Action.Draw draw) return draw.count();
    if (action instanceof Ravensburger.Action.Discard discard) return -steps(discard.card());
    if (!(action instanceof Ravensburger.Action.Play play)) return 0;
    if (play.to() != null) return play.to() > square ? 10 + play.to() : -1;
    return play.card().equals("rose") ? 5 : 3;
  }

  /** How far the longest card of the mode goes to which the rose would go. */
  private static double longest(Ravensburger.Action action, List<String> hand) {
    if (!(action instanceof Ravensburger.Action.Rose rose)) return NEVER;
    return hand.stream()
        .filter(card -> card.startsWith(rose.to()))
        .mapToInt(Bot::steps)
        .max()
        .orElse(0);
  }

  private static double keepsInFront(Ravensburger.Action action) {
    return action instanceof Ravensburger.Action.Leap
            || action instanceof Ravensburger.Action.CarryOut
            || action instanceof Ravensburger.Action.Purse
        ? 1
        : 0;
  }

  /** How far a card goes: "train-4" goes 4. */
  private static int steps(String card) {
    int dash = card.indexOf('-');
    return dash < 0 ? SPECIAL : Integer.parseInt(card.substring(dash + 1));
  }
}
