#include "bot.h"

int main(void) {
    const struct arena_hello hello = {
        .name = "c-bot",
        .version = "1.0",
        .language = "C",
        .parallel = 8,
        .deterministic = true, // all its randomness comes from `bot_seed`
    };
    return arena_run(&hello, decide);
}
