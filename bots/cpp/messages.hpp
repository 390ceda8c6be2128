// The messages of the protocol (protocol.md 3 and 4; `bye` has no fields), and how to look into a game's data.
//
// MSGPACK_DEFINE_MAP lists the fields that are sent. Fields of a later version are ignored, and a
// missing field keeps the value that it has here.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <msgpack.hpp>

namespace arena {

struct Hello {
    std::string type = "hello";
    std::array<int, 2> protocol = {1, 0};
    std::string name;
    std::string version;
    std::string language;
    std::vector<std::string> games; // none: any
    int parallel = 1;
    bool deterministic = false;
    MSGPACK_DEFINE_MAP(type, protocol, name, version, language, games, parallel, deterministic)
};

struct Act {
    std::string type = "act";
    std::string game_id;
    int turn = 0;
    std::int64_t index = 0;
    std::optional<std::string> note;
    std::optional<std::map<std::string, double>> metrics;
    MSGPACK_DEFINE_MAP(type, game_id, turn, index, note, metrics)
};

struct Clock { // milliseconds
    int move = 0;
    int bank = 0;
    MSGPACK_DEFINE_MAP(move, bank)
};

struct Limits {
    int frame = 0;  // bytes, of what the bot may send
    int decide = 0; // bytes, of what it will be sent
    int strikes = 0;
    MSGPACK_DEFINE_MAP(frame, decide, strikes)
};

struct Welcome {
    std::array<int, 2> protocol = {};
    Limits limits;
    MSGPACK_DEFINE_MAP(protocol, limits)
};

struct Start {
    std::string game_id;
    std::string game;
    msgpack::object edition; // each game has its own: kosmos.hpp, ravensburger.hpp
    int seat = 0;
    int players = 0;
    std::optional<Clock> clock; // none: no limit
    std::uint64_t bot_seed = 0;
    MSGPACK_DEFINE_MAP(game_id, game, edition, seat, players, clock, bot_seed)
};

struct Decide {
    std::string game_id;
    int turn = 0;
    std::vector<msgpack::object> events;
    msgpack::object view;
    std::vector<msgpack::object> actions;
    std::optional<Clock> clock;
    MSGPACK_DEFINE_MAP(game_id, turn, events, view, actions, clock)
};

struct Fault {
    std::optional<std::string> game_id;
    std::optional<int> turn;
    std::string code;
    std::string text;
    std::optional<int> strikes_left;
    MSGPACK_DEFINE_MAP(game_id, turn, code, text, strikes_left)
};

struct End {
    std::string game_id;
    std::string ending;
    std::vector<int> ranks;
    std::vector<std::map<std::string, int>> scores;
    MSGPACK_DEFINE_MAP(game_id, ending, ranks, scores)
};

struct Hidden { // what a view says of one deck (4.7); cards are numbers
    int shuffle = 0;
    std::map<std::string, std::vector<int>> pools;
    std::vector<std::vector<int>> drawn, shown;
    std::vector<std::vector<std::tuple<std::vector<int>, int, int>>> lacked;
    std::vector<int> yours;
    MSGPACK_DEFINE_MAP(shuffle, pools, drawn, shown, lacked, yours)
};

// The actions as a game's own type. One whose fields have other types is of a kind that a later version added: it
// stays without content in its place, as actions are chosen by their index.
template <class Action> std::vector<Action> actions_as(const std::vector<msgpack::object> &actions) {
    std::vector<Action> result;
    result.reserve(actions.size());
    for (const auto &action : actions) {
        try {
            result.push_back(action.as<Action>());
        } catch (const msgpack::type_error &) {
            result.emplace_back();
        }
    }
    return result;
}

} // namespace arena
