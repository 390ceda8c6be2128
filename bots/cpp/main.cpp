#include <exception>
#include <iostream>

#include "bot.hpp"

int main() {
    arena::Hello hello;
    hello.name = "cpp-bot";
    hello.version = "1.0";
    hello.language = "C++";
    hello.parallel = 8;
    hello.deterministic = true; // all its randomness comes from `bot_seed`
    try {
        arena::run(hello, make_player);
    } catch (const std::exception &error) {
        std::cerr << "cpp-bot: " << error.what() << '\n';
        return 1;
    }
}
