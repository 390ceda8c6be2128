//! A bot for the arena. It decides in `bot`; what it says and hears is in `messages`, and a module for each game.

mod bot;
mod client;
mod kosmos;
mod messages;
mod ravensburger;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

/// Cargo keeps the compiled code of several bots in one place; this distinguishes their folders.
const _: Option<&str> = option_env!("PWD");

// One thread is enough: a bot only answers.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let hello = messages::Hello {
        protocol: [1, 0],
        name: "rust-bot".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        language: "Rust".into(),
        parallel: 8,
        deterministic: true,
        ..Default::default()
    };
    match client::run(hello, bot::decide).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
