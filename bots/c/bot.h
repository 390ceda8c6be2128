#ifndef BOT_H
#define BOT_H

#include "client.h"

// The index of the action to play: change what bot.c decides.
int64_t decide(struct arena_game *game, const struct arena_decide *decision);

#endif
