// The messages of the protocol: protocol.md 3 and 4. Editions, views and actions: kosmos.h, ravensburger.h.

#ifndef MESSAGES_H
#define MESSAGES_H

#include "from_referee.h"

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

#endif
