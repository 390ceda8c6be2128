/** What the messages of `kosmos` hold: protocol.md, section 10. Cards, cities and places are texts (10.2). */
import type { Decision, Hidden } from "./client.js";

export type Game = Decision<Edition, View, Action, Event>;

export type Mode = "train" | "ship";
export type Deck = "travel" | "event";
export type Colour = "red" | "blue";
export type Chit = "gold" | "travel" | "event" | "delay";
export type Phase = "take" | "action" | "travel" | "reroll" | "chit" | "escape" | "limit" | "over";

export interface Edition {
  name: string;
  parameters: {
    chits_face_down: boolean;
    blue_chit: "last" | "second";
    refuse_chits: boolean;
    decline_chit_cards: boolean;
    over_limit: "choose" | "blind";
    india_events: boolean;
    home_cards: "top" | "bottom";
    late_first_loses: boolean;
    balloon_breaks_pairs: boolean;
    inattention_days: number;
    max_rounds: number;
  };
  board: {
    cities: string[];
    /** By leg: the ways to travel it, each the cards that it asks for. */
    legs: ("elephant" | Mode[][])[];
  };
  /** By event card: how often it is in the deck. */
  events: Record<string, number>;
  chits: Record<Colour, Record<Chit, number>>;
}

export interface View {
  seat: number | null;
  on_turn: number | null;
  phase: Phase;
  round: number;
  first: number;
  marker: number;
  marker_taken: boolean;
  waiting: number[];
  travelling: number;
  home_before: number;
  detective: string;
  supply: number;
  /** By place: the open card. */
  display: (string | null)[];
  taken: string | null;
  balloon: boolean;
  legs: number;
  leg: { days: number; roll: number } | null;
  chit: { colour: Colour; chit: Chit } | null;
  /** By seat, as all lists down to `known`. */
  city: number[];
  days: number[];
  gold: number[];
  travel_cards: number[];
  event_cards: number[];
  known: string[][];
  arrived: number[];
  retired: number[];
  hand: string[] | null;
  /** By city: the chits lying there. */
  red: (Chit | "face_down" | null)[];
  blue: (Chit | "face_down" | null)[];
  /** The chits that nobody has seen, where they lie face down at the start. */
  face_down: Record<Colour, Record<Chit, number>> | null;
  decks: Record<Deck, number>;
  piles: Record<Deck, string[]>;
  hidden: Record<Deck, Hidden>;
}

/** An event card that a leg uses, or (`"action"`) the ride of the place `balloon`. */
export interface Use {
  card: string;
  as: string;
  on: string | null;
}

export interface Travel {
  to: string;
  cards: string[];
  days: number;
  die: boolean;
  events: string[];
  uses: Use[];
}

export type Action =
  | { do: "take"; place: string; card?: string }
  | { do: "swap"; by: string; places: [string, string] }
  | { do: "detective"; by: string; to: string }
  | { do: "sell"; card: string; gold: number }
  | { do: "buy"; deck: Deck; gold: number }
  | { do: "pass" | "gold" | "event" | "first" | "stay" }
  | { do: "move_detective"; to: string }
  | { do: "exchange"; cards: string[] }
  | ({ do: "travel" } & Travel)
  | { do: "keep"; roll: number }
  | { do: "reroll"; gold: number }
  | { do: "decline" | "accept"; chit: Chit; colour: Colour }
  | { do: "suffer"; days: number }
  | { do: "escape"; by: string }
  | { do: "discard"; card: string };

export type Event =
  | { event: "round"; round: number; first: number; display: (string | null)[] }
  | { event: "lose"; seat: number; days: number; why: string }
  | { event: "take"; seat: number; place: string; card: string | null }
  | { event: "draw"; seat: number; deck: Deck }
  | { event: "drew" | "grey"; seat: number; card: string }
  | { event: "gold"; seat: number; gold: number; why: string }
  | { event: "detective"; seat: number; to: string; by: string }
  | { event: "marker"; seat: number; why: string }
  | { event: "exchange" | "lay_off"; seat: number; cards: string[] }
  | { event: "swap"; seat: number; by: string; places: [string, string]; cards: [string, string] }
  | ({ event: "travel"; seat: number } & Travel)
  | { event: "roll"; seat: number; roll: number }
  | { event: "reroll" | "retired"; seat: number }
  | { event: "arrive"; seat: number; city: string; progress: number; days: number }
  | { event: "turn_over"; city: string; red?: Chit; blue?: Chit }
  | { event: "chit"; seat: number; city: string; colour: Colour; chit: Chit; taken: boolean }
  | { event: "escape"; seat: number; by: string }
  | { event: "discard"; seat: number; card: string; why: string }
  | { event: "home"; seat: number; place: number; days: number }
  | { event: "clear"; cards: string[] }
  | { event: "shuffle"; deck: Deck; cards: number }
  | { event: "over"; ranks: number[] };
