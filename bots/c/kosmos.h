// The data of the game `kosmos`: protocol.md 10 says what each field means. A field that an action does not have is
// missing (wire.h); a list or map inside a struct is read with the struct named beside it.

#ifndef KOSMOS_H
#define KOSMOS_H

#include "wire.h"

#define KOSMOS_EDITION(X, tag)                                                                                         \
    X(tag, TEXT, name, "name")                                                                                         \
    X(tag, ANY, parameters, "parameters")                                                                              \
    X(tag, ANY, board, "board")                                                                                        \
    X(tag, ANY, events, "events")                                                                                      \
    X(tag, ANY, chits, "chits")
STRUCT(kosmos_edition, KOSMOS_EDITION)

#define KOSMOS_PARAMETERS(X, tag)                                                                                      \
    X(tag, FLAG, chits_face_down, "chits_face_down")                                                                   \
    X(tag, TEXT, blue_chit, "blue_chit")                                                                               \
    X(tag, FLAG, refuse_chits, "refuse_chits")                                                                         \
    X(tag, FLAG, decline_chit_cards, "decline_chit_cards")                                                             \
    X(tag, TEXT, over_limit, "over_limit")                                                                             \
    X(tag, FLAG, india_events, "india_events")                                                                         \
    X(tag, TEXT, home_cards, "home_cards")                                                                             \
    X(tag, FLAG, late_first_loses, "late_first_loses")                                                                 \
    X(tag, FLAG, balloon_breaks_pairs, "balloon_breaks_pairs")                                                         \
    X(tag, NUMBER, inattention_days, "inattention_days")                                                               \
    X(tag, NUMBER, max_rounds, "max_rounds")
STRUCT(kosmos_parameters, KOSMOS_PARAMETERS)

// Each leg is "elephant", or a list of the ways to pay for it: lists of "train" and "ship".
#define KOSMOS_BOARD(X, tag)                                                                                           \
    X(tag, LIST, cities, "cities")                                                                                     \
    X(tag, LIST, legs, "legs")
STRUCT(kosmos_board, KOSMOS_BOARD)

// What is done is called `kind` here.
#define KOSMOS_ACTION(X, tag)                                                                                          \
    X(tag, TEXT, kind, "do")                                                                                           \
    X(tag, TEXT, place, "place")                                                                                       \
    X(tag, TEXT, card, "card")                                                                                         \
    X(tag, TEXT, by, "by")                                                                                             \
    X(tag, TEXT, to, "to")                                                                                             \
    X(tag, TEXT, deck, "deck")                                                                                         \
    X(tag, TEXT, colour, "colour")                                                                                     \
    X(tag, TEXT, chit, "chit")                                                                                         \
    X(tag, NUMBER, gold, "gold")                                                                                       \
    X(tag, NUMBER, days, "days")                                                                                       \
    X(tag, NUMBER, roll, "roll")                                                                                       \
    X(tag, FLAG, die, "die")                                                                                           \
    X(tag, LIST, cards, "cards")                                                                                       \
    X(tag, LIST, events, "events")                                                                                     \
    X(tag, LIST, places, "places")                                                                                     \
    X(tag, LIST, uses, "uses")
STRUCT(kosmos_action, KOSMOS_ACTION)

#define KOSMOS_USE(X, tag)                                                                                             \
    X(tag, TEXT, card, "card")                                                                                         \
    X(tag, TEXT, as, "as")                                                                                             \
    X(tag, TEXT, on, "on")
STRUCT(kosmos_use, KOSMOS_USE)

#define KOSMOS_VIEW(X, tag)                                                                                            \
    X(tag, NUMBER, seat, "seat")                                                                                       \
    X(tag, NUMBER, on_turn, "on_turn")                                                                                 \
    X(tag, TEXT, phase, "phase")                                                                                       \
    X(tag, NUMBER, round, "round")                                                                                     \
    X(tag, NUMBER, first, "first")                                                                                     \
    X(tag, NUMBER, marker, "marker")                                                                                   \
    X(tag, FLAG, marker_taken, "marker_taken")                                                                         \
    X(tag, LIST, waiting, "waiting")                                                                                   \
    X(tag, NUMBER, travelling, "travelling")                                                                           \
    X(tag, NUMBER, home_before, "home_before")                                                                         \
    X(tag, TEXT, detective, "detective")                                                                               \
    X(tag, NUMBER, supply, "supply")                                                                                   \
    X(tag, LIST, display, "display")                                                                                   \
    X(tag, TEXT, taken, "taken")                                                                                       \
    X(tag, FLAG, balloon, "balloon")                                                                                   \
    X(tag, NUMBER, legs, "legs")                                                                                       \
    X(tag, ANY, leg, "leg")                                                                                            \
    X(tag, ANY, chit, "chit")                                                                                          \
    X(tag, LIST, city, "city")                                                                                         \
    X(tag, LIST, days, "days")                                                                                         \
    X(tag, LIST, gold, "gold")                                                                                         \
    X(tag, LIST, travel_cards, "travel_cards")                                                                         \
    X(tag, LIST, event_cards, "event_cards")                                                                           \
    X(tag, LIST, known, "known")                                                                                       \
    X(tag, LIST, arrived, "arrived")                                                                                   \
    X(tag, LIST, retired, "retired")                                                                                   \
    X(tag, LIST, hand, "hand")                                                                                         \
    X(tag, LIST, red, "red")                                                                                           \
    X(tag, LIST, blue, "blue")                                                                                         \
    X(tag, ANY, face_down, "face_down")                                                                                \
    X(tag, ANY, decks, "decks")                                                                                        \
    X(tag, ANY, piles, "piles")                                                                                        \
    X(tag, ANY, hidden, "hidden")
STRUCT(kosmos_view, KOSMOS_VIEW)

#define KOSMOS_LEG(X, tag)                                                                                             \
    X(tag, NUMBER, days, "days")                                                                                       \
    X(tag, NUMBER, roll, "roll")
STRUCT(kosmos_leg, KOSMOS_LEG)

#define KOSMOS_CHIT(X, tag)                                                                                            \
    X(tag, TEXT, colour, "colour")                                                                                     \
    X(tag, TEXT, chit, "chit")
STRUCT(kosmos_chit, KOSMOS_CHIT)

// `decks` (numbers), `piles` (lists) and `hidden` (arena_hidden in messages.h) have one field a deck.
#define KOSMOS_BY_DECK(X, tag)                                                                                         \
    X(tag, ANY, travel, "travel")                                                                                      \
    X(tag, ANY, event, "event")
STRUCT(kosmos_by_deck, KOSMOS_BY_DECK)

#endif
