// The decisions: for each game a function that rates an action. The action with the highest worth is played.

#include "bot.h"

#include <string.h>

#include "kosmos.h"
#include "ravensburger.h"

enum { MISSING = 7, DEAREST = 99, MOST_DAYS = 10, IN_TIME = 80, HIGHEST_ROLL = 6 };

// kosmos: takes the cheapest next leg, now. It never waits for better cards, except where coming home late would lose.
struct kosmos_position {
    msgpack_object_array hand, options; // the options: the ways to pay for the next leg
    int64_t left;                       // how many days the last leg may take
};

// How many days a travel card takes, "t3" is a train of 3; 0 for event cards, whose names are longer.
static int days_of(msgpack_object_str card) {
    const int days = card.size == 2 ? card.ptr[1] - '0' : 0;
    return days > 0 && days < MOST_DAYS ? days : 0;
}

static bool is_ship(msgpack_object_str kind) { return kind.size > 0 && kind.ptr[0] == 's'; }

// Days for one way to pay for the leg with the hand and one more card, missing cards included.
static int option_cost(const msgpack_object *option, msgpack_object_array hand, msgpack_object_str more) {
    int have[2][MOST_DAYS] = {{0}}; // trains and ships, by days
    int cost = 0, last[2] = {0};
    have[is_ship(more)][days_of(more)] = 1;
    for (uint32_t index = 0; index < hand.size; ++index) {
        have[is_ship(text_of(&hand.ptr[index]))][days_of(text_of(&hand.ptr[index]))] += 1;
    }
    for (uint32_t index = 0; index < list_of(option).size; ++index) {
        const bool ship = is_ship(text_of(&list_of(option).ptr[index]));
        int days = 1;
        while (days < MOST_DAYS && have[ship][days] == 0) {
            ++days;
        }
        if (days == MOST_DAYS) {
            cost += MISSING;
        } else {
            cost += days == last[ship] ? 0 : days; // two equal cards count once
            have[ship][days] -= 1;
            last[ship] = days;
        }
    }
    return cost;
}

static int leg_cost(const struct kosmos_position *position, msgpack_object_str card) {
    int cheapest = DEAREST; // the same for every card if the leg needs none
    for (uint32_t index = 0; index < position->options.size; ++index) {
        const int cost = option_cost(&position->options.ptr[index], position->hand, card);
        cheapest = cost < cheapest ? cost : cheapest;
    }
    return cheapest;
}

static double kosmos_worth(const msgpack_object *object, const void *of) {
    static const char *const welcome[] = {"accept", "escape", "event", "gold", "reroll", NULL};
    static const char *const passive[] = {"decline", "pass", "stay", "suffer", NULL};
    struct kosmos_action action;
    read_kosmos_action(object, &action);
    if (text_is(action.kind, "travel")) {
        const struct kosmos_position *position = of;
        const int64_t longest = action.days + (action.die ? HIGHEST_ROLL : 0);
        if (text_is(action.to, "London") && longest > position->left) {
            return NEVER;
        }
        return 100 - (double)action.days - (action.die ? 3.5 : 0); // what a roll adds on average
    }
    if (text_is(action.kind, "keep")) { // pay a gold for a new roll only if the roll was bad
        return action.roll < 5 ? 3 : 1;
    }
    if (text_is(action.kind, "discard")) { // too many cards: discard the most expensive
        return days_of(action.card);
    }
    if (text_is(action.kind, "take") && days_of(action.card) > 0) { // among equals the one on the better place
        const int place = text_is(action.place, "event") ? 2 : text_is(action.place, "gold") ? 1 : 0;
        return place - 10 * leg_cost(of, action.card);
    }
    return text_among(action.kind, welcome) ? 2 : text_among(action.kind, passive) ? 1 : NEVER;
}

static int64_t kosmos(const struct arena_start *start, const struct arena_decide *decision) {
    struct kosmos_edition edition;
    struct kosmos_parameters parameters;
    struct kosmos_board board;
    struct kosmos_view view;
    read_kosmos_edition(start->edition, &edition);
    read_kosmos_parameters(edition.parameters, &parameters);
    read_kosmos_board(edition.board, &board);
    read_kosmos_view(decision->view, &view);
    const int64_t progress = number_of(entry(view.city, start->seat));
    const bool late_loses = view.days.size == 2 && parameters.late_first_loses; // of two, who is home first
    const int64_t left = late_loses ? IN_TIME - number_of(entry(view.days, start->seat)) : INT64_MAX;
    const struct kosmos_position position = {view.hand, list_of(entry(board.legs, progress)), left};
    return best_of(decision->actions, kosmos_worth, &position);
}

// ravensburger: takes the longest stride it can, now, and draws two cards when it can take none.
struct ravensburger_position {
    msgpack_object_array hand;
    int64_t square; // where the own pawn stands
};

// How far a card goes: "train-4" goes 4. A special card is worth as much as a long one.
static int length_of(msgpack_object_str card) {
    return memchr(card.ptr, '-', card.size) != NULL ? card.ptr[card.size - 1] - '0' : 4;
}

// The longest card of that mode in the hand.
static int longest(msgpack_object_array hand, msgpack_object_str mode) {
    int length = 0;
    for (uint32_t index = 0; index < hand.size; ++index) {
        const msgpack_object_str card = text_of(&hand.ptr[index]);
        const bool fits = card.size > mode.size && memcmp(card.ptr, mode.ptr, mode.size) == 0;
        length = fits && length_of(card) > length ? length_of(card) : length;
    }
    return length;
}

static double ravensburger_worth(const msgpack_object *object, const void *of) {
    static const char *const eager[] = {"leap", "carry_out", "purse", NULL};
    static const char *const passive[] = {"stay", "keep", "retreat", "end", "event", "exchange", NULL};
    const struct ravensburger_position *position = of;
    struct ravensburger_action action;
    read_ravensburger_action(object, &action);
    const int64_t square = number_of(action.to);
    if (text_is(action.kind, "play")) {
        const int special = text_is(action.card, "rose") ? 5 : 3;
        return square < 0 ? special : square > position->square ? 10 + (double)square : -1; // never backwards
    }
    if (text_is(action.kind, "draw")) {
        return (double)action.count;
    }
    if (text_is(action.kind, "rose")) { // where the longest card lies
        return longest(position->hand, text_of(action.to));
    }
    if (text_is(action.kind, "discard")) { // the shortest
        return -length_of(action.card);
    }
    return text_among(action.kind, eager) ? 1 : text_among(action.kind, passive) ? 0 : NEVER;
}

static int64_t ravensburger(const struct arena_start *start, const struct arena_decide *decision) {
    struct ravensburger_view view;
    read_ravensburger_view(decision->view, &view);
    const struct ravensburger_position position = {view.hand, number_of(entry(view.square, start->seat))};
    return best_of(decision->actions, ravensburger_worth, &position);
}

struct arena_act decide(struct arena_game *game, const struct arena_decide *decision) {
    struct arena_act act = {0};
    if (text_is(game->start.game, "kosmos")) {
        act.index = kosmos(&game->start, decision);
    } else if (text_is(game->start.game, "ravensburger")) {
        act.index = ravensburger(&game->start, decision);
    } else { // a game that this bot does not know
        act.index = (int64_t)arena_random(game, decision->actions.size);
    }
    return act;
}
