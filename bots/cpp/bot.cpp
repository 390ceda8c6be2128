// The decisions: one class for each game. `decide` gets what the seat may know and the legal actions, and chooses one
// of these by its index.

#include "bot.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "kosmos.hpp"
#include "ravensburger.hpp"

namespace {

constexpr double NEVER = -std::numeric_limits<double>::infinity();

using Texts = std::vector<std::string>;

// The index of the action with the highest worth, the first among equals.
template <class Action, class Worth> std::size_t best(const std::vector<Action> &actions, Worth worth) {
    std::vector<double> worths;
    std::ranges::transform(actions, std::back_inserter(worths), worth);
    return static_cast<std::size_t>(std::ranges::max_element(worths) - worths.begin());
}

// Takes the cheapest next leg, now. It never waits for better cards, except where coming home late would lose.
class Kosmos : public arena::Player {
  public:
    explicit Kosmos(const arena::Start &start) : edition_(start.edition.as<kosmos::Edition>()), seat_(start.seat) {}

    arena::Choice decide(const arena::Decide &decision) override {
        const auto view = decision.view.as<kosmos::View>();
        return {best(arena::actions_as<kosmos::Action>(decision.actions),
                     [&](const auto &action) { return worth(action, view); })};
    }

  private:
    static constexpr double DIE = 3.5; // what a roll adds on average
    static constexpr int MISSING = 7;  // estimated days of a card that we do not have yet
    static constexpr int DEAREST = 99;
    static constexpr int IN_TIME = 80;
    static constexpr int HIGHEST_ROLL = 6;

    static bool is_travel_card(const std::string &card) { return card.size() == 2; } // "t3" is a train of 3 days
    static int days_of(const std::string &card) { return card[1] - '0'; }

    // The worth of an action compared with the others of its phase.
    double worth(const kosmos::Action &action, const kosmos::View &view) const {
        static const std::set<std::string> welcome = {"accept", "escape", "event", "gold", "reroll"};
        static const std::set<std::string> passive = {"decline", "pass", "stay", "suffer"};
        if (action.kind == "travel") {
            if (is_too_late(action, view)) {
                return NEVER;
            }
            return 100.0 - action.days - (action.die ? DIE : 0);
        }
        if (action.kind == "keep") { // pay a gold for a new roll only if the roll was bad
            return action.roll < 5 ? 3 : 1;
        }
        if (action.kind == "discard") { // too many cards: discard the most expensive
            return is_travel_card(action.card) ? days_of(action.card) : 0;
        }
        if (action.kind == "take" && is_travel_card(action.card)) { // among equals the one on the better place
            return (action.place == "event" ? 2 : action.place == "gold" ? 1 : 0) - 10 * leg_cost(view, action.card);
        }
        return welcome.contains(action.kind) ? 2 : passive.contains(action.kind) ? 1 : NEVER;
    }

    // Whether this leg may lead home late, and that would lose: of two players, who is home first.
    bool is_too_late(const kosmos::Action &action, const kosmos::View &view) const {
        return action.to == "London" && view.days.size() == 2 && edition_.parameters.late_first_loses &&
               view.days.at(seat_) + action.days + (action.die ? HIGHEST_ROLL : 0) > IN_TIME;
    }

    // Days for the next leg with the hand and this card, missing cards included.
    int leg_cost(const kosmos::View &view, const std::string &card) const {
        auto hand = view.hand.value_or(Texts());
        hand.push_back(card);
        std::ranges::sort(hand);
        int cheapest = DEAREST;
        for (const auto &option : edition_.board.legs.at(view.city.at(seat_)).list) {
            cheapest = std::min(cheapest, option_cost(option, hand));
        }
        return cheapest; // the same for every card if the leg needs none
    }

    static int option_cost(const Texts &option, Texts hand) {
        int cost = 0;
        std::string last;
        for (const auto &kind : option) {
            const auto fits = [&](const auto &card) { return is_travel_card(card) && card[0] == kind[0]; };
            const auto card = std::ranges::find_if(hand, fits);
            if (card == hand.end()) {
                cost += MISSING;
            } else {
                cost += *card == last ? 0 : days_of(*card); // two equal cards count once
                last = *card;
                hand.erase(card);
            }
        }
        return cost;
    }

    kosmos::Edition edition_;
    std::size_t seat_;
};

// Takes the longest stride it can, now, and draws two cards when it can take none.
class Ravensburger : public arena::Player {
  public:
    explicit Ravensburger(const arena::Start &start) : seat_(start.seat) {}

    arena::Choice decide(const arena::Decide &decision) override {
        const auto view = decision.view.as<ravensburger::View>();
        return {best(arena::actions_as<ravensburger::Action>(decision.actions),
                     [&](const auto &action) { return worth(action, view); })};
    }

  private:
    double worth(const ravensburger::Action &action, const ravensburger::View &view) const {
        static const std::set<std::string> eager = {"leap", "carry_out", "purse"};
        static const std::set<std::string> passive = {"stay", "keep", "retreat", "end", "event", "exchange"};
        if (action.kind == "play") {
            const int square = action.to ? action.to->number : -1;
            const int special = action.card == "rose" ? 5 : 3;
            return square < 0 ? special : square > view.square.at(seat_) ? 10.0 + square : -1; // never backwards
        }
        if (action.kind == "rose" && action.to) { // where the longest card lies
            int longest = 0;
            for (const auto &card : view.hand.value_or(Texts())) {
                longest = card.starts_with(action.to->text + '-') ? std::max(longest, length(card)) : longest;
            }
            return longest;
        }
        if (action.kind == "discard") { // the shortest
            return -length(action.card);
        }
        if (action.kind == "draw") {
            return action.count;
        }
        return eager.contains(action.kind) ? 1 : passive.contains(action.kind) ? 0 : NEVER;
    }

    // How far a card goes: "train-4" goes 4. A special card is worth as much as a long one.
    static int length(const std::string &card) { return card.find('-') < card.size() ? card.back() - '0' : 4; }

    std::size_t seat_;
};

} // namespace

std::unique_ptr<arena::Player> make_player(const arena::Start &start) {
    if (start.game == "kosmos") {
        return std::make_unique<Kosmos>(start);
    }
    if (start.game == "ravensburger") {
        return std::make_unique<Ravensburger>(start);
    }
    return std::make_unique<arena::RandomPlayer>(start);
}
