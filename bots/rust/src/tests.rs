//! The bot's own tests: it can be asked without any referee, and frames are in the golden vectors.

use std::fs;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::bot::decide;
use crate::client::{Answer, Next, Session, Table};
use crate::messages::{Decide, FromBot, FromReferee, Start};
use crate::{kosmos, ravensburger};

/// What the vectors of a file hold under this name.
fn sample(file: &str, name: &str) -> Option<Value> {
    let found = vectors(file)
        .into_iter()
        .find(|vector| vector["name"] == name)?;
    Some(found["json"].clone())
}

fn table(game: &str, edition: Value) -> Table {
    let start = json!({"game_id": "g", "game": game, "edition": edition, "seat": 1, "players": 2,
        "clock": null, "bot_seed": 1});
    Table {
        start: serde_json::from_value::<Start>(start).unwrap(),
        random: StdRng::seed_from_u64(1),
    }
}

fn question(view: Value, actions: Value) -> Decide {
    let asked = json!({"game_id": "g", "turn": 1, "events": [], "view": view, "actions": actions, "clock": null});
    serde_json::from_value(asked).unwrap()
}

/// What the bot chooses in a position of the vectors, or None if they are not there.
fn choice(game: &str, view: &str, actions: Value) -> Option<usize> {
    let mut table = table(game, sample(game, "edition-standard")?);
    Some(decide(&mut table, &question(sample(game, view)?, actions)).index)
}

#[test]
fn the_quickest_leg_is_travelled() {
    let leg = |days, die| json!({"do": "travel", "to": "Paris", "cards": [], "days": days, "die": die, "events": [], "uses": []});
    let actions = json!([{"do": "stay"}, leg(9, false), leg(6, true), leg(8, false), {"do": "fly", "days": 1}]);
    assert!(matches!(
        choice("kosmos", "view-travel", actions),
        None | Some(3)
    ));
}

#[test]
fn nobody_comes_home_late_where_that_loses() {
    let (Some(edition), Some(view)) = (
        sample("kosmos", "edition-standard"),
        sample("kosmos", "view-travel"),
    ) else {
        return;
    };
    let home = json!([{"do": "stay"}, {"do": "travel", "to": "London", "cards": [], "days": 6, "die": false,
        "events": [], "uses": []}]);
    for (days, loses, wanted) in [
        (json!([0, 75]), true, 0),
        (json!([0, 74]), true, 1),
        (json!([0, 75, 0]), true, 1),
        (json!([0, 75]), false, 1),
    ] {
        let (mut edition, mut view) = (edition.clone(), view.clone());
        edition["parameters"]["late_first_loses"] = json!(loses);
        view["days"] = days;
        let mut table = table("kosmos", edition);
        let asked = question(view, home.clone());
        assert_eq!(decide(&mut table, &asked).index, wanted);
    }
}

#[test]
fn the_longest_stride_is_taken() {
    let play = |to| json!({"do": "play", "card": "train-4", "to": to});
    let actions = json!([play(2), play(4), play(1), {"do": "draw", "count": 2}]);
    assert!(matches!(
        choice("ravensburger", "view-turn", actions),
        None | Some(1)
    ));
}

#[test]
fn in_another_game_any_action_may_be_chosen() {
    let mut table = table("another", json!({}));
    let asked = question(json!({}), json!([{}, {}, {}]));
    let mut chosen: Vec<usize> = (0..50).map(|_| decide(&mut table, &asked).index).collect();
    chosen.sort_unstable();
    chosen.dedup();
    assert_eq!(chosen, [0, 1, 2]);
}

