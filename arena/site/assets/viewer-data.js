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
    const file = kind === "public" ? `${data.id}/public` : kind === "seat" ? `${data.id}/seat-${data.seat}` : kind;
    const found = waiting.get(file);
    if (found) found(data);
  };

  // The data of games/<file>.js. A file that could not be loaded is tried again the next time.
  function load(file) {
    if (!cached.has(file)) {
      const loading = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        const fail = () => {
          script.remove();
          reject(new Error(`games/${file}.js cannot be loaded`));
        };
        waiting.set(file, resolve);
        script.src = `${file}.js`;
        script.addEventListener("error", fail);
        script.addEventListener("load", fail); // comes after the file's call of arenaData, so it changes nothing then
        document.head.append(script);
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

  // Applies changes to a scene or to a part of one. An object stands for changes in an object or, with numbers, in a list.
  function follow(scene, changes) {
    for (const key of Object.keys(changes)) {
      const value = changes[key];
      if (value === null || typeof value !== "object") scene[key] = value;
      else if (Array.isArray(value)) scene[key] = value.slice();
      else if (Object.hasOwn(scene, key)) follow(scene[key], value); // never what all objects inherit
    }
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
      this.bots = data.bots.map((bot) => clean(bot, NAME));
      this.long = data.bots.filter((bot) => bot.length > NAME).sort((one, other) => other.length - one.length);
      this.cached = new Map(); // by text: what is shown of it
      this.seats = data.bots.map(() => null); // by seat: its part, once it is loaded
      this.seatLabels = this.findSeatLabels();
      this.turns = this.findTurns();
      this.rewind();
    }

    // Returns a text of a file with long names cut.
    words(text) {
      if (!this.cached.has(text)) {
        const shown = this.long.reduce((part, bot) => part.split(bot).join(clean(bot, NAME)), text);
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

    rewind() {
      this.at = 0;
      this.now = this.data.start === null ? null : structuredClone(this.data.start);
    }

    // Returns the scene at a position; null without pictures. The next call changes it.
    scene(position) {
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
      return { seat: seat, by: by, label: label, texts: texts.map((text) => this.words(this.data.texts[text])) };
    }

    // Returns the name of the turn at a position; "" before the first one.
    turn(position) {
      const begun = this.turns.filter((each) => each <= position).pop();
      const label = begun && this.data.steps[begun - 1][4];
      return label ? this.words(label) : "";
    }

    // Returns what only this seat knew at a position: { hand, events, choices }; null if its part is not loaded.
    known(seat, position) {
      const part = this.seats[seat];
      if (!part) return null;
      const hands = part.hands.filter((each) => each[0] <= position);
      const entry = part.data.steps[position - 1] || {};
      const text = (number) => this.words(part.data.texts[number]);
      return {
        hand: hands.length ? hands[hands.length - 1][1] : part.data.hand,
        events: (entry.events || []).map(text),
        choices: (entry.choices || []).map((choice) => ({
          offered: choice.offered.map(text),
          chosen: choice.chosen,
          note: choice.note === undefined ? null : clean(choice.note, TEXT),
        })),
      };
    }

    async loadSeat(seat) {
      if (this.seats[seat]) return;
      const data = await load(`${this.id}/seat-${seat}`);
      const numbers = Object.keys(data.steps).map(Number).sort((one, other) => one - other);
      this.seats[seat] = {
        data: data,
        hands: numbers.filter((step) => data.steps[step].hand).map((step) => [step + 1, data.steps[step].hand]),
        decisions: numbers.filter((step) => data.steps[step].choices).map((step) => step + 1),
      };
    }

    // The positions to go to turn by turn: a seat's decisions if it is the reader, else those at which turns begin.
    stops(reader) {
      const part = typeof reader === "number" ? this.seats[reader] : null;
      return part ? part.decisions : this.turns;
    }
  }

  // Loads a game. Throws an error whose message can be shown.
  async function open(id) {
    if (!GAME.test(id)) throw new Error("this is not the id of a game");
    return new Replay(await load(`${id}/public`));
  }

  return { load: load, open: open, clean: clean };
})();
