// The client: connects to the referee, hands each decision to the bot, and sends its answer.

#ifndef CLIENT_H
#define CLIENT_H

#include "messages.h"

// One game. What a bot keeps must not outlive it: the same process plays the next one.
struct arena_game {
    struct arena_start start;
    uint64_t random;        // the state of arena_random, seeded by the referee
    char *frame;            // in which `start` lies
    msgpack_unpacked parts; // of which `start` is made
    struct arena_game *next;
};

// The next random number of this game, below `end`. A bot that uses no others can be replayed.
uint64_t arena_random(struct arena_game *game, uint64_t end);

// The function that is the bot: it returns the action to play.
typedef struct arena_act arena_bot(struct arena_game *game, const struct arena_decide *decision);

// Plays until the referee sends bye, or the process that started this one is gone. Returns the exit code.
int arena_run(const struct arena_hello *hello, arena_bot *bot);

// The bot's answers to messages, without any socket, for the tests. Begins with `games` NULL.
struct arena_session {
    arena_bot *bot;
    struct arena_game *games;
};
enum arena_answer { ARENA_NONE, ARENA_ACT, ARENA_OVER, ARENA_BROKEN };

// ARENA_ACT: `act` holds the frame to send. ARENA_BROKEN: the frame is no message, or there is no memory for it.
enum arena_answer arena_take(struct arena_session *session, const char *frame, size_t size, msgpack_sbuffer *act);
void arena_forget(struct arena_session *session);

#endif
