//! What `kosmos` puts into messages (protocol.md 10).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::messages::Hidden;

/// The rules of a game, as `start` brings them (10.3).
#[derive(Debug, Serialize, Deserialize)]
pub struct Edition {
    pub name: String,
    pub parameters: Parameters,
    pub board: Board,
    pub events: BTreeMap<String, u32>,
    pub chits: Chits,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Parameters {
    pub chits_face_down: bool,
    pub blue_chit: String,
    pub refuse_chits: bool,
    pub decline_chit_cards: bool,
    pub over_limit: String,
    pub india_events: bool,
    pub home_cards: String,
    pub late_first_loses: bool,
    pub balloon_breaks_pairs: bool,
    pub inattention_days: u32,
    pub max_rounds: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Board {
    pub cities: Vec<String>,
    pub legs: Vec<Leg>,
}

/// The ways to travel a leg.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Leg {
    /// Each the kinds of card that it asks for: `"train"` and `"ship"`.
    Cards(Vec<Vec<String>>),
    /// `"elephant"`: no cards at all.
    Special(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Chits {
    pub red: BTreeMap<String, u32>,
    pub blue: BTreeMap<String, u32>,
}

/// One thing that can be done (10.5).
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    Take {
        place: String,
        /// None: the top of the deck.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<String>,
    },
    Swap {
        by: String,
        places: Vec<String>,
    },
    Detective {
        by: String,
        to: String,
    },
    Sell {
        card: String,
        gold: i32,
    },
    Buy {
        deck: String,
        gold: i32,
    },
    Pass,
    Gold,
    Event,
    MoveDetective {
        to: String,
    },
    First,
    Exchange {
        cards: Vec<String>,
    },
    Stay,
    Travel {
        to: String,
        cards: Vec<String>,
        /// Before any roll.
        days: i32,
        /// Whether a roll is added.
        die: bool,
        events: Vec<String>,
        uses: Vec<Use>,
    },
    Keep {
        roll: i32,
    },
    Reroll {
        gold: i32,
    },
    Decline {
        chit: String,
        colour: String,
    },
    Accept {
        chit: String,
        colour: String,
    },
    Suffer {
        days: i32,
    },
    Escape {
        by: String,
    },
    Discard {
        card: String,
    },
    /// An action of a later minor version (9).
    #[serde(other)]
    Unknown,
}

/// What an event card, or the ride of the place `balloon`, does on a leg.
#[derive(Debug, Serialize, Deserialize)]
pub struct Use {
    pub card: String,
    #[serde(rename = "as")]
    pub effect: String,
    pub on: Option<String>,
}

/// All that a seat may know (10.7). Lists go by seat, by place or by city.
#[derive(Debug, Serialize, Deserialize)]
pub struct View {
    pub seat: Option<usize>,
    pub on_turn: Option<usize>,
    pub phase: Phase,
    pub round: u32,
    pub first: usize,
    pub marker: usize,
    pub marker_taken: bool,
    pub waiting: Vec<usize>,
    pub travelling: u32,
    pub home_before: u32,
    pub detective: String,
    pub supply: i32,
    pub display: Vec<Option<String>>,
    pub taken: Option<String>,
    pub balloon: bool,
    pub legs: u32,
    pub leg: Option<UnderWay>,
    pub chit: Option<Chit>,
    pub city: Vec<usize>,
    pub days: Vec<i32>,
    pub gold: Vec<i32>,
    pub travel_cards: Vec<u32>,
    pub event_cards: Vec<u32>,
    pub known: Vec<Vec<String>>,
    pub arrived: Vec<usize>,
    pub retired: Vec<usize>,
    pub hand: Option<Vec<String>>,
    pub red: Vec<Option<String>>,
    pub blue: Vec<Option<String>>,
    /// Those that nobody has seen, where chits lie face down at the start.
    pub face_down: Option<Chits>,
    pub decks: Decks,
    pub piles: Piles,
    /// By deck.
    pub hidden: BTreeMap<String, Hidden>,
}

/// What is being decided (10.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Take,
    Action,
    Travel,
    Reroll,
    Chit,
    Escape,
    Limit,
    Over,
    #[serde(other)]
    Unknown,
}

/// A leg whose roll may be repeated.
#[derive(Debug, Serialize, Deserialize)]
pub struct UnderWay {
    pub days: i32,
    pub roll: i32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Chit {
    pub colour: String,
    pub chit: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Decks {
    pub travel: u32,
    pub event: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Piles {
    pub travel: Vec<String>,
    pub event: Vec<String>,
}

/// 3 for `"t3"`, a train of 3 days; None for event cards, whose names are longer.
pub fn days(card: &str) -> Option<i32> {
    match card.as_bytes() {
        [_, digit @ b'0'..=b'9'] => Some(i32::from(digit - b'0')),
        _ => None,
    }
}
