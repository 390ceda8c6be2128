//! A bot to begin with: it takes the fastest way on, and chooses at random where it knows no better.
//!
//! `decide` is called whenever the bot has to choose, and answers with the index of an action.

use rand::RngExt;

use crate::client::{Answer, Table, best, typed};
use crate::messages::Decide;
use crate::{kosmos, ravensburger};

const ROLL: i32 = 7; // twice the days that a die adds on average
const HIGHEST_ROLL: i32 = 6;
const IN_TIME: i32 = 80; // days within which one should be home
const MISSING: i32 = 7; // estimated days of a card that we do not have yet

/// Answers one question.
pub fn decide(table: &mut Table, asked: &Decide) -> Answer {
    let chosen = match table.start.game.as_str() {
        "kosmos" => typed(table, asked, kosmos_index),
        "ravensburger" => typed(table, asked, ravensburger_index),
        _ => Ok(table.random.random_range(0..asked.actions.len())),
    };
    let index = chosen.unwrap_or_else(|error| {
        // Any answer is better than none: a bot that ends loses the whole game.
        eprintln!("turn {} is not understood: {error}", asked.turn);
        0
    });
    Answer::from(index)
}

/// The card that makes the next leg cheapest, and the cheapest way to travel it, at once: it waits
/// only where coming home late would lose.
fn kosmos_index(
    seat: usize,
    edition: &kosmos::Edition,
    view: &kosmos::View,
    actions: &[kosmos::Action],
) -> usize {
    use kosmos::{Action, Phase};
    let hand = view.hand.as_deref().unwrap_or_default();
    match view.phase {
        Phase::Take => best(actions, |action| {
            let Action::Take {
                place,
                card: Some(card),
            } = action
            else {
                return i32::MIN;
            };
            let places = ["balloon", "gold", "event"]; // the best last
            let taste = places
                .iter()
                .position(|liked| liked == place)
                .map_or(0, |at| at as i32 + 1);
            let cards: Vec<&String> = hand.iter().chain([card]).collect();
            taste - 10 * leg_days(&edition.board.legs[view.city[seat]], &cards)
        }),
        Phase::Action | Phase::Chit | Phase::Escape => best(actions, |action| match action {
            Action::Event => 3,
            Action::Gold => 2,
            Action::Pass | Action::Accept { .. } | Action::Escape { .. } => 1,
            _ => 0,
        }),
        Phase::Travel => best(actions, |action| match action {
            Action::Travel { to, days, die, .. }
                if to == "London" && is_too_late(seat, edition, view, *days, *die) =>
            {
                i32::MIN
            }
            Action::Travel { days, die, .. } => -2 * days - if *die { ROLL } else { 0 },
            _ => i32::MIN,
        }),
        // Pay a gold for another roll only if this one was bad.
        Phase::Reroll => usize::from(matches!(actions[0], Action::Keep { roll: 5.. })),
        // Discard the most expensive travel card.
        Phase::Limit => best(actions, |action| match action {
            Action::Discard { card } => days(card).unwrap_or(0),
            _ => 0,
        }),
        Phase::Over | Phase::Unknown => 0, // the first action of every list changes the least
    }
}

/// Whether a leg home may end late, and that would lose: of two players, who is home first.
fn is_too_late(
    seat: usize,
    edition: &kosmos::Edition,
    view: &kosmos::View,
    days: i32,
    die: bool,
) -> bool {
    let most = days + if die { HIGHEST_ROLL } else { 0 };
    view.days.len() == 2 && edition.parameters.late_first_loses && view.days[seat] + most > IN_TIME
}

/// The days of a leg with these cards, missing ones included; the elephant's leg needs none.
fn leg_days(leg: &kosmos::LegOptions, cards: &[&String]) -> i32 {
    let kosmos::LegOptions::List(options) = leg else {
        return 0;
    };
    let option_days = |option: &Vec<String>| {
        let need = |kind| option.iter().filter(|asked| *asked == kind).count();
        kind_days(need("train"), 't', cards) + kind_days(need("ship"), 's', cards)
    };
    options.iter().map(option_days).min().unwrap_or(0)
}

fn kind_days(need: usize, kind: char, cards: &[&String]) -> i32 {
    let of_kind = cards.iter().filter(|card| card.starts_with(kind));
    let mut have: Vec<i32> = of_kind.filter_map(|card| days(card)).collect();
    have.sort_unstable();
    let paying = need.min(have.len());
    cheapest(&have, paying, 0) + MISSING * (need - paying) as i32
}

/// Pays with `count` of the cards, which are sorted: of two equal ones the second costs nothing.
fn cheapest(cards: &[i32], count: usize, last: i32) -> i32 {
    match cards {
        [first, rest @ ..] if count > 0 => {
            let price = if *first == last { 0 } else { *first };
            let with = price + cheapest(rest, count - 1, *first);
            if rest.len() < count {
                with
            } else {
                with.min(cheapest(rest, count, last))
            }
        }
        _ => 0,
    }
}

/// 3 for `"t3"`, a train of 3 days; None for event cards, whose names are longer.
fn days(card: &str) -> Option<i32> {
    match card.as_bytes() {
        [_, digit @ b'0'..=b'9'] => Some(i32::from(digit - b'0')),
        _ => None,
    }
}

/// The longest stride that is possible now, or two cards if there is none.
fn ravensburger_index(
    seat: usize,
    _: &ravensburger::Edition,
    view: &ravensburger::View,
    actions: &[ravensburger::Action],
) -> usize {
    use ravensburger::{Action, Phase};
    let hand = view.hand.as_deref().unwrap_or_default();
    match view.phase {
        Some(Phase::Turn | Phase::Further) => best(actions, |action| match action {
            // Backwards only if there is nothing else.
            Action::Play { to: Some(to), .. } => 10 * (to - view.square[seat]),
            Action::Play { card, .. } if card == "rose" => 5,
            Action::Play { .. } => 3,
            Action::Draw { count } => *count,
            _ => 0,
        }),
        // Where the longest card lies.
        Some(Phase::Setup | Phase::Rose) => best(actions, |action| match action {
            Action::Rose { to } => hand
                .iter()
                .filter(|card| card.starts_with(to.as_str()))
                .map(|card| stride(card))
                .max(),
            _ => None,
        }),
        // Discard the shortest card.
        Some(Phase::Exchange | Phase::LayOff) => best(actions, |action| match action {
            Action::Discard { card } => -stride(card),
            _ => i32::MIN,
        }),
        // Whatever keeps the pawn in front.
        _ => best(actions, |action| {
            matches!(action, Action::Leap | Action::CarryOut | Action::Purse)
        }),
    }
}

/// How far a card goes: 4 for `"train-4"`. A special card is worth as much as a long one.
fn stride(card: &str) -> i32 {
    card.split_once('-')
        .and_then(|(_, steps)| steps.parse().ok())
        .unwrap_or(4)
}
