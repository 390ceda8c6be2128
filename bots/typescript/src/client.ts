/**
 * The connection to the referee: `run(about, decide)` plays until the referee sends bye.
 *
 * The messages are those of protocol.md, sections 3 and 4. Fields, events and messages that a later referee may add
 * are ignored. Nothing is ever written to standard output; the arena keeps what goes to standard error.
 */
import { decode, encode } from "@msgpack/msgpack";
import { Dealer } from "zeromq";
import type { Act, Clock, Decide, FromReferee, Hello, Start } from "./messages.js";

/** What a bot says of itself: its client adds the rest. */
export type About = Omit<Hello, "type" | "protocol">;

/** The question: choose one of `actions`, by index. Each game has its own edition, view, actions and events. */
export interface Decision<Edition = unknown, View = unknown, Action = unknown, Event = unknown> {
  game: string;
  edition: Edition;
  seat: number;
  players: number;
  turn: number;
  view: View;
  actions: Action[];
  /** What happened since this seat's last decision. */
  events: Event[];
  /** null: no limit. */
  clock: Clock | null;
  /** A whole number from 0 to below `limit`, from this game's `bot_seed`. */
  random: (limit: number) => number;
}

/** The index of an action, alone or with something for the record of the game, which nobody sees before its end. */
export type Choice = number | { index: number; note?: string; metrics?: Record<string, number> };

export type Decider = (decision: Decision) => Choice;

/** `bot_seed` has 64 bits, which a double has not: 64-bit numbers are read as bigint, all others as number. */
export const read = (frame: Uint8Array): unknown => decode(frame, { useBigInt64: true });

export const write = (message: object): Uint8Array =>
  encode(message, { useBigInt64: true, ignoreUndefined: true });

/** The open games, and the answers to the referee's messages. It uses no socket, so tests can ask it. */
export class Player {
  readonly #games = new Map<string, { start: Start; random: Decision["random"] }>();
  readonly #decide: Decider;

  constructor(decide: Decider) {
    this.#decide = decide;
  }

  /** An `act` to a `decide`; nothing else must be answered. */
  answer(message: FromReferee): Act | undefined {
    switch (message.type) {
      case "start": // also when the referee restates a game: everything in it begins afresh
        this.#games.set(message.game_id, { start: message, random: generator(message.bot_seed) });
        return undefined;
      case "decide":
        return this.#act(message);
      case "fault":
        console.error(
          `${message.code}: ${message.text} (strikes left: ${message.strikes_left ?? "-"})`,
        );
        return undefined;
      case "end":
        this.#games.delete(message.game_id);
        return undefined;
      default: // `welcome`, or a message of a later version
        return undefined;
    }
  }

  #act({ game_id, turn, view, actions, events, clock }: Decide): Act | undefined {
    const table = this.#games.get(game_id);
    if (table === undefined) return undefined;
    const { game, edition, seat, players } = table.start;
    const { random } = table;
    const decision = { game, edition, seat, players, turn, view, actions, events, clock, random };
    const choice = this.#decide(decision);
    const chosen = typeof choice === "number" ? { index: choice } : choice;
    return { type: "act", game_id, turn, ...chosen };
  }
}

/** SplitMix64. Math.random cannot be seeded, and a game played again must draw the same. */
export function generator(seed: number | bigint): Decision["random"] {
  let state = BigInt(seed);
  return (limit) => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return Number((mixed ^ (mixed >> 31n)) % BigInt(limit));
  };
}

/** Plays until `bye`. An exception in `decide` ends the process; the referee shows its trace with the crash. */
export async function run(about: About, decide: Decider): Promise<void> {
  const { ARENA_ENDPOINT: endpoint, ARENA_TOKEN: routingId } = process.env;
  if (endpoint === undefined || routingId === undefined) {
    console.error("This is a bot: the arena starts it. Watch it play:  arena match . .");
    console.error(
      "By hand: arena match wait:me .  and set ARENA_ENDPOINT and ARENA_TOKEN as it says.",
    );
    process.exit(2);
  }
  endWithParent();
  // The library repeats what a signal interrupts (EINTR). Linger: a last answer may take a second to leave.
  const socket = new Dealer({ routingId, linger: 1000 });
  socket.connect(endpoint);
  await socket.send(write({ type: "hello", protocol: [1, 0], ...about }));
  const player = new Player(decide);
  for await (const [frame] of socket) {
    const message = read(frame) as FromReferee;
    if (message.type === "bye") break;
    const act = player.answer(message);
    if (act !== undefined) await socket.send(write(act));
  }
  socket.close();
}

/** The process that started this bot may be killed at any time: a bot that waits for it would stay forever. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 1000).unref();
}
