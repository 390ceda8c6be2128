// The messages of the protocol: protocol.md 3 and 4. Editions, views and actions: kosmos.h, ravensburger.h.

#ifndef MESSAGES_H
#define MESSAGES_H

#include "wire.h"

// What a bot sends. A member that is left at 0 or NULL is sent as the protocol's default.

struct arena_hello {
    const char *name;
    const char *version;
    const char *language;
    const char *const *games; // the last is NULL; no list: any game
    int parallel;
    bool deterministic;
};
void pack_hello(msgpack_packer *packer, const struct arena_hello *hello);

// `note` and `metrics` are for the record alone, and have to live until the bot is asked again.
struct arena_metric {
    const char *name;
    double value;
};
struct arena_act {
    int64_t index;
    const char *note;
    const struct arena_metric *metrics; // the last has no name
};
void pack_act(msgpack_packer *packer, msgpack_object_str game_id, int64_t turn, const struct arena_act *act);

// What the referee sends. `bye` has no fields.

#define ARENA_WELCOME(X, tag)                                                                                          \
    X(tag, LIST, protocol, "protocol")                                                                                 \
    X(tag, ANY, limits, "limits")
STRUCT(arena_welcome, ARENA_WELCOME)

#define ARENA_LIMITS(X, tag)                                                                                           \
    X(tag, NUMBER, frame, "frame")                                                                                     \
    X(tag, NUMBER, decide, "decide")                                                                                   \
    X(tag, NUMBER, strikes, "strikes")
STRUCT(arena_limits, ARENA_LIMITS)

#define ARENA_START(X, tag)                                                                                            \
    X(tag, TEXT, game_id, "game_id")                                                                                   \
    X(tag, TEXT, game, "game")                                                                                         \
    X(tag, ANY, edition, "edition")                                                                                    \
    X(tag, NUMBER, seat, "seat")                                                                                       \
    X(tag, NUMBER, players, "players")                                                                                 \
    X(tag, ANY, clock, "clock") /* NULL: no limit */                                                                   \
    X(tag, UNSIGNED, bot_seed, "bot_seed")
STRUCT(arena_start, ARENA_START)

#define ARENA_DECIDE(X, tag)                                                                                           \
    X(tag, TEXT, game_id, "game_id")                                                                                   \
    X(tag, NUMBER, turn, "turn")                                                                                       \
    X(tag, LIST, events, "events")                                                                                     \
    X(tag, ANY, view, "view")                                                                                          \
    X(tag, LIST, actions, "actions")                                                                                   \
    X(tag, ANY, clock, "clock")
STRUCT(arena_decide, ARENA_DECIDE)

#define ARENA_CLOCK(X, tag) X(tag, NUMBER, move, "move") X(tag, NUMBER, bank, "bank") /* milliseconds */
STRUCT(arena_clock, ARENA_CLOCK)

#define ARENA_FAULT(X, tag)                                                                                            \
    X(tag, TEXT, game_id, "game_id")                                                                                   \
    X(tag, NUMBER, turn, "turn")                                                                                       \
    X(tag, TEXT, code, "code")                                                                                         \
    X(tag, TEXT, text, "text")                                                                                         \
    X(tag, NUMBER, strikes_left, "strikes_left")
STRUCT(arena_fault, ARENA_FAULT)

#define ARENA_END(X, tag)                                                                                              \
    X(tag, TEXT, game_id, "game_id")                                                                                   \
    X(tag, TEXT, ending, "ending")                                                                                     \
    X(tag, LIST, ranks, "ranks")                                                                                       \
    X(tag, LIST, scores, "scores")
STRUCT(arena_end, ARENA_END)

// What a view's `hidden` says of one deck (4.7); cards are numbers.
#define ARENA_HIDDEN(X, tag)                                                                                           \
    X(tag, NUMBER, shuffle, "shuffle")                                                                                 \
    X(tag, ANY, pools, "pools")                                                                                        \
    X(tag, LIST, drawn, "drawn")                                                                                       \
    X(tag, LIST, shown, "shown")                                                                                       \
    X(tag, LIST, lacked, "lacked")                                                                                     \
    X(tag, LIST, yours, "yours")
STRUCT(arena_hidden, ARENA_HIDDEN)

#endif
