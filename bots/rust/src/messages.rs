//! The messages of the protocol (protocol.md 3 and 4). Fields that a later version adds are ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What this bot sends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    Hello(Hello),
    Act(Act),
}

/// Says who this bot is (3.1).
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Hello {
    pub protocol: [u32; 2],
    pub name: String,
    pub version: String,
    pub language: String,
    /// None: any.
    pub games: Vec<String>,
    pub parallel: u32,
    pub deterministic: bool,
}

/// Answers one `Decide` (3.2).
#[derive(Debug, Serialize, Deserialize)]
pub struct Act {
    pub game_id: String,
    pub turn: i32,
    /// Which of the `actions`, from 0.
    pub index: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<BTreeMap<String, f64>>,
}

/// What the referee sends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Heard {
    Welcome(Welcome),
    Start(Start),
    Decide(Decide),
    Fault(Fault),
    End(End),
    Bye,
    /// A message of a later minor version (9).
    #[serde(other)]
    Unknown,
}

/// Answers `Hello` (4.1).
#[derive(Debug, Serialize, Deserialize)]
pub struct Welcome {
    pub protocol: [u32; 2],
    pub limits: Limits,
}

/// In bytes, and strikes a game.
#[derive(Debug, Serialize, Deserialize)]
pub struct Limits {
    pub frame: u32,
    pub decide: u32,
    pub strikes: u32,
}

/// The time that is left, in milliseconds (5.2).
#[derive(Debug, Serialize, Deserialize)]
pub struct Clock {
    /// For each decision; what it leaves is not saved.
    #[serde(rename = "move")]
    pub per_move: u32,
    pub bank: u32,
}

/// A game begins, or is restated (4.2). What `edition` holds depends on `game`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Start {
    pub game_id: String,
    pub game: String,
    pub edition: Value,
    pub seat: usize,
    pub players: usize,
    /// None: no limit.
    pub clock: Option<Clock>,
    pub bot_seed: u64,
}

/// Asks for one of `actions` (4.3). What these, `events` and `view` hold depends on the game.
#[derive(Debug, Serialize, Deserialize)]
pub struct Decide {
    pub game_id: String,
    pub turn: i32,
    pub events: Vec<Value>,
    pub view: Value,
    pub actions: Vec<Value>,
    pub clock: Option<Clock>,
}

/// Says what was wrong (4.4). It must not be answered.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fault {
    pub game_id: Option<String>,
    pub turn: Option<i32>,
    pub code: String,
    pub text: String,
    pub strikes_left: Option<u32>,
}

/// A game is over (4.5), with ranks and scores by seat.
#[derive(Debug, Serialize, Deserialize)]
pub struct End {
    pub game_id: String,
    pub ending: String,
    pub ranks: Vec<u32>,
    pub scores: Vec<BTreeMap<String, i64>>,
}

/// What a view says of one deck (4.7). Cards are numbers.
#[derive(Debug, Serialize, Deserialize)]
pub struct Hidden {
    pub shuffle: u32,
    pub pools: BTreeMap<String, Vec<u32>>,
    pub drawn: Vec<Vec<u32>>,
    pub shown: Vec<Vec<usize>>,
    pub lacked: Vec<Vec<Lacked>>,
    pub yours: Vec<usize>,
}

/// A hand held none of these cards, after so many of its draws and of its shown cards.
#[derive(Debug, Serialize, Deserialize)]
pub struct Lacked(pub Vec<usize>, pub usize, pub usize);
