// Finds room for what stands around the places of a map: each zone takes one of its options (see board-candidates.js) so that
// nothing covers anything else, and everything is near to what it belongs to.
"use strict";
(function () {
  const KICKS = 50; // times that something is moved at random to come out of what cannot be improved by single moves
  const SWEEPS = 8; // the most times that all zones are tried in turn
  const WORTH = 55; // what a zone costs at least that is moved

  // A choice of one option for each zone, with what every option of every zone would cost among the others, kept up to date as
  // options are chosen: a search asks for that far more often than it changes a choice. All options are counted through.
  class Choice {
    constructor(options) {
      this.all = options.flat();
      this.zones = []; // [the number of its first option, the number behind its last one]
      for (const some of options) {
        const first = this.zones.length ? this.zones[this.zones.length - 1][1] : 0;
        this.zones.push([first, first + some.length]);
      }
      this.own = Float64Array.from(this.all, (option) => option.cost);
      this.among = Float64Array.from(this.own);
      this.rows = new Map(); // by option what it costs each option of other zones
      this.hulls = this.all.map(hull);
      this.envelopes = this.zones.map(([first, end]) => this.hulls.slice(first, end).reduce(join));
      [this.left, this.top, this.right, this.bottom] = ["left", "top", "right", "bottom"].map((side) => Float64Array.from(this.hulls, (each) => each[side]));
      this.chosen = this.zones.map(([first]) => first);
      this.chosen.forEach((option, zone) => this.add(this.row(option, zone), 1));
    }

    // What an option costs each option of the other zones: [numbers of options, costs], without those that cost nothing.
    row(option, zone) {
      const known = this.rows.get(option);
      if (known) return known;
      const one = this.all[option];
      const at = this.hulls[option];
      const { left, top, right, bottom } = this; // far more options are passed over here than are looked at
      const numbers = [];
      const costs = [];
      for (let other = 0; other < this.zones.length; other += 1) {
        if (other === zone || !near(at, this.envelopes[other])) continue;
        const [first, end] = this.zones[other];
        for (let i = first; i < end; i += 1) {
          if (at.left > right[i] || left[i] > at.right || at.top > bottom[i] || top[i] > at.bottom) continue;
          const cost = arenaBoard.conflict(one, this.all[i]);
          if (cost > 0) {
            numbers.push(i);
            costs.push(cost);
          }
        }
      }
      const row = { numbers: Int32Array.from(numbers), costs: Float64Array.from(costs) };
      this.rows.set(option, row);
      return row;
    }

    add({ numbers, costs }, sign) {
      const { among } = this;
      for (let i = 0; i < numbers.length; i += 1) among[numbers[i]] += sign * costs[i];
    }

    choose(zone, option) {
      if (this.chosen[zone] === option) return;
      this.add(this.row(this.chosen[zone], zone), -1);
      this.add(this.row(option, zone), 1);
      this.chosen[zone] = option;
    }

    // Takes over a whole choice.
    restore(chosen) {
      chosen.forEach((option, zone) => this.choose(zone, option));
    }

    // What the whole choice costs: what two zones cost each other is counted once.
    whole() {
      return this.chosen.reduce((sum, option) => sum + (this.own[option] + this.among[option]) / 2, 0);
    }

    // Moves single zones to where they cost least, until none moves.
    descend() {
      const { own, among } = this;
      for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep += 1) {
        moved = false;
        this.zones.forEach(([first, end], zone) => {
          let best = this.chosen[zone];
          // The options of a zone are in the order of what they cost alone.
          for (let i = first; i < end && own[i] < among[best]; i += 1) if (among[i] < among[best]) best = i;
          if (best === this.chosen[zone]) return;
          this.choose(zone, best);
          moved = true;
        });
      }
    }
  }

  // The box around everything by which an option can cost others something.
  function hull({ box: { x, y, w, h }, leader }) {
    const own = { left: x - 2, top: y - 2, right: x + w + 2, bottom: y + h + 2 };
    if (!leader) return own;
    const { from, x: u, y: v } = leader;
    return join(own, { left: Math.min(from.x, u), top: Math.min(from.y, v), right: Math.max(from.x, u), bottom: Math.max(from.y, v) });
  }

  const join = (a, b) => ({ left: Math.min(a.left, b.left), top: Math.min(a.top, b.top), right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) });

  const near = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

  // Finds for each zone where it is: [{ box, shape }] in order. `around`: { frame, fixed: boxes, lines: boxes, spots }.
  arenaBoard.settle = (zones, around) => {
    const choice = new Choice(zones.map((zone) => arenaBoard.candidates(zone, around)));
    const { all, among, chosen } = choice;
    choice.descend();
    let [best, least] = [[...chosen], choice.whole()];
    let state = 1; // the same picture every time
    const random = (number) => {
      state = (state * 48271) % 2147483647;
      return state % number;
    };
    const kick = (zone, most) => {
      const [first, end] = choice.zones[zone];
      choice.choose(zone, first + random(Math.min(end - first, most)));
    };
    let [standing, stands] = [best, least]; // what is moved on from: it may be a little worse than the best
    for (let done = 0; done < KICKS; done += 1) {
      const bad = chosen.map((_, zone) => zone).filter((zone) => among[chosen[zone]] >= WORTH);
      if (!bad.length) break;
      const at = bad[random(bad.length)];
      kick(at, 14); // to a good one, from which the others give way
      const moved = all[chosen[at]];
      const hit = chosen.map((_, zone) => zone).filter((zone) => zone !== at && arenaBoard.conflict(all[chosen[zone]], moved) > 0);
      for (const zone of hit) kick(zone, 40);
      choice.descend();
      const now = choice.whole();
      if (now < least) [best, least] = [[...chosen], now];
      if (now < stands + 90 * (1 - done / KICKS)) [standing, stands] = [[...chosen], now];
      else choice.restore(standing);
    }
    return best.map((option) => all[option]);
  };
})();
