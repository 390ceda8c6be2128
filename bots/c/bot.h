#ifndef BOT_H
#define BOT_H

#include "client.h"

// The action to play: change what bot.c decides.
struct arena_act decide(struct arena_game *game, const struct arena_decide *decision);

#endif
