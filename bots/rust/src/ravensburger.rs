//! What `ravensburger` puts into messages (protocol.md 11).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::messages::Hidden;

/// The rules of a game, as `start` brings them (11.3).
#[derive(Debug, Serialize, Deserialize)]
pub struct Edition {
    pub name: String,
    pub parameters: Parameters,
    pub board: Board,
    pub cards: Cards,
    pub events: Vec<EventCard>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Parameters {
    pub goal_hand_limit: u32,
    pub backwards: bool,
    pub keep_events: bool,
    pub event_squares: bool,
    pub max_rounds: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Board {
    pub goal: i32,
    pub rose: Vec<i32>,
    pub stage: Vec<i32>,
    pub stage_names: Vec<String>,
    pub spyglass: Vec<i32>,
    pub handcuffs: Vec<i32>,
}

/// How often each card comes: by value for the travel cards.
#[derive(Debug, Serialize, Deserialize)]
pub struct Cards {
    pub coach: Vec<u32>,
    pub train: Vec<u32>,
    pub steamer: Vec<u32>,
    pub elephant: Vec<u32>,
    pub rose: u32,
    pub handcuffs: u32,
    pub purse: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct EventCard {
    pub card: String,
    pub effect: String,
    pub steps: i32,
    pub cards: u32,
    pub count: u32,
}

/// One thing that can be done (11.5).
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    Play {
        card: String,
        /// The square to which a travel card or purse leads.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        victim: Option<usize>,
    },
    Event,
    Draw {
        count: u32,
    },
    Exchange,
    End,
    /// To a mode.
    Rose {
        to: String,
    },
    Discard {
        card: String,
    },
    CarryOut,
    Keep,
    Leap,
    Stay,
    Retreat,
    Purse,
    /// An action of a later minor version (9).
    #[serde(other)]
    Unknown,
}

/// All that a seat may know (11.7). Lists go by seat.
#[derive(Debug, Serialize, Deserialize)]
pub struct View {
    pub seat: Option<usize>,
    pub on_turn: Option<usize>,
    pub phase: Option<Phase>,
    pub turn: Option<Turn>,
    pub round: u32,
    pub first: usize,
    pub rose: Option<String>,
    pub square: Vec<i32>,
    pub cards: Vec<u32>,
    pub kept: Vec<bool>,
    pub known: Vec<Vec<String>>,
    pub retired: Vec<usize>,
    pub hand: Option<Vec<String>>,
    pub event: Option<String>,
    pub drawn: Option<String>,
    pub decks: Decks,
    pub piles: Piles,
    /// By deck.
    pub hidden: BTreeMap<String, Hidden>,
}

/// What is being decided (11.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Setup,
    Turn,
    Further,
    Rose,
    Exchange,
    Event,
    LayOff,
    Leap,
    Defend,
    Over,
    #[serde(other)]
    Unknown,
}

/// How far the turn has come.
#[derive(Debug, Serialize, Deserialize)]
pub struct Turn {
    pub further: u32,
    pub stage: bool,
    pub leap: bool,
    pub waiting: bool,
    pub moved: bool,
    pub beyond: bool,
    pub kept_now: bool,
    pub orders: u32,
    pub pending: Vec<Vec<Value>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Decks {
    pub action: u32,
    pub event: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Piles {
    pub action: Vec<String>,
    pub event: Vec<String>,
}

/// How far a card goes: 4 for `"train-4"`. A special card is worth as much as a long one.
pub fn stride(card: &str) -> i32 {
    card.split_once('-')
        .and_then(|(_, steps)| steps.parse().ok())
        .unwrap_or(4)
}
