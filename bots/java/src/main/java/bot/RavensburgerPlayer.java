package bot;

import static bot.Bot.NEVER;

import bot.Client.Decision;
import bot.Ravensburger.Action;
import java.util.List;

/** Goes as far as it can, now, and draws two cards when it can go nowhere. */
final class RavensburgerPlayer {
  private static final int SPECIAL = 4; // rose, purse, handcuffs: worth as much as a long card

  private final Decision game;
  private final Ravensburger.View view;

  private RavensburgerPlayer(Decision game) {
    this.game = game;
    this.view = game.view(Ravensburger.View.class);
  }

  static int decide(Decision game) {
    return new RavensburgerPlayer(game).choose();
  }

  private int choose() {
    List<Action> actions = game.actions(Action.class);
    return switch (view.phase()) {
      case "turn", "further" -> Bot.best(actions, this::stride);
      case "setup", "rose" -> Bot.best(actions, this::longest);
      case "exchange", "lay_off" -> Bot.best(actions, this::burden);
      default -> Bot.best(actions, this::haste);
    };
  }

  /** The card that gets furthest, else one that may help the next, else two cards. */
  private double stride(Action action) {
    int square = view.square().get(game.seat());
    if (action instanceof Action.Draw draw) return draw.count();
    if (action instanceof Action.Discard) return burden(action); // too many for the last stretch
    if (!(action instanceof Action.Play play)) return 0;
    if (play.to() != null) return play.to() > square ? 10 + play.to() : -1;
    return play.card().equals("rose") ? 5 : 3;
  }

  /** Puts the rose where the longest card is. */
  private double longest(Action action) {
    if (!(action instanceof Action.Rose rose)) return NEVER;
    return view.hand().stream()
        .filter(card -> card.startsWith(rose.to()))
        .mapToInt(RavensburgerPlayer::steps)
        .max()
        .orElse(0);
  }

  /** Discards the shortest card. */
  private double burden(Action action) {
    return action instanceof Action.Discard discard ? -steps(discard.card()) : NEVER;
  }

  /** Leap, carry out, defend: whatever keeps the pawn in front. */
  private double haste(Action action) {
    boolean keen = action instanceof Action.Leap || action instanceof Action.CarryOut;
    return keen || action instanceof Action.Purse ? 1 : 0;
  }

  /** How far a card goes: "train-4" goes 4. */
  private static int steps(String card) {
    int dash = card.indexOf('-');
    return dash < 0 ? SPECIAL : Integer.parseInt(card.substring(dash + 1));
  }
}
