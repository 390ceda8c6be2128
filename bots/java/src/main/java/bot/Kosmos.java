package bot;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * What the messages of {@code kosmos} hold: protocol.md, section 10. Cards, cities and places are
 * texts (10.2).
 */
public interface Kosmos {
  record Edition(
      String name,
      Parameters parameters,
      Board board,
      Map<String, Integer> events,
      Map<String, Map<String, Integer>> chits) {}

  record Parameters(
      boolean chitsFaceDown,
      String blueChit,
      boolean refuseChits,
      boolean declineChitCards,
      String overLimit,
      boolean indiaEvents,
      String homeCards,
      boolean lateFirstLoses,
      boolean balloonBreaksPairs,
      int inattentionDays,
      int maxRounds) {}

  /** Each of {@code legs} is the text "elephant" or a list of the ways to travel it. */
  record Board(List<String> cities, List<JsonNode> legs) {
    /** The ways to travel a leg, each the kinds of card ("train", "ship") that it asks for. */
    List<List<String>> ways(int leg) {
      JsonNode node = legs.get(leg);
      return node.isTextual()
          ? List.of(List.of())
          : Client.MAPPER.convertValue(node, new TypeReference<>() {});
    }
  }

  /**
   * Null fields: {@code seat} and {@code hand} of a spectator; display, taken, leg, chit, red,
   * blue: none; faceDown: chits lie open.
   */
  record View(
      Integer seat,
      Integer onTurn,
      String phase,
      int round,
      int first,
      int marker,
      boolean markerTaken,
      List<Integer> waiting,
      int travelling,
      int homeBefore,
      String detective,
      int supply,
      List<String> display,
      String taken,
      boolean balloon,
      int legs,
      Leg leg,
      OpenChit chit,
      List<Integer> city,
      List<Integer> days,
      List<Integer> gold,
      List<Integer> travelCards,
      List<Integer> eventCards,
      List<List<String>> known,
      List<Integer> arrived,
      List<Integer> retired,
      List<String> hand,
      List<String> red,
      List<String> blue,
      Map<String, Map<String, Integer>> faceDown,
      Map<String, Integer> decks,
      Map<String, List<String>> piles,
      Map<String, Message.Hidden> hidden) {}

  record Leg(int days, int roll) {}

  record OpenChit(String colour, String chit) {}

  /** An event card that a leg uses, or ("action") the ride of the place "balloon". */
  record Use(String card, String as, String on) {}

  /** The field {@code do} is the name of the record, as "move_detective". */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do", defaultImpl = Void.class)
  sealed interface Action {
    /** {@code card} is null for the top of the deck. */
    record Take(String place, String card) implements Action {}

    record Swap(String by, List<String> places) implements Action {}

    record Detective(String by, String to) implements Action {}

    record Sell(String card, int gold) implements Action {}

    record Buy(String deck, int gold) implements Action {}

    record Pass() implements Action {}

    record Gold() implements Action {}

    record Event() implements Action {}

    record MoveDetective(String to) implements Action {}

    record First() implements Action {}

    record Exchange(List<String> cards) implements Action {}

    record Stay() implements Action {}

    record Travel(
        String to, List<String> cards, int days, boolean die, List<String> events, List<Use> uses)
        implements Action {}

    record Keep(int roll) implements Action {}

    record Reroll(int gold) implements Action {}

    record Decline(String chit, String colour) implements Action {}

    record Accept(String chit, String colour) implements Action {}

    record Suffer(int days) implements Action {}

    record Escape(String by) implements Action {}

    record Discard(String card) implements Action {}
  }

  /** The field {@code event} is the name of the record, as "lay_off". */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event", defaultImpl = Void.class)
  sealed interface Event {
    record Round(int round, int first, List<String> display) implements Event {}

    record Lose(int seat, int days, String why) implements Event {}

    record Take(int seat, String place, String card) implements Event {}

    record Draw(int seat, String deck) implements Event {}

    record Drew(int seat, String card) implements Event {}

    record Gold(int seat, int gold, String why) implements Event {}

    record Detective(int seat, String to, String by) implements Event {}

    record Marker(int seat, String why) implements Event {}

    record Exchange(int seat, List<String> cards) implements Event {}

    record Swap(int seat, String by, List<String> places, List<String> cards) implements Event {}

    record Travel(
        int seat,
        String to,
        List<String> cards,
        int days,
        boolean die,
        List<String> events,
        List<Use> uses)
        implements Event {}

    record Roll(int seat, int roll) implements Event {}

    record Reroll(int seat) implements Event {}

    record Arrive(int seat, String city, int progress, int days) implements Event {}

    record TurnOver(String city, String red, String blue) implements Event {}

    record Chit(int seat, String city, String colour, String chit, boolean taken)
        implements Event {}

    record Escape(int seat, String by) implements Event {}

    record Discard(int seat, String card, String why) implements Event {}

    record Grey(int seat, String card) implements Event {}

    record LayOff(int seat, List<String> cards) implements Event {}

    record Home(int seat, int place, int days) implements Event {}

    record Clear(List<String> cards) implements Event {}

    record Shuffle(String deck, int cards) implements Event {}

    record Retired(int seat) implements Event {}

    record Over(List<Integer> ranks) implements Event {}
  }
}
