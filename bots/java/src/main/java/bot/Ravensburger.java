package bot;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * What the messages of {@code ravensburger} hold: protocol.md. Cards are texts as "train-4",
 * "rose", "self_back_3".
 */
public interface Ravensburger {
  record Edition(
      String name, Parameters parameters, Board board, Cards cards, List<EventCard> events) {}

  record Parameters(
      int goalHandLimit,
      boolean backwards,
      boolean keepEvents,
      boolean eventSquares,
      int maxRounds) {}

  /** Squares by their numbers, from 0 (the start) to {@code goal}. */
  record Board(
      int goal,
      List<Integer> rose,
      List<Integer> stage,
      List<String> stageNames,
      List<Integer> spyglass,
      List<Integer> handcuffs) {}

  /** How many cards of the values 1 to 5 a mode has, and how many special ones there are. */
  record Cards(
      List<Integer> coach,
      List<Integer> train,
      List<Integer> steamer,
      List<Integer> elephant,
      int rose,
      int handcuffs,
      int purse) {}

  /** {@code steps} below 0: back. */
  record EventCard(String card, String effect, int steps, int cards, int count) {}

  /** Null fields: phase and turn for whoever does not decide; rose, hand, event, drawn: none. */
  record View(
      Integer seat,
      Integer onTurn,
      String phase,
      Turn turn,
      int round,
      int first,
      String rose,
      List<Integer> square,
      List<Integer> cards,
      List<Boolean> kept,
      List<Integer> retired,
      List<List<String>> known,
      List<String> hand,
      String event,
      String drawn,
      Map<String, Integer> decks,
      Map<String, List<String>> piles,
      Map<String, Message.Hidden> hidden) {}

  /**
   * {@code pending} is what is still to be done, the question asked last: a word and what goes with
   * it.
   */
  record Turn(
      int further,
      boolean stage,
      boolean leap,
      boolean waiting,
      boolean moved,
      boolean beyond,
      boolean keptNow,
      int orders,
      List<List<JsonNode>> pending) {}

  /** The field {@code do} is the name of the record, as "carry_out". */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do", defaultImpl = Void.class)
  sealed interface Action {
    /**
     * {@code to} is null for cards that do not move the pawn, {@code victim} for all but handcuffs.
     */
    record Play(String card, Integer to, Integer victim) implements Action {}

    record Event() implements Action {}

    record Draw(int count) implements Action {}

    record Exchange() implements Action {}

    record Discard(String card) implements Action {}

    record End() implements Action {}

    record Rose(String to) implements Action {}

    record Leap() implements Action {}

    record Stay() implements Action {}

    record Retreat() implements Action {}

    record Purse() implements Action {}

    record CarryOut() implements Action {}

    record Keep() implements Action {}
  }

  /** The field {@code event} is the name of the record. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event", defaultImpl = Void.class)
  sealed interface Event {
    record Round(int round) implements Event {}

    record Turn(int seat) implements Event {}

    record Rose(int seat, String to) implements Event {}

    record Play(int seat, String card, Integer to, Integer victim) implements Event {}

    record Move(int seat, int from, int to, String by) implements Event {}

    record Announce(int seat, int count) implements Event {}

    record Draw(int seat, String deck) implements Event {}

    record Drew(int seat, String deck, String card) implements Event {}

    record Exchange(int seat) implements Event {}

    record Discard(int seat, String card, String why) implements Event {}

    record Leap(int seat, boolean taken) implements Event {}

    record Purse(int seat) implements Event {}

    record Keep(int seat) implements Event {}

    record Order(int seat, String card, boolean kept) implements Event {}

    record Shuffle(String deck, int cards) implements Event {}

    record Retired(int seat) implements Event {}

    record Home(int seat) implements Event {}

    record Over(List<Integer> ranks) implements Event {}
  }
}
