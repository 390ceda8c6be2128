// The data of the game `kosmos`: protocol.md 10 says what each field means.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <msgpack.hpp>

#include "messages.hpp"

namespace kosmos {

using Text = std::string;
using Texts = std::vector<std::string>;
using Counts = std::map<std::string, int>;

struct Edition {
    struct Parameters {
        Text blue_chit, over_limit, home_cards;
        bool refuse_chits = false, decline_chit_cards = false, india_events = false, late_first_loses = false;
        bool balloon_breaks_pairs = false, chits_face_down = false;
        int inattention_days = 0, max_rounds = 0;
        MSGPACK_DEFINE_MAP(chits_face_down, blue_chit, refuse_chits, decline_chit_cards, over_limit, india_events,
                           home_cards, late_first_loses, balloon_breaks_pairs, inattention_days, max_rounds)
    };

    // The ways to pay for a leg, each a list of "train" and "ship". None: the leg is "elephant", without cards.
    struct Leg {
        std::vector<Texts> options;

        void msgpack_unpack(const msgpack::object &leg) {
            options = leg.type == msgpack::type::STR ? std::vector<Texts>() : leg.as<std::vector<Texts>>();
        }
        template <class Packer> void msgpack_pack(Packer &packer) const {
            if (options.empty()) {
                packer.pack("elephant");
            } else {
                packer.pack(options);
            }
        }
    };

    struct Board {
        Texts cities;
        std::vector<Leg> legs;
        MSGPACK_DEFINE_MAP(cities, legs)
    };

    struct Chits {
        Counts red, blue;
        MSGPACK_DEFINE_MAP(red, blue)
    };

    Text name;
    Parameters parameters;
    Board board;
    Counts events;
    Chits chits;
    MSGPACK_DEFINE_MAP(name, parameters, board, events, chits)
};

// `kind` is the action's "do". A field that the kind does not have is empty or 0.
struct Action {
    struct Use {
        Text card, as;
        std::optional<Text> on;
        MSGPACK_DEFINE_MAP(card, as, on)
    };

    Text kind, place, card, by, to, deck, colour, chit;
    int gold = 0, days = 0, roll = 0;
    bool die = false;
    Texts cards, events, places;
    std::vector<Use> uses;
    MSGPACK_DEFINE_MAP(MSGPACK_NVP("do", kind), place, card, by, to, deck, colour, chit, gold, days, roll, die, cards,
                       events, places, uses)
};

struct View {
    struct Leg {
        int days = 0, roll = 0;
        MSGPACK_DEFINE_MAP(days, roll)
    };

    struct Chit {
        Text colour, chit;
        MSGPACK_DEFINE_MAP(colour, chit)
    };

    struct Decks {
        int travel = 0, event = 0;
        MSGPACK_DEFINE_MAP(travel, event)
    };

    struct Piles {
        Texts travel, event;
        MSGPACK_DEFINE_MAP(travel, event)
    };

    struct Hidden {
        arena::Hidden travel, event;
        MSGPACK_DEFINE_MAP(travel, event)
    };

    std::optional<int> seat, on_turn;
    Text phase, detective;
    int round = 0, first = 0, marker = 0, travelling = 0, home_before = 0, supply = 0, legs = 0;
    bool marker_taken = false, balloon = false;
    std::optional<Text> taken;
    std::optional<Leg> leg;
    std::optional<Chit> chit;
    std::vector<std::optional<Text>> display, red, blue;
    std::optional<Edition::Chits> face_down; // those that nobody has seen
    std::vector<int> waiting, city, days, gold, travel_cards, event_cards, arrived, retired;
    std::vector<Texts> known;
    std::optional<Texts> hand;
    Decks decks;
    Piles piles;
    Hidden hidden;
    MSGPACK_DEFINE_MAP(seat, on_turn, phase, round, first, marker, marker_taken, waiting, travelling, home_before,
                       detective, supply, display, taken, balloon, legs, leg, chit, city, days, gold, travel_cards,
                       event_cards, known, arrived, retired, hand, red, blue, face_down, decks, piles, hidden)
};

} // namespace kosmos
