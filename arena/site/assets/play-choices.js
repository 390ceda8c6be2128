// Which legal actions are still meant by what a person has picked so far. It knows no page and no game: an action is data, and
// what it names (a place, a card in hand, a card on display, a sign of a dial) is found in it by name.
//   const choices = new arenaPlay.Choices(offered, known); // `offered`: [{ action, text }]
//   choices.pick("place:3"); choices.left(); choices.lit(); choices.undo(); choices.chosen()
// A mark is a text: "place:3", "hand:t5", "slot:display:0" or "dial:rose on:train". A card that an action uses twice is two
// marks of it. `known`: { board: its data (see engine/picture.py) or null, hand: [card] }.
"use strict";
window.arenaPlay = {};
arenaPlay.Choices = (function () {
  const CARDS = ["card", "cards", "by", "events"]; // keys whose values are cards in the hand
  const ALIKE = 3; // the fewest actions that are one entry
  const PLACES = ["to", "from", "place", "places", "square"];

  const list = (value) => (Array.isArray(value) ? value : [value]);

  // The number of the place that a value names on a board, the last of that name (a journey may end where it began); -1 if
  // it names none.
  function placeOf(board, value) {
    if (typeof value === "string") return board.places.map((place) => place.name).lastIndexOf(value);
    return Number.isInteger(value) && value >= 0 && value < board.places.length ? value : -1;
  }

  function slotOf(board, value) {
    for (const [label, slots] of Object.entries(board.slots || {})) {
      const found = slots.findIndex((slot) => slot.name === value);
      if (found >= 0) return `slot:${label}:${found}`;
    }
    return null;
  }

  function dialOf(board, value) {
    for (const [label, signs] of Object.entries(board.dials || {})) if (signs.includes(value)) return `dial:${label}:${value}`;
    return null;
  }

  // The marks of one action, each as often as the action uses it.
  function marksOf(action, known) {
    const { board, hand } = known;
    const held = hand.slice();
    const found = [];
    let open = false; // a card that lies open is meant, and none of the hand
    for (const key of PLACES) {
      if (!board || !Object.hasOwn(action, key)) continue;
      for (const value of list(action[key])) {
        const slot = slotOf(board, value);
        const place = slot ? -1 : placeOf(board, value);
        open = open || slot !== null;
        const mark = slot || (place >= 0 ? `place:${place}` : dialOf(board, value));
        if (mark) found.push(mark);
      }
    }
    for (const key of CARDS) {
      if (!Object.hasOwn(action, key) || (open && key === "card")) continue;
      for (const value of list(action[key])) {
        const at = held.indexOf(value);
        if (at < 0) continue;
        held.splice(at, 1);
        found.push(`hand:${value}`);
      }
    }
    return found;
  }

  const counted = (marks) => {
    const found = new Map();
    for (const mark of marks) found.set(mark, (found.get(mark) || 0) + 1);
    return found;
  };

  class Choices {
    constructor(offered, known) {
      this.offered = offered;
      this.marks = offered.map((each) => marksOf(each.action, known));
      this.counts = this.marks.map(counted);
      this.picked = []; // the marks in the order in which they were picked
      this.named = null; // the action that was chosen from the list
      this.group = null; // the actions that look alike of which one is meant
    }

    // The marks of an action.
    of(index) {
      return this.marks[index];
    }

    // The actions that use all that was picked, in their order.
    left() {
      const wanted = [...counted(this.picked)];
      return (this.group || this.offered.map((_, i) => i)).filter((i) => wanted.every(([mark, times]) => (this.counts[i].get(mark) || 0) >= times));
    }

    // What is left as entries of a list: if there are more than `most`, those that follow each other and look alike are one,
    // a list of actions. They do the same and begin with the same words.
    entries(most) {
      const left = this.left();
      if (left.length <= most) return left;
      const runs = [];
      for (const i of left) {
        const run = runs[runs.length - 1];
        if (run && this.offered[run[0]].action.do === this.offered[i].action.do && this.stem([run[0], i])) run.push(i);
        else runs.push([i]);
      }
      return runs.length === 1 ? left : runs.flatMap((run) => (run.length < ALIKE ? run : [run]));
    }

    // The whole words with which all these actions begin.
    stem(group) {
      const [first, ...rest] = group.map((i) => this.offered[i].text.split(" "));
      const differs = first.findIndex((word, at) => rest.some((words) => words[at] !== word));
      return first.slice(0, differs < 0 ? first.length : differs).join(" ").replace(/[,:]$/, "");
    }

    // One of these actions is meant.
    narrow(group) {
      this.group = group;
      this.named = null;
    }

    // What can be picked further: marks that an action that is left uses more often than they were picked.
    lit() {
      const before = counted(this.picked);
      const found = new Set();
      for (const i of this.left()) {
        for (const [mark, times] of this.counts[i]) if (times > (before.get(mark) || 0)) found.add(mark);
      }
      return found;
    }

    // Picks a mark, or takes back one that cannot be picked once more. Returns whether anything changed.
    pick(mark) {
      if (this.lit().has(mark)) {
        this.picked.push(mark);
        this.named = null;
        return true;
      }
      return this.unpick(mark);
    }

    unpick(mark) {
      const at = this.picked.lastIndexOf(mark);
      if (at < 0) return false;
      this.picked.splice(at, 1);
      this.named = null;
      return true;
    }

    // Chooses an action of the list; the one that was chosen already is chosen no longer.
    name(index) {
      this.named = this.named === index ? null : index;
    }

    // Takes back the last thing that was done. Returns whether there was one.
    undo() {
      if (this.named !== null) this.named = null;
      else if (this.picked.length) this.picked.pop();
      else if (this.group) this.group = null;
      else return false;
      return true;
    }

    clear() {
      this.picked = [];
      this.named = this.group = null;
    }

    // The action that would be played now: the one that was named, or the only one that uses what was picked and no more, or
    // the only one that is left. Null if there is none such, or nothing was picked.
    chosen() {
      if (this.named !== null) return this.named;
      if (!this.picked.length) return null;
      const left = this.left();
      if (left.length === 1) return left[0];
      const exact = left.filter((i) => this.marks[i].length === this.picked.length);
      return exact.length === 1 ? exact[0] : null;
    }

    // The cards of a hand that no action uses, whatever is picked.
    idle(hand) {
      const used = new Set(this.marks.flat());
      return [...new Set(hand)].filter((card) => !used.has(`hand:${card}`));
    }
  }

  Choices.marksOf = marksOf;
  return Choices;
})();
