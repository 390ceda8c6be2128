package bot;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * A message of protocol.md, sections 3 and 4. The field {@code type} is the name of the record in
 * small letters.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type", defaultImpl = Void.class)
public sealed interface Message {
  /**
   * {@code games} that it can play, none: any; {@code parallel} games may be asked at once. A bot
   * whose only randomness is {@code Decision.random} is deterministic.
   */
  record Hello(
      List<Integer> protocol,
      String name,
      String version,
      String language,
      List<String> games,
      int parallel,
      boolean deterministic)
      implements Message {
    public Hello(String name, String version, List<String> games, int parallel) {
      this(List.of(1, 0), name, version, "Java", games, parallel, true);
    }
  }

  record Act(String gameId, int turn, long index, String note, Map<String, Double> metrics)
      implements Message {}

  record Welcome(List<Integer> protocol, Limits limits) implements Message {}

  record Limits(int frame, int decide, int strikes) {}

  /** {@code botSeed} has 64 bits without sign, for which Java has no smaller type. */
  record Start(
      String gameId,
      String game,
      JsonNode edition,
      int seat,
      int players,
      Clock clock,
      BigInteger botSeed)
      implements Message {}

  record Decide(
      String gameId, int turn, JsonNode events, JsonNode view, JsonNode actions, Clock clock)
      implements Message {}

  record Fault(String gameId, Integer turn, String code, String text, Integer strikesLeft)
      implements Message {}

  record End(String gameId, String ending, List<Integer> ranks, List<Map<String, Integer>> scores)
      implements Message {}

  record Bye() implements Message {}

  /** Milliseconds: free for a decision, and left in the bank for the game. */
  record Clock(int move, int bank) {}

  /** What a view says of one deck (4.7). Cards are numbers. */
  record Hidden(
      int shuffle,
      Map<String, List<Integer>> pools,
      List<List<Integer>> drawn,
      List<List<Integer>> shown,
      List<List<Lacked>> lacked,
      List<Integer> yours) {}

  /** A hand held none of these cards, after so many of its draws and of its shown cards. */
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  record Lacked(List<Integer> cards, int draws, int shown) {}
}
