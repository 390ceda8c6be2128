/** The bot's own tests: `decide` and `Player` can be asked without any referee. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { decide } from "./bot.js";
import { generator, Player, read, write, type Decision } from "./client.js";
import type { FromReferee } from "./messages.js";

const asked = (game: string, view: object, actions: object[], edition = {}): Decision => ({
  game,
  edition,
  seat: 0,
  players: 2,
  turn: 1,
  view,
  actions,
  events: [],
  clock: null,
  random: generator(1),
});

test("kosmos: the quickest leg is travelled, a roll reckoned at 3.5 days", () => {
  const legs = [
    { do: "stay" },
    { do: "travel", to: "Paris", days: 9, die: false },
    { do: "travel", to: "Paris", days: 6, die: true },
    { do: "travel", to: "Paris", days: 8, die: false },
  ];
  assert.equal(decide(asked("kosmos", { phase: "travel" }, legs)), 3);
});

test("kosmos: nobody comes home late where that loses: of two players, who is home first", () => {
  const actions = [{ do: "stay" }, { do: "travel", to: "London", days: 6, die: false }];
  const chosen = (days: number[], loses: boolean) =>
    decide(
      asked("kosmos", { phase: "travel", days }, actions, {
        parameters: { late_first_loses: loses },
      }),
    );
  assert.equal(chosen([75, 0], true), 0);
  assert.equal(chosen([74, 0], true), 1);
  assert.equal(chosen([75, 0, 0], true), 1);
  assert.equal(chosen([75, 0], false), 1);
});

test("kosmos: the card is taken that the next leg asks for; equal cards count once", () => {
  const edition = { board: { legs: [[["train", "train"]]] } };
  const cards = ["t2", "t3", "s8"].map((card) => ({ do: "take", place: "gold", card }));
  const view = { phase: "take", hand: ["t3", "balloon"], city: [0, 0] };
  assert.equal(decide(asked("kosmos", view, cards, edition)), 1);
});

test("ravensburger: the furthest card is played, and two cards are drawn when none goes on", () => {
  const view = { phase: "turn", square: [10, 0] };
  const back = { do: "play", card: "train-3", to: 7 };
  const draws = [1, 2].map((count) => ({ do: "draw", count }));
  const strides = [12, 15, 13].map((to) => ({ do: "play", card: `coach-${to - 10}`, to }));
  assert.equal(decide(asked("ravensburger", view, [...draws, back, ...strides])), 4);
  assert.equal(decide(asked("ravensburger", view, [back, ...draws])), 2);
});

test("a game that it does not know: anything, from the seed alone", () => {
  const choices = (random = generator(2n ** 64n - 1n)) =>
    Array.from({ length: 50 }, () => decide({ ...asked("go", {}, [{}, {}, {}]), random }));
  assert.deepEqual(new Set(choices()), new Set([0, 1, 2]));
  assert.deepEqual(choices(), choices());
});

// The golden vectors: frames, and what they mean. They lie here in a bot made by `arena new`, else in the project.

interface Vector {
  name: string;
  from: "bot" | "referee" | "data";
  hex: string;
  json: object;
}

const folder = ["../vectors/", "../../../docs/vectors/"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));
const skip =
  folder === undefined && "no golden vectors: neither vectors/ nor the project's docs/vectors/";

function vectors(): Vector[] {
  const files = readdirSync(folder ?? "").filter((file) => file.endsWith(".json"));
  for (const name of ["messages", "kosmos", "ravensburger"])
    assert.ok(files.includes(`${name}.json`));
  const entries = files.flatMap((file) => parse(readFileSync(`${folder ?? ""}${file}`, "utf8")));
  return entries.filter((entry) => "json" in entry); // those without are no messages
}

/** JSON.parse rounds numbers beyond 53 bits, so these are passed through it as texts. */
function parse(json: string): Vector[] {
  const quoted = json.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,\]}])/g, '"bigint $&"');
  return JSON.parse(quoted, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("bigint ") ? BigInt(value.slice(7)) : value,
  ) as Vector[];
}

/** A 64-bit number is read as a bigint, however small; it is compared as a number. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

test("every golden vector means what stands beside it", { skip }, () => {
  const all = vectors();
  for (const { name, hex, json } of all) {
    assert.deepEqual(plain(read(Buffer.from(hex, "hex"))), json, name);
    assert.deepEqual(plain(read(write(json))), json, `${name}, written and read again`);
  }
});

test("the worked session is answered: one act for each decide, nothing else", { skip }, () => {
  const session = vectors().filter(
    ({ name, from }) => name.startsWith("session-") && from === "referee",
  );
  const player = new Player((game) => game.actions.length - 1);
  for (const { name, hex } of session) {
    const message = read(Buffer.from(hex, "hex")) as FromReferee;
    const answer = player.answer(message);
    if (message.type !== "decide") {
      assert.equal(answer, undefined, name);
      continue;
    }
    const { game_id, turn, actions } = message;
    assert.deepEqual(answer, { type: "act", game_id, turn, index: actions.length - 1 }, name);
  }
});