#[test]
fn what_a_later_version_adds_is_passed_over() {
    let mut session = Session::default();
    let mut hear = |message: Value| {
        let frame = rmp_serde::to_vec_named(&message).unwrap();
        let last = |table: &mut Table, asked: &Decide| {
            assert_eq!(table.start.bot_seed, u64::MAX);
            Answer::from(asked.actions.len() - 1)
        };
        session.take(&frame, last).unwrap()
    };
    let start = json!({"type": "start", "game_id": "g", "game": "another", "edition": {}, "seat": 0, "players": 2,
        "clock": null, "bot_seed": u64::MAX, "more": 1});
    let asked = json!({"type": "decide", "game_id": "g", "turn": 1, "events": [{"event": "new"}], "view": {},
        "actions": [{}, {}], "clock": null, "more": 1});
    assert!(matches!(hear(start), Next::Wait));
    assert!(matches!(
        hear(json!({"type": "weather", "game_id": "g"})),
        Next::Wait
    ));
    assert!(
        matches!(hear(asked), Next::Say(act) if act.game_id == "g" && act.turn == 1 && act.index == 1)
    );
    assert!(matches!(hear(json!({"type": "bye"})), Next::Stop));
}

#[test]
fn golden_vectors() {
    for file in ["messages", "kosmos", "ravensburger"] {
        for vector in vectors(file) {
            let name = vector["name"].as_str().unwrap();
            let frame = unhex(vector["hex"].as_str().unwrap());
            let plain: Value = rmp_serde::from_slice(&frame).unwrap();
            assert_eq!(plain, vector["json"], "{file}: {name}");
            let kind = name.split('-').next().unwrap();
            let typed = match (file, kind, vector["from"].as_str().unwrap()) {
                ("messages", _, "bot") => again::<FromBot>(&frame),
                ("messages", _, _) => again::<FromReferee>(&frame),
                ("kosmos", "edition", _) => again::<kosmos::Edition>(&frame),
                ("kosmos", "view", _) => again::<kosmos::View>(&frame),
                ("kosmos", "action", _) => again::<kosmos::Action>(&frame),
                ("kosmos", "event", _) => again::<kosmos::Event>(&frame),
                ("ravensburger", "edition", _) => again::<ravensburger::Edition>(&frame),
                ("ravensburger", "view", _) => again::<ravensburger::View>(&frame),
                ("ravensburger", "action", _) => again::<ravensburger::Action>(&frame),
                ("ravensburger", "event", _) => again::<ravensburger::Event>(&frame),
                _ => unreachable!("{file}: {name}"),
            };
            match name {
                // What a later version adds is not kept, what has a default is added; a whole number becomes a float.
                "hello-least"
                | "hello-later-minor"
                | "act-later-minor"
                | "act-nulls"
                | "act-metrics-of-whole-numbers" => {
                    assert!(agree(&typed, &vector["json"]), "{file}: {name}: {typed}");
                }
                // Points may be fractions.
                _ if vector["json"]["type"] == "end" => {
                    assert!(agree(&typed, &vector["json"]), "{file}: {name}: {typed}");
                }
                _ => assert_eq!(typed, vector["json"], "{file}: {name}, through its type"),
            }
        }
    }
}

/// Whether two messages agree in all fields that both have.
fn agree(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => one
            .iter()
            .all(|(key, value)| other.get(key).is_none_or(|found| agree(value, found))),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| agree(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

#[test]
fn what_is_malformed_is_never_answered() {
    for vector in vectors("malformed") {
        let frame = unhex(vector["hex"].as_str().unwrap());
        let heard = Session::default().take(&frame, |_, _| unreachable!("the bot was asked"));
        assert!(!matches!(heard, Ok(Next::Say(_))), "{}", vector["name"]);
    }
}

/// Through its type and back over the wire.
fn again<T: Serialize + DeserializeOwned>(frame: &[u8]) -> Value {
    let typed: T = rmp_serde::from_slice(frame).unwrap();
    rmp_serde::from_slice(&rmp_serde::to_vec_named(&typed).unwrap()).unwrap()
}

/// The vectors of a file: they lie beside a bot made by `arena new`, and in the arena's own tests.
fn vectors(file: &str) -> Vec<Value> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = ["vectors", "../../docs/vectors"]
        .iter()
        .find_map(|folder| fs::read(here.join(folder).join(file).with_extension("json")).ok());
    match found {
        Some(text) => serde_json::from_slice(&text).unwrap(),
        None => {
            eprintln!(
                "skipped: neither vectors/{file}.json nor ../../docs/vectors/{file}.json is there"
            );
            Vec::new()
        }
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}
