// The data of the game `ravensburger`: protocol.md 11 says what each field means.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <msgpack.hpp>

#include "messages.hpp"

namespace ravensburger {

using Text = std::string;
using Texts = std::vector<std::string>;
using Numbers = std::vector<int>;

struct Edition {
    struct Parameters {
        int goal_hand_limit = 0, max_rounds = 0;
        bool backwards = false, keep_events = false, event_squares = false;
        MSGPACK_DEFINE_MAP(goal_hand_limit, backwards, keep_events, event_squares, max_rounds)
    };

    struct Board {
        int goal = 0;
        Numbers rose, stage, spyglass, handcuffs;
        Texts stage_names;
        MSGPACK_DEFINE_MAP(goal, rose, stage, stage_names, spyglass, handcuffs)
    };

    struct Cards {
        Numbers coach, train, steamer, elephant;
        int rose = 0, handcuffs = 0, purse = 0;
        MSGPACK_DEFINE_MAP(coach, train, steamer, elephant, rose, handcuffs, purse)
    };

    struct Event {
        Text card, effect;
        int steps = 0, cards = 0, count = 0;
        MSGPACK_DEFINE_MAP(card, effect, steps, cards, count)
    };

    Text name;
    Parameters parameters;
    Board board;
    Cards cards;
    std::vector<Event> events;
    MSGPACK_DEFINE_MAP(name, parameters, board, cards, events)
};

// `kind` is the action's "do". A field that the kind does not have is empty or 0.
struct Action {
    Text kind, card;
    msgpack::object to; // of a "play" a square, of a "rose" a mode
    std::optional<int> victim;
    int count = 0;
    MSGPACK_DEFINE_MAP(MSGPACK_NVP("do", kind), card, to, victim, count)

    std::optional<int> square() const {
        return to.type == msgpack::type::POSITIVE_INTEGER ? std::optional(to.as<int>()) : std::nullopt;
    }
    Text mode() const { return to.type == msgpack::type::STR ? to.as<Text>() : Text(); }
};

struct View {
    struct Turn {
        int further = 0, orders = 0;
        bool stage = false, leap = false, waiting = false, moved = false, beyond = false, kept_now = false;
        std::vector<std::vector<msgpack::object>> pending; // each begins with a text, numbers and a text may follow
        MSGPACK_DEFINE_MAP(further, stage, leap, waiting, moved, beyond, kept_now, orders, pending)
    };

    struct Decks {
        int action = 0, event = 0;
        MSGPACK_DEFINE_MAP(action, event)
    };

    struct Piles {
        Texts action, event;
        MSGPACK_DEFINE_MAP(action, event)
    };

    struct Hidden {
        arena::Hidden action, event;
        MSGPACK_DEFINE_MAP(action, event)
    };

    std::optional<int> seat, on_turn;
    std::optional<Text> phase, rose, event, drawn;
    std::optional<Turn> turn;
    int round = 0, first = 0;
    Numbers square, cards, retired;
    std::vector<bool> kept;
    std::vector<Texts> known;
    std::optional<Texts> hand;
    Decks decks;
    Piles piles;
    Hidden hidden;
    MSGPACK_DEFINE_MAP(seat, on_turn, phase, turn, round, first, rose, square, cards, kept, known, retired, hand, event,
                       drawn, decks, piles, hidden)
};

} // namespace ravensburger
