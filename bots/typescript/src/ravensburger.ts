/** What the messages of `ravensburger` hold: protocol.md. Cards are texts such as `train-4`, `rose`, `self_back_3`. */
import type { Decision, Hidden } from "./client.js";

export type Game = Decision<Edition, View, Action, Event>;

export type Mode = "coach" | "train" | "steamer" | "elephant";
export type Deck = "action" | "event";
export type Phase =
  | "setup"
  | "turn"
  | "further"
  | "rose"
  | "exchange"
  | "event"
  | "lay_off"
  | "leap"
  | "defend"
  | "over";

export interface Edition {
  name: string;
  parameters: {
    goal_hand_limit: number;
    backwards: boolean;
    keep_events: boolean;
    event_squares: boolean;
    max_rounds: number;
  };
  /** Squares by their numbers, from 0 (the start) to `goal`. */
  board: {
    goal: number;
    rose: number[];
    stage: number[];
    stage_names: string[];
    spyglass: number[];
    handcuffs: number[];
  };
  /** How many cards of the values 1 to 5 a mode has, and how many special ones there are. */
  cards: Record<Mode, number[]> & Record<"rose" | "handcuffs" | "purse", number>;
  events: EventCard[];
}

export interface EventCard {
  card: string;
  effect: "self" | "leader" | "others" | "draw" | "lay_off" | "rose";
  /** Below 0: back. */
  steps: number;
  cards: number;
  count: number;
}

export interface View {
  seat: number | null;
  on_turn: number | null;
  /** null for whoever does not decide. */
  phase: Phase | null;
  turn: Turn | null;
  round: number;
  first: number;
  /** The mode where the rose lies, null before it is laid. */
  rose: Mode | null;
  /** By seat, as `cards`, `kept` and `known`: where its pawn stands. */
  square: number[];
  cards: number[];
  kept: boolean[];
  known: string[][];
  retired: number[];
  hand: string[] | null;
  event: string | null;
  drawn: string | null;
  decks: Record<Deck, number>;
  piles: Record<Deck, string[]>;
  hidden: Record<Deck, Hidden>;
}

export interface Turn {
  further: number;
  stage: boolean;
  leap: boolean;
  waiting: boolean;
  moved: boolean;
  beyond: boolean;
  kept_now: boolean;
  orders: number;
  /** What is still to be done, the question asked last: a word and what goes with it. */
  pending: (string | number)[][];
}

export type Action =
  | { do: "play"; card: string; to?: number; victim?: number }
  | { do: "draw"; count: number }
  | { do: "discard"; card: string }
  | { do: "rose"; to: Mode }
  | { do: "event" | "exchange" | "end" | "leap" | "stay" }
  | { do: "retreat" | "purse" | "carry_out" | "keep" };

export type Event =
  | { event: "round"; round: number }
  | { event: "turn" | "exchange" | "purse" | "keep" | "retired" | "home"; seat: number }
  | { event: "rose"; seat: number; to: Mode }
  | { event: "play"; seat: number; card: string; to?: number; victim?: number }
  | { event: "move"; seat: number; from: number; to: number; by: string }
  | { event: "announce"; seat: number; count: number }
  | { event: "draw"; seat: number; deck: Deck }
  | { event: "drew"; seat: number; deck: Deck; card: string }
  | { event: "discard"; seat: number; card: string; why: "exchange" | "turn" | "order" }
  | { event: "leap"; seat: number; taken: boolean }
  | { event: "order"; seat: number; card: string; kept: boolean }
  | { event: "shuffle"; deck: Deck; cards: number }
  | { event: "over"; ranks: number[] };
