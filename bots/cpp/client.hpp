// The client: connects to the referee, hands each decision to a player, and sends its answer.
//
// A bot derives its players from `Player`, one object a game, and gives `run` a function that makes them.

#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <msgpack.hpp>
#include <unistd.h>
#include <zmq.hpp>

#include "messages.hpp"

namespace arena {

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

// What a player chose.
struct Choice {
    std::size_t index = 0; // of the action to play
    // For the record alone:
    std::optional<std::string> note = {};
    std::optional<std::map<std::string, double>> metrics = {};
};

// Plays one game. What it keeps must not outlive the game: the same process plays the next one.
class Player {
  public:
    Player() = default;
    Player(const Player &) = delete;
    Player &operator=(const Player &) = delete;
    virtual ~Player() = default;

    virtual Choice decide(const Decide &decision) = 0;
};

// Chooses at random, for games that the bot does not know.
class RandomPlayer : public Player {
  public:
    explicit RandomPlayer(const Start &start) : random_(start.bot_seed) {}

    // The remainder, because std::uniform_int_distribution differs between standard libraries.
    Choice decide(const Decide &decision) override {
        return {random_() % std::max<std::size_t>(decision.actions.size(), 1)};
    }

  private:
    std::mt19937_64 random_;
};

using MakePlayer = std::function<std::unique_ptr<Player>(const Start &)>;

// The bot's answers to messages, without any socket, for the tests.
class Session {
  public:
    explicit Session(MakePlayer make_player) : make_player_(std::move(make_player)) {}

    bool over() const { return over_; }

    // The answer to a message; most have none.
    std::optional<Act> take(const char *frame, std::size_t size) {
        msgpack::object_handle message = msgpack::unpack(frame, size);
        const auto type = message->as<Type>().type;
        if (type == "start") {
            begin(std::move(message));
        } else if (type == "decide") {
            return answer(message->as<Decide>());
        } else if (type == "fault") {
            const auto fault = message->as<Fault>();
            std::cerr << "fault " << fault.code << ": " << fault.text << '\n';
        } else if (type == "end") {
            games_.erase(message->as<End>().game_id);
        } else if (type == "bye") {
            over_ = true;
        }
        return std::nullopt; // `welcome`, and what a later version may send
    }

  private:
    struct Type {
        std::string type;
        MSGPACK_DEFINE_MAP(type)
    };

    struct Game {
        msgpack::object_handle message; // the player's edition lies in it
        std::unique_ptr<Player> player;
    };

    // A game that starts again, after another hello or because it is replayed, replaces what was known of it.
    void begin(msgpack::object_handle message) {
        const auto start = message->as<Start>();
        auto player = make_player_(start);
        games_.insert_or_assign(start.game_id, Game{std::move(message), std::move(player)});
    }

    std::optional<Act> answer(const Decide &decision) {
        const auto game = games_.find(decision.game_id);
        if (game == games_.end()) {
            std::cerr << "asked about a game that has not begun: " << decision.game_id << '\n';
            return std::nullopt;
        }
        Choice choice = game->second.player->decide(decision);
        Act act;
        act.game_id = decision.game_id;
        act.turn = decision.turn;
        act.index = static_cast<std::int64_t>(choice.index);
        act.note = std::move(choice.note);
        act.metrics = std::move(choice.metrics);
        return act;
    }

    MakePlayer make_player_;
    std::unordered_map<std::string, Game> games_;
    bool over_ = false;
};

// Waiting calls fail with EINTR when the process is resumed after a stop: they must be repeated.
template <class Call> auto uninterrupted(Call call) {
    while (true) {
        try {
            return call();
        } catch (const zmq::error_t &error) {
            if (error.num() != EINTR) {
                throw;
            }
        }
    }
}

template <class Message> void send(zmq::socket_t &socket, const Message &message) {
    msgpack::sbuffer frame;
    msgpack::pack(frame, message);
    uninterrupted([&] { return socket.send(zmq::buffer(frame.data(), frame.size()), zmq::send_flags::none); });
}

inline std::string environment(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error(std::string(name) + " is not set: the arena starts this bot, or `arena match wait:…`");
    }
    return value;
}

// Plays until the referee sends bye, or the process that started this one is gone.
inline void run(const Hello &hello, MakePlayer make_player) {
    const pid_t parent = getppid();
    zmq::context_t context;
    zmq::socket_t socket(context, zmq::socket_type::dealer);
    socket.set(zmq::sockopt::routing_id, environment("ARENA_TOKEN"));
    socket.set(zmq::sockopt::rcvtimeo, 1000); // to check every second that the parent is alive
    socket.set(zmq::sockopt::linger, 1000);
    socket.connect(environment("ARENA_ENDPOINT"));
    send(socket, hello);

    Session session(std::move(make_player));
    while (!session.over() && getppid() == parent) {
        zmq::message_t frame;
        if (!uninterrupted([&] { return socket.recv(frame); })) {
            continue;
        }
        if (const auto act = session.take(frame.data<char>(), frame.size())) {
            send(socket, *act);
        }
    }
}

} // namespace arena
