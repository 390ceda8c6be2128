//! The connection to the referee: protocol.md, version 1.0. It knows no game.

use std::collections::{BTreeMap, HashMap};
use std::env;
use std::error::Error;
use std::os::unix::process::parent_id;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use zeromq::{DealerSocket, Socket, SocketOptions, SocketRecv, SocketSend, util::PeerIdentity};

use crate::messages::{Act, Decide, FromBot, FromReferee, Hello, Start};

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How often a bot that receives nothing checks that the process that started it is still alive.
const LOOK_UP: Duration = Duration::from_secs(1);

/// One game that this bot plays.
pub struct Table {
    pub start: Start,
    /// The only randomness of a bot that can be replayed.
    pub random: StdRng,
}

/// The chosen action, and what is added to the record of the game.
#[derive(Debug, Default)]
pub struct Answer {
    pub index: usize,
    pub note: Option<String>,
    pub metrics: Option<BTreeMap<String, f64>>,
}

impl From<usize> for Answer {
    fn from(index: usize) -> Self {
        Self {
            index,
            ..Self::default()
        }
    }
}

/// Converts what was sent to the types of its game, and asks that game's chooser, which also gets its seat.
pub fn typed<E, V, A>(
    table: &Table,
    asked: &Decide,
    choose: fn(usize, &E, &V, &[A]) -> usize,
) -> Result<usize>
where
    E: DeserializeOwned,
    V: DeserializeOwned,
    A: DeserializeOwned,
{
    let edition = E::deserialize(&table.start.edition)?;
    let view = V::deserialize(&asked.view)?;
    let actions = asked
        .actions
        .iter()
        .map(A::deserialize)
        .collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(choose(table.start.seat, &edition, &view, &actions))
}

/// The index of the action with the highest worth, the first among equals.
pub fn best<A, W: Ord>(actions: &[A], worth: impl Fn(&A) -> W) -> usize {
    (0..actions.len())
        .rev()
        .max_by_key(|&index| worth(&actions[index]))
        .unwrap_or(0)
}

/// Plays until the referee sends bye or the process that started this one is gone.
pub async fn run(
    hello: Hello,
    mut decide: impl FnMut(&mut Table, &Decide) -> Answer,
) -> Result<()> {
    let parent = parent_id();
    let (Ok(endpoint), Ok(token)) = (env::var("ARENA_ENDPOINT"), env::var("ARENA_TOKEN")) else {
        return Err("ARENA_ENDPOINT and ARENA_TOKEN are not set: the arena starts bots, try `arena match . .`".into());
    };
    let mut options = SocketOptions::default();
    options.peer_identity(PeerIdentity::try_from(token.into_bytes())?);
    let mut socket = DealerSocket::with_options(options);
    socket.connect(&endpoint).await?;
    send(&mut socket, &FromBot::Hello(hello)).await?;

    let mut session = Session::default();
    loop {
        // A timeout loses nothing: an incomplete message is waited for again.
        let Ok(message) = timeout(LOOK_UP, socket.recv()).await else {
            if parent_id() != parent {
                return Err("whoever started this bot is gone".into());
            }
            continue;
        };
        let frame = message?.into_vec().concat();
        match session.take(&frame, &mut decide)? {
            Next::Say(act) => send(&mut socket, &FromBot::Act(act)).await?,
            Next::Wait => {}
            Next::Stop => return Ok(()),
        }
    }
}

async fn send(socket: &mut DealerSocket, message: &FromBot) -> Result<()> {
    // Structures must be sent as maps.
    Ok(socket
        .send(rmp_serde::to_vec_named(message)?.into())
        .await?)
}

/// What to do after a message.
#[derive(Debug)]
pub enum Next {
    Say(Act),
    Wait,
    Stop,
}

/// The games that are being played.
#[derive(Default)]
pub struct Session {
    tables: HashMap<String, Table>,
}

impl Session {
    /// Handles one message of the referee.
    pub fn take(
        &mut self,
        frame: &[u8],
        mut decide: impl FnMut(&mut Table, &Decide) -> Answer,
    ) -> Result<Next> {
        match rmp_serde::from_slice(frame)? {
            FromReferee::Start(start) => {
                let random = StdRng::seed_from_u64(start.bot_seed);
                // A game that starts again replaces what was known of it.
                self.tables
                    .insert(start.game_id.clone(), Table { start, random });
            }
            FromReferee::Decide(asked) => {
                let table = self
                    .tables
                    .get_mut(&asked.game_id)
                    .ok_or("asked in a game that has not begun")?;
                let Answer {
                    index,
                    note,
                    metrics,
                } = decide(table, &asked);
                let index = i64::try_from(index)?;
                return Ok(Next::Say(Act {
                    game_id: asked.game_id,
                    turn: asked.turn,
                    index,
                    note,
                    metrics,
                }));
            }
            FromReferee::Fault(fault) => eprintln!("fault: {}: {}", fault.code, fault.text),
            FromReferee::End(end) => drop(self.tables.remove(&end.game_id)),
            FromReferee::Bye => return Ok(Next::Stop),
            FromReferee::Welcome(_) | FromReferee::Unknown => {}
        }
        Ok(Next::Wait)
    }
}
