#pragma once

#include <memory>

#include "client.hpp"

// The player for a game: change what the players in bot.cpp decide.
std::unique_ptr<arena::Player> make_player(const arena::Start &start);
