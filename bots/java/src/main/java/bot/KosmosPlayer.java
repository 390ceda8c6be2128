package bot;

import static bot.Bot.NEVER;

import bot.Client.Decision;
import bot.Kosmos.Action;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Looks at the next leg only and takes the cheapest way there is. It never waits for better cards,
 * except where coming home late would lose.
 */
final class KosmosPlayer {
  private static final double DIE = 3.5; // what a roll adds on average
  private static final int HIGHEST_ROLL = 6;
  private static final int IN_TIME = 80; // days within which one should be home
  private static final int MISSING = 7; // estimated days of a card that we do not have yet
  private static final Map<String, Integer> PLACES = Map.of("event", 3, "gold", 2, "balloon", 1);

  private final Decision game;
  private final Kosmos.View view;

  private KosmosPlayer(Decision game) {
    this.game = game;
    this.view = game.view(Kosmos.View.class);
  }

  static int decide(Decision game) {
    return new KosmosPlayer(game).choose();
  }

  private int choose() {
    List<Action> actions = game.actions(Action.class);
    return switch (view.phase()) {
      case "take" -> Bot.best(actions, this::card);
      case "action" -> Bot.best(actions, this::offer);
      case "travel" -> Bot.best(actions, this::journey);
      case "reroll" -> view.leg().roll() >= 5 ? 1 : 0; // pay a gold only if the roll was bad
      case "chit" -> Bot.best(actions, action -> action instanceof Action.Accept ? 1 : 0);
      case "escape" -> Bot.best(actions, action -> action instanceof Action.Escape ? 1 : 0);
      case "limit" -> Bot.best(actions, this::burden);
      default -> 0; // the first action of every list is the passive one
    };
  }

  /** The worth of a card: how cheap the next leg is with it, and among equals its place. */
  private double card(Action action) {
    if (!(action instanceof Action.Take take) || take.card() == null) return NEVER;
    List<JsonNode> legs = game.edition(Kosmos.Edition.class).board().legs();
    List<List<String>> ways = ways(legs.get(view.city().get(game.seat())));
    List<String> cards =
        Stream.concat(view.hand().stream(), Stream.of(take.card()))
            .filter(KosmosPlayer::isTravelCard)
            .toList();
    int days = ways.stream().mapToInt(way -> cost(way, cards)).min().orElse(0);
    return PLACES.getOrDefault(take.place(), 0) - 10 * days;
  }

  /** The ways to travel a leg, each the kinds of card that it asks for: none by elephant. */
  private static List<List<String>> ways(JsonNode leg) {
    return leg.isTextual()
        ? List.of(List.of())
        : Client.MAPPER.convertValue(leg, new TypeReference<>() {});
  }

  private double offer(Action action) {
    if (action instanceof Action.Event) return 3;
    if (action instanceof Action.Gold) return 2;
    return action instanceof Action.Pass ? 1 : NEVER;
  }

  private double journey(Action action) {
    if (!(action instanceof Action.Travel travel) || isTooLate(travel)) return NEVER;
    return -travel.days() - (travel.die() ? DIE : 0);
  }

  /** Whether a leg may lead home late, and that would lose: of two players, who is home first. */
  private boolean isTooLate(Action.Travel travel) {
    if (!travel.to().equals("London") || view.days().size() != 2) return false;
    int days = view.days().get(game.seat()) + travel.days() + (travel.die() ? HIGHEST_ROLL : 0);
    return days > IN_TIME && game.edition(Kosmos.Edition.class).parameters().lateFirstLoses();
  }

  /** Discards the most expensive card. */
  private double burden(Action action) {
    return action instanceof Action.Discard discard && isTravelCard(discard.card())
        ? days(discard.card())
        : NEVER;
  }

  /** Days for a leg that needs these kinds of card, missing ones included. */
  private static int cost(List<String> way, List<String> cards) {
    int total = 0;
    for (String kind : List.of("train", "ship")) {
      int need = (int) way.stream().filter(kind::equals).count();
      int[] have =
          cards.stream()
              .filter(card -> card.charAt(0) == kind.charAt(0))
              .mapToInt(KosmosPlayer::days)
              .toArray();
      int paying = Math.min(need, have.length);
      total += cheapest(have, 0, paying, 0) + MISSING * (need - paying);
    }
    return total;
  }

  /** The least that {@code paying} cards cost. {@code laid}: a bit for each value laid before. */
  private static int cheapest(int[] have, int from, int paying, int laid) {
    if (paying == 0) return 0;
    int least = Integer.MAX_VALUE;
    for (int i = from; i <= have.length - paying; i++) {
      int bit = 1 << have[i]; // two equal cards of a kind count once
      int days = (laid & bit) == 0 ? have[i] : 0;
      least = Math.min(least, days + cheapest(have, i + 1, paying - 1, laid | bit));
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
}
