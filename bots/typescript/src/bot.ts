/**
 * A bot to begin with: in `kosmos` it takes the cheapest next leg, in `ravensburger` the longest stride, and in a game
 * that it does not know anything at all. `decide` is the place to change.
 */
import type { Decision } from "./client.js";
import type * as kosmos from "./kosmos.js";
import type * as ravensburger from "./ravensburger.js";

type Kosmos = Decision<kosmos.Edition, kosmos.View, kosmos.Action, kosmos.Event>;
type Travel = Extract<kosmos.Action, { do: "travel" }>;
type Ravensburger = Decision<
  ravensburger.Edition,
  ravensburger.View,
  ravensburger.Action,
  ravensburger.Event
>;

/** The index of the action to play. */
export function decide(game: Decision): number {
  // The name of the game determines its types, which the compiler cannot know.
  switch (game.game) {
    case "kosmos":
      return playKosmos(game as Kosmos);
    case "ravensburger":
      return playRavensburger(game as Ravensburger);
    default:
      return game.random(game.actions.length);
  }
}

/** The index of the action with the highest worth, the first among equals; unknown actions are ignored. */
function best<Action>(actions: Action[], worth: (action: Action) => number | undefined): number {
  const worths = actions.map((action) => worth(action) ?? -Infinity);
  return worths.indexOf(Math.max(...worths));
}

// kosmos: looks at the next leg only, and waits for better cards only where coming home late would lose.

const DIE = 3.5; // what a roll adds on average
const HIGHEST_ROLL = 6;
const IN_TIME = 80; // days within which one should be home
const MISSING = 7; // estimated days of a card that we do not have yet
const PLACES: Record<string, number> = { event: 3, gold: 2, balloon: 1 };
const OFFERS: Record<string, number> = { event: 3, gold: 2, pass: 1 };

function playKosmos(game: Kosmos): number {
  const { actions, view } = game;
  const hand = view.hand ?? [];
  switch (view.phase) {
    case "take": // the card after which the next leg is cheapest; among equals the one on the better place
      return best(actions, (action) =>
        action.do === "take" && action.card !== undefined
          ? (PLACES[action.place] ?? 0) - 10 * legCost(game, [...hand, action.card])
          : undefined,
      );
    case "action":
      return best(actions, (action) => OFFERS[action.do]);
    case "travel":
      return best(actions, (action) =>
        action.do === "travel" && !isTooLate(game, action)
          ? -action.days - (action.die ? DIE : 0)
          : undefined,
      );
    case "reroll": // pay a gold for a new roll only if the roll was bad
      return (view.leg?.roll ?? 0) >= 5 ? 1 : 0;
    case "chit": // cards and gold are welcome
      return best(actions, (action) => (action.do === "accept" ? 1 : 0));
    case "escape": // anything rather than losing days
      return best(actions, (action) => (action.do === "escape" ? 1 : 0));
    case "limit": // the dearest card goes
      return best(actions, (action) =>
        action.do === "discard" && isTravelCard(action.card) ? days(action.card) : undefined,
      );
    default:
      return 0; // the first action of every list is the passive one
  }
}

/** Whether a leg may lead home late, and that would lose: of two players, who is home first. */
function isTooLate({ edition, view, seat }: Kosmos, leg: Travel): boolean {
  if (leg.to !== "London" || view.days.length !== 2 || !edition.parameters.late_first_loses)
    return false;
  return (view.days[seat] ?? 0) + leg.days + (leg.die ? HIGHEST_ROLL : 0) > IN_TIME;
}

/** Days for the next leg with these cards, missing ones included. */
function legCost(game: Kosmos, hand: string[]): number {
  const leg = game.edition.board.legs[game.view.city[game.seat]];
  return leg === "elephant" ? 0 : Math.min(...leg.map((option) => optionCost(option, hand)));
}

function optionCost(option: kosmos.Mode[], hand: string[]): number {
  const costs = (["train", "ship"] as const).map((mode) => {
    const need = option.filter((each) => each === mode).length;
    const have = hand.filter((card) => isTravelCard(card) && card[0] === mode[0]).map(days);
    const paying = Math.min(need, have.length);
    // Two equal cards of a kind count once, hence the set.
    const sums = combinations(have, paying).map((cards) => sum([...new Set(cards)]));
    return Math.min(...sums) + MISSING * (need - paying);
  });
  return sum(costs);
}

/** "t3" is a train of 3 days; longer names are event cards. */
const isTravelCard = (card: string): boolean => card.length === 2;
const days = (card: string): number => Number(card[1]);
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

function combinations<T>(items: T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

// ravensburger: goes as far as it can, now, and draws two cards when it can go nowhere.

const SPECIAL = 4; // a rose, a purse or handcuffs are worth as much as a long card

function playRavensburger({ actions, view, seat }: Ravensburger): number {
  switch (view.phase) {
    case "turn":
    case "further":
      return best(actions, (action) => stride(action, view.square[seat]));
    case "setup":
    case "rose": // where the longest card lies
      return best(actions, (action) =>
        action.do === "rose"
          ? Math.max(
              0,
              ...(view.hand ?? []).filter((card) => card.startsWith(action.to)).map(steps),
            )
          : undefined,
      );
    case "exchange":
    case "lay_off": // the shortest card
      return best(actions, (action) => (action.do === "discard" ? -steps(action.card) : undefined));
    default: // leap, carry out, defend: whatever keeps the pawn in front
      return best(actions, ({ do: kind }) => Number(["leap", "carry_out", "purse"].includes(kind)));
  }
}

/** The card that gets furthest, else one that may help the next, else two cards. */
function stride(action: ravensburger.Action, square: number): number {
  if (action.do === "draw") return action.count;
  if (action.do === "discard") return -steps(action.card); // too many cards for the last stretch
  if (action.do !== "play") return 0;
  if (action.to !== undefined) return action.to > square ? 10 + action.to : -1;
  return action.card === "rose" ? 5 : 3;
}

/** How far a card goes: "train-4" goes 4. */
const steps = (card: string): number => Number(card.split("-")[1] ?? SPECIAL);
