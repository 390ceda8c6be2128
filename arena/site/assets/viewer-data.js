// The data of a replay: files loaded on demand by script tags (a page opened from a disk may not fetch), and the game at
// any of its steps. A position is the number of public steps done: 0 is the start, `last` the end.
"use strict";
window.arenaViewer = (function () {
  const GAME = /^[A-Za-z0-9_-]{1,80}$/; // ids that can be the name of a folder and part of an address
  const NAME = 40; // characters of a bot's name
  const TEXT = 4000; // characters of anything else
  const UNPRINTABLE = /[\p{C}\u2028\u2029]/u;
  const cached = new Map(); // by file: the promise of its data
  const waiting = new Map(); // by file: the function to call with its data

  window.arenaData = function (kind, data) {
    const files = { public: () => `${data.id}/public`, seat: () => `${data.id}/seat-${data.seat}`, list: () => `list-${data.number}` };
    const file = Object.hasOwn(files, kind) ? files[kind]() : kind;
    const found = waiting.get(file);
    if (found) found(data);
  };

  // Runs a script of an address once it is loaded.
  function run(address) {
    const script = document.createElement("script");
    script.src = address;
    return new Promise((resolve, reject) => {
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(`${address} cannot be loaded`)));
      document.head.append(script);
    }).finally(() => script.remove());
  }

  // The data of games/<file>.js. A file that could not be loaded is tried again the next time.
  function load(file) {
    if (!cached.has(file)) {
      const loading = new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`games/${file}.js cannot be loaded`));
        waiting.set(file, resolve);
        run(`${file}.js`).then(fail, fail); // comes after the file's call of arenaData, so it changes nothing then
      });
      cached.set(file, loading);
      loading.catch(() => cached.delete(file)).finally(() => waiting.delete(file));
    }
    return cached.get(file);
  }

  // Makes a text that others wrote safe to show: nothing invisible, nothing that changes the writing direction, cut to fit.
  function clean(text, limit) {
    const chars = Array.from(String(text).slice(0, 2 * limit + 2)); // a character can be two of a string's units
    const shown = chars.map((char) => (char !== "\n" && UNPRINTABLE.test(char) ? "?" : char));
    return shown.length <= limit ? shown.join("") : `${shown.slice(0, limit - 1).join("")}…`;
  }

  // A bot's name, a long one cut in the middle, as versions differ at the end.
  function short(name, limit = NAME) {
    const chars = Array.from(String(name));
    const end = (limit - 1) >> 1;
    return clean(chars.length > limit ? [...chars.slice(0, limit - 1 - end), "…", ...chars.slice(-end)].join("") : name, limit);
  }

  // Applies changes to a scene or to a part of one. An object stands for changes in an object or, with numbers, in a list.
  function follow(scene, changes) {
    for (const key of Object.keys(changes)) {
      const value = changes[key];
      if (value === null || typeof value !== "object") scene[key] = value;
      else if (Array.isArray(value)) scene[key] = value.slice();
      else if (Object.hasOwn(scene, key)) follow(scene[key], value); // never what all objects inherit
    }
  }

  // The last of a list, in the order of their positions, that is not after a position; undefined if there is none.
  function latest(list, position, of = (each) => each[0]) {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (of(list[middle]) <= position) from = middle + 1;
      else to = middle;
    }
    return list[from - 1];
  }

  // The labels of objects in order, as { name, numeric }; only those that ever have a value.
  function labels(objects) {
    const found = new Map();
    for (const [key, value] of objects.flatMap(Object.entries)) {
      const values = found.get(key) || new Set();
      if (value !== null) values.add(typeof value);
      found.set(key, values);
    }
    const used = [...found].filter((each) => each[1].size);
    return used.map(([name, types]) => ({ name: name, numeric: types.has("number") }));
  }

  class Replay {
    constructor(data) {
      this.data = data;
      this.id = data.id;
      this.last = data.steps.length;
      this.bots = data.bots.map((bot) => short(bot));
      this.long = data.bots.filter((bot) => bot.length > NAME).sort((one, other) => other.length - one.length);
      this.cached = new Map(); // by text: what is shown of it
      this.seats = data.bots.map(() => null); // by seat: its part, once it is loaded
      this.seatLabels = this.findSeatLabels();
      // Positions amid steps that are shown together: what the next step ends, or completes.
      this.bookkeeping = new Set(data.bookkeeping || []);
      this.announced = new Set((data.begins || []).filter((step) => this.bookkeeping.has(step))); // steps that only say whose turn it is
      const ended = (step) => this.announced.has(step + 1) && !this.announced.has(step); // it led to nothing in its turn
      const begins = (data.begins || []).filter((step) => !ended(step));
      this.unfinished = new Set([...begins.map((step) => step + 1), ...(data.follows || [])]);
      this.unfinished.delete(this.last);
      this.marks = ((data.analysis || {}).marks || []).map((each) => ({ ...each, at: this.end(Math.min(each.step + 1, this.last)) }));
      this.turns = this.findTurns();
      this.turnEnds = [...this.turns.slice(1).map((begin) => this.begin(begin) - 1), this.last].filter((each) => each > 0);
      this.rewind();
    }

    // Returns a text of a file with long names cut.
    words(text) {
      if (!this.cached.has(text)) {
        const shown = this.long.reduce((part, bot) => part.split(bot).join(short(bot)), text);
        this.cached.set(text, clean(shown, TEXT));
      }
      return this.cached.get(text);
    }

    findSeatLabels() {
      if (!this.data.start) return [];
      const changed = this.data.steps.map((step) => step[3].seats).filter(Boolean);
      const objects = changed.flatMap((seats) => Object.values(seats));
      return labels([...this.data.start.seats, ...objects]);
    }

    // The positions at which turns begin: those with labels or, if there are none, those at which the seat changes.
    findTurns() {
      const steps = this.data.steps;
      const labelled = steps.some((step) => step[4] !== null);
      const begins = (step, index) => (labelled ? step[4] !== null : index === 0 || step[0] !== steps[index - 1][0]);
      return steps.map((step, index) => (begins(step, index) ? index + 1 : 0)).filter(Boolean);
    }

    // The first of the steps that are shown together at a position.
    begin(position) {
      let first = position;
      while (first > 1 && this.unfinished.has(first - 1)) first -= 1;
      return first;
    }

    // The last of the steps that are shown together with a position.
    end(position) {
      let last = position;
      while (this.unfinished.has(last)) last += 1;
      return last;
    }

    // The next position to stop at on the way to `way` (1 or -1).
    beside(position, way) {
      let found = position + way;
      while (found > 0 && found < this.last && this.unfinished.has(found)) found += way;
      return Math.min(Math.max(found, 0), this.last);
    }

    rewind() {
      this.at = 0;
      this.now = structuredClone(this.data.start || this.data.seen || null);
    }

    // Returns the scene at a position; null without pictures. The next call changes it.
    scene(position) {
      return this.data.start ? this.walk(position) : null;
    }

    // Returns what all see of a game without pictures at a position, as { rows, scores }, else null. The next call changes it.
    seen(position) {
      return this.data.start ? null : this.walk(position);
    }

    walk(position) {
      if (position < this.at) this.rewind();
      for (; this.at < position; this.at += 1) {
        if (this.now) follow(this.now, this.data.steps[this.at][3]);
      }
      return this.now;
    }

    // Returns the step that led to a position; null at the start.
    step(position) {
      if (position === 0) return null;
      const [seat, by, texts, , label] = this.data.steps[position - 1];
      const minor = this.bookkeeping.has(position - 1);
      const unsaid = this.announced.has(position - 1); // the name of the turn says it
      return { seat: seat, by: by, label: label, minor: minor, unsaid: unsaid, texts: texts.map((text) => this.words(this.data.texts[text])) };
    }

    // Returns the name of the turn at a position; "" before the first one.
    turn(position) {
      const begun = latest(this.turns, position, (each) => each);
      const label = begun && this.data.steps[begun - 1][4];
      return label ? this.words(label) : "";
    }

    // Returns what only this seat knew at a position: { hand, events, choices }; null if its part is not loaded.
    known(seat, position) {
      const part = this.seats[seat];
      if (!part) return null;
      if (part.asked !== position) [part.asked, part.found] = [position, this.found(part, position)];
      return part.found;
    }

    found(part, position) {
      const held = latest(part.hands, position);
      const text = (number) => this.words(part.data.texts[number]);
      const entries = [];
      for (let step = this.begin(position); step <= position; step += 1) entries.push(part.data.steps[step - 1] || {});
      const entry = { events: entries.flatMap((each) => each.events || []), choices: entries.flatMap((each) => each.choices || []) };
      return {
        hand: held ? held[1] : part.data.hand,
        events: entry.events.map(text),
        choices: entry.choices.map((choice) => ({
          offered: choice.offered.map(text),
          chosen: choice.chosen,
          view: choice.view || null,
          note: choice.note === undefined ? null : clean(choice.note, TEXT),
        })),
      };
    }

    async loadSeat(seat) {
      if (this.seats[seat]) return;
      this.addSeat(seat, await load(`${this.id}/seat-${seat}`));
    }

    // Adds the part of a seat, which says what only this seat knew.
    addSeat(seat, data) {
      const numbers = Object.keys(data.steps).map(Number).sort((one, other) => one - other);
      this.seats[seat] = {
        data: data,
        hands: numbers.filter((step) => data.steps[step].hand).map((step) => [step + 1, data.steps[step].hand]),
        views: numbers.filter((step) => data.steps[step].choices).map((step) => [step + 1, data.steps[step].choices.slice(-1)[0].view || {}]),
        decisions: numbers.filter((step) => data.steps[step].choices).map((step) => step + 1),
      };
    }

    // What a seat of a game without pictures knew besides what all saw when it was asked last, as rows, and what when it was
    // asked before that; undefined where it was not asked.
    views(seat, position) {
      const all = this.seats[seat] ? this.seats[seat].views : [];
      const now = latest(all, position);
      return now ? [now[1], (latest(all, now[0] - 1) || [])[1]] : [];
    }

    // The positions to go to turn by turn: a seat's decisions if it is the reader, else the ends of turns.
    stops(reader) {
      const part = typeof reader === "number" ? this.seats[reader] : null;
      return part ? [...new Set(part.decisions.map((each) => this.end(each)))] : this.turnEnds;
    }

    // Returns the chance of a seat to win at a position, in thousandths; null if none is known.
    chance(seat, position) {
      const found = latest(this.data.chances || [], position);
      return found ? found[seat + 1] : null;
    }

    // What can be drawn over the game: its chances, the numbers of the seats, and the metrics that the bots sent, as
    // [{ name, note, lines: by seat [[position, value], …] }]. Metrics are those of the seats whose parts are loaded.
    curves() {
      const found = [];
      const chances = this.data.chances || [];
      if (chances.length > 1) {
        const lines = this.bots.map((_, seat) => chances.map((each) => [each[0], each[seat + 1] / 10]));
        found.push({ name: "chance to win, %", lines, from: 0, to: 100, chance: true });
      }
      const { unit, curve } = this.data.analysis || {};
      if (curve && chances.length < 2) {
        const chance = unit === "chance";
        const lines = this.bots.map((_, seat) => curve.map((each) => [each[0], each[seat + 1] * (chance ? 100 : 1)]));
        found.push({ name: chance ? "chance to win, %" : `${clean(unit, NAME)} to be expected`, lines, ...(chance ? { from: 0, to: 100, chance } : {}) });
      }
      if (this.data.start) {
        const scenes = [0, ...this.turnEnds].map((position) => [position, structuredClone(this.scene(position))]);
        const add = (name, value) => {
          const lines = this.bots.map((_, seat) => scenes.map(([position, scene]) => [position, value(scene, seat)]));
          if (lines.flat().some((each) => typeof each[1] === "number")) found.push({ name, lines });
        };
        add("places on the board", (scene, seat) => scene.at[seat]);
        for (const { name, numeric } of this.seatLabels) if (numeric && name !== "square") add(name, (scene, seat) => scene.seats[seat][name]);
      }
      const { seen } = this.data;
      for (const name of seen ? Object.keys(seen.scores) : []) {
        const points = this.data.steps.map((_, step) => step + 1).filter((position) => ((this.data.steps[position - 1][3] || {}).scores || {})[name]);
        found.push({ name, lines: this.bots.map((_, seat) => [0, ...points].map((position) => [position, this.seen(position).scores[name][seat]])) });
      }
      return [...found, ...this.metricCurves()];
    }

    metricCurves() {
      const lines = new Map();
      this.seats.forEach((part, seat) => {
        for (const [step, entry] of part ? Object.entries(part.data.steps) : []) {
          for (const choice of entry.choices || []) {
            for (const [name, value] of Object.entries(choice.metrics || {})) {
              if (!lines.has(name)) lines.set(name, this.bots.map(() => []));
              lines.get(name)[seat].push([Number(step) + 1, value]);
            }
          }
        }
      });
      return [...lines].map(([name, each]) => ({ name: `${clean(name, NAME)} (of the bots)`, lines: each }));
    }
  }

  // Loads a game. Throws an error whose message can be shown.
  async function open(id) {
    if (!GAME.test(id)) throw new Error("this is not the id of a game");
    return new Replay(await load(`${id}/public`));
  }

  return { load, run, open, clean, short, Replay };
})();
