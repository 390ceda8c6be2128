// The data of the game `ravensburger`: protocol.md 11 says what each field means. A field that an action does not have
// is missing (wire.h); a list or map inside a struct is read with the struct named beside it.

#ifndef RAVENSBURGER_H
#define RAVENSBURGER_H

#include "wire.h"

#define RAVENSBURGER_EDITION(X, tag)                                                                                   \
    X(tag, TEXT, name, "name")                                                                                         \
    X(tag, ANY, parameters, "parameters")                                                                              \
    X(tag, ANY, board, "board")                                                                                        \
    X(tag, ANY, cards, "cards")                                                                                        \
    X(tag, LIST, events, "events")
STRUCT(ravensburger_edition, RAVENSBURGER_EDITION)

#define RAVENSBURGER_PARAMETERS(X, tag)                                                                                \
    X(tag, NUMBER, goal_hand_limit, "goal_hand_limit")                                                                 \
    X(tag, FLAG, backwards, "backwards")                                                                               \
    X(tag, FLAG, keep_events, "keep_events")                                                                           \
    X(tag, FLAG, event_squares, "event_squares")                                                                       \
    X(tag, NUMBER, max_rounds, "max_rounds")
STRUCT(ravensburger_parameters, RAVENSBURGER_PARAMETERS)

#define RAVENSBURGER_BOARD(X, tag)                                                                                     \
    X(tag, NUMBER, goal, "goal")                                                                                       \
    X(tag, LIST, rose, "rose")                                                                                         \
    X(tag, LIST, stage, "stage")                                                                                       \
    X(tag, LIST, stage_names, "stage_names")                                                                           \
    X(tag, LIST, spyglass, "spyglass")                                                                                 \
    X(tag, LIST, handcuffs, "handcuffs")
STRUCT(ravensburger_board, RAVENSBURGER_BOARD)

#define RAVENSBURGER_CARDS(X, tag)                                                                                     \
    X(tag, LIST, coach, "coach")                                                                                       \
    X(tag, LIST, train, "train")                                                                                       \
    X(tag, LIST, steamer, "steamer")                                                                                   \
    X(tag, LIST, elephant, "elephant")                                                                                 \
    X(tag, NUMBER, rose, "rose")                                                                                       \
    X(tag, NUMBER, handcuffs, "handcuffs")                                                                             \
    X(tag, NUMBER, purse, "purse")
STRUCT(ravensburger_cards, RAVENSBURGER_CARDS)

// An entry of the edition's `events`.
#define RAVENSBURGER_EVENT_CARD(X, tag)                                                                                \
    X(tag, TEXT, card, "card")                                                                                         \
    X(tag, TEXT, effect, "effect")                                                                                     \
    X(tag, NUMBER, steps, "steps")                                                                                     \
    X(tag, NUMBER, cards, "cards")                                                                                     \
    X(tag, NUMBER, count, "count")
STRUCT(ravensburger_event_card, RAVENSBURGER_EVENT_CARD)

// What is done is called `kind` here. `to`: of a "play" a square, of a "rose" a mode.
#define RAVENSBURGER_ACTION(X, tag)                                                                                    \
    X(tag, TEXT, kind, "do")                                                                                           \
    X(tag, TEXT, card, "card")                                                                                         \
    X(tag, ANY, to, "to")                                                                                              \
    X(tag, NUMBER, victim, "victim")                                                                                   \
    X(tag, NUMBER, count, "count")
STRUCT(ravensburger_action, RAVENSBURGER_ACTION)

#define RAVENSBURGER_VIEW(X, tag)                                                                                      \
    X(tag, NUMBER, seat, "seat")                                                                                       \
    X(tag, NUMBER, on_turn, "on_turn")                                                                                 \
    X(tag, TEXT, phase, "phase")                                                                                       \
    X(tag, ANY, turn, "turn")                                                                                          \
    X(tag, NUMBER, round, "round")                                                                                     \
    X(tag, NUMBER, first, "first")                                                                                     \
    X(tag, TEXT, rose, "rose")                                                                                         \
    X(tag, LIST, square, "square")                                                                                     \
    X(tag, LIST, cards, "cards")                                                                                       \
    X(tag, LIST, kept, "kept")                                                                                         \
    X(tag, LIST, known, "known")                                                                                       \
    X(tag, LIST, retired, "retired")                                                                                   \
    X(tag, LIST, hand, "hand")                                                                                         \
    X(tag, TEXT, event, "event")                                                                                       \
    X(tag, TEXT, drawn, "drawn")                                                                                       \
    X(tag, ANY, decks, "decks")                                                                                        \
    X(tag, ANY, piles, "piles")                                                                                        \
    X(tag, ANY, hidden, "hidden")
STRUCT(ravensburger_view, RAVENSBURGER_VIEW)

#define RAVENSBURGER_TURN(X, tag)                                                                                      \
    X(tag, NUMBER, further, "further")                                                                                 \
    X(tag, FLAG, stage, "stage")                                                                                       \
    X(tag, FLAG, leap, "leap")                                                                                         \
    X(tag, FLAG, waiting, "waiting")                                                                                   \
    X(tag, FLAG, moved, "moved")                                                                                       \
    X(tag, FLAG, beyond, "beyond")                                                                                     \
    X(tag, FLAG, kept_now, "kept_now")                                                                                 \
    X(tag, NUMBER, orders, "orders")                                                                                   \
    X(tag, LIST, pending, "pending")
STRUCT(ravensburger_turn, RAVENSBURGER_TURN)

// `decks` (numbers), `piles` (lists) and `hidden` (arena_hidden in messages.h) have one field a deck.
#define RAVENSBURGER_BY_DECK(X, tag)                                                                                   \
    X(tag, ANY, action, "action")                                                                                      \
    X(tag, ANY, event, "event")
STRUCT(ravensburger_by_deck, RAVENSBURGER_BY_DECK)

#endif
