// The client: connects to the referee, hands each decision to the bot, and sends its answer.

#ifndef CLIENT_H
#define CLIENT_H

#include "wire.h"

// What the referee sends: protocol.md 4. Editions, views and actions: kosmos.h, ravensburger.h.

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

// One game. What a bot keeps must not outlive it: the same process plays the next one.
struct arena_game {
    struct arena_start start;
    uint64_t random;        // the state of arena_random, seeded by the referee
    char *frame;            // in which `start` lies
    msgpack_unpacked parts; // of which `start` is made
    struct arena_game *next;
};

// The next random number of this game. A bot that uses no others can be replayed.
uint64_t arena_random(struct arena_game *game);

// What a bot is: returns the index of the action to play.
typedef int64_t arena_bot(struct arena_game *game, const struct arena_decide *decision);

// What the bot says of itself: protocol.md 3.1. It plays any game, somehow.
struct arena_hello {
    const char *name;
    const char *version;
    const char *language;
    int parallel;
    bool deterministic;
};

// Plays until the referee says goodbye, or the process that started this one is gone. Returns the exit code.
int arena_run(const struct arena_hello *hello, arena_bot *bot);

// What a bot answers to each message, without any socket: the tests talk to it. Begins with `games` NULL.
struct arena_session {
    arena_bot *bot;
    struct arena_game *games;
};
enum arena_answer { ARENA_NONE, ARENA_ACT, ARENA_OVER, ARENA_BROKEN };

// ARENA_ACT: `act` holds the frame to send. ARENA_BROKEN: the frame is no message, or there is no memory for it.
enum arena_answer arena_take(struct arena_session *session, const char *frame, size_t size, msgpack_sbuffer *act);
void arena_forget(struct arena_session *session);

#endif
