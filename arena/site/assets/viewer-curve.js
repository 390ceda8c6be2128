// The course of a game as lines over its steps, with the turning points marked. A click leads to the step.
"use strict";
arenaViewer.Curve = (function () {
  const { draw } = arenaBoard.symbols;
  const HIGH = 100; // units from the bottom to the top
  const WIDE = 1000;
  const { element, badge, lettered } = arenaViewer.words;
  const sizes = new ResizeObserver((entries) => entries.forEach((each) => each.target.arenaCurve.place()));

  // A line up to where its seat cannot win any more: several at 0 would hide each other.
  function untilLost(line) {
    let end = line.length;
    while (end > 1 && line[end - 1][1] === 0 && line[end - 2][1] === 0) end -= 1;
    return line.slice(0, end);
  }

  class Curve {
    // `points`: what is marked on the curve, as [{ step, seat, number, label }], in place of the turning points.
    constructor(home, replay, go, points = null) {
      this.points = points;
      this.home = home;
      this.replay = replay;
      this.go = go;
      this.all = replay.curves();
      this.last = replay.last; // the position up to which the lines go
      this.picture = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
      this.marks = document.createElement("div");
      this.marks.className = "marks";
      this.readout = element("div", { class: "readout", hidden: "" });
      this.scale = element("div", { class: "scale", "aria-hidden": "true" });
      this.home.replaceChildren(this.picture, this.scale, this.marks, this.readout);
      this.home.hidden = !this.all.length;
      this.home.tabIndex = 0;
      this.home.setAttribute("role", "group");
      this.listen();
    }

    // Listens as properties, so that a later curve at the same place takes over.
    listen() {
      const { home } = this;
      const focused = () => home.matches(":focus-visible") || home.querySelector(":focus-visible") !== null;
      const leave = () => (this.readout.hidden = true);
      home.onclick = (event) => {
        if (event.target.closest("button")) return;
        this.go(this.at(event));
        this.read(this.at(event));
      };
      home.onpointermove = (event) => this.read(this.at(event));
      home.onpointerleave = (event) => event.pointerType === "touch" || focused() || leave(); // after a tap it stays while the curve has the focus
      home.onfocus = () => focused() && this.read(this.position);
      home.onblur = leave;
      home.onkeydown = (event) => {
        if (event.key === "Escape") leave();
        else if (event.target === home) this.read(this.position);
      };
      home.arenaCurve = this;
      sizes.observe(home);
    }

    at(event) {
      const box = this.home.getBoundingClientRect();
      const part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      return Math.round(part * this.replay.last);
    }

    x(position) {
      return (position / Math.max(1, this.replay.last)) * WIDE;
    }

    // Says beside the curve what the lines are worth at a position.
    read(position) {
      if (!this.shown) return;
      const unit = this.shown.chance ? " %" : "";
      const parts = this.shown.lines.map((line, seat) => {
        const found = line.filter((each) => each[0] <= position && typeof each[1] === "number").pop();
        if (!found) return "";
        const worth = this.shown.chance ? Math.round(found[1]) : Math.round(found[1] * 10) / 10;
        const name = element("span", { class: "unseen" }, `${this.replay.bots[seat]}: `);
        return element("span", { class: "worth" }, badge(seat), " ", name, `${worth}${unit}`);
      });
      this.readout.replaceChildren(element("span", {}, this.replay.turn(position) || "start"), ...parts);
      this.readout.hidden = false;
    }

    // Shows the lines up to a position.
    until(last) {
      this.last = last;
      if (this.shown) this.show(this.number);
    }

    show(number) {
      this.number = number;
      const whole = this.all[number] || this.all[0];
      if (!whole) return;
      this.shown = { ...whole, lines: whole.lines.map((line) => line.filter((each) => each[0] <= this.last)) };
      this.home.setAttribute("aria-label", `Curve: ${this.shown.name}`);
      const values = this.shown.lines.flat().map((each) => each[1]).filter((each) => typeof each === "number");
      const low = this.shown.from === undefined ? Math.min(...values) : this.shown.from;
      const high = Math.max(low + 1e-9, this.shown.to === undefined ? Math.max(...values) : this.shown.to);
      const y = (value) => 96 - ((value - low) / (high - low)) * 92;
      const heights = [high, (low + high) / 2, low]; // as their numbers are set by the page's style
      this.scale.replaceChildren(...heights.map((each) => element("span", {}, Number.isInteger(each) ? String(each) : "")));
      const made = heights.map((each) => draw("path", { d: `M0 ${y(each)}H${WIDE}`, class: "middle" }));
      this.shown.lines.forEach((line, seat) => {
        const known = line.filter((each) => typeof each[1] === "number");
        if (!known.length) return;
        const d = this.steps(this.shown.chance ? untilLost(known) : known, known, y);
        made.push(draw("path", { d, class: "edge" }), draw("path", { d, class: `course s${seat % 10}` }));
      });
      this.cursor = draw("path", { class: "cursor" });
      this.picture.replaceChildren(...made, this.cursor);
      this.mark();
      this.move(this.position || 0);
    }

    // A line as SVG path data. A value holds until the next one, and the last one up to where the lines go, unless what comes
    // after it was left out.
    steps(line, known, y) {
      const [[from, value], ...later] = line;
      const on = later.map(([position, next]) => `H${this.x(position).toFixed(1)}V${y(next).toFixed(1)}`);
      const end = line.length === known.length ? `H${this.x(this.last).toFixed(1)}` : "";
      return `M${this.x(from).toFixed(1)} ${y(value).toFixed(1)}${on.join("")}${end}`;
    }

    mark() {
      const { marks } = this.replay;
      const analysed = marks.map((each) => ({ ...each, step: each.at, label: `${each.mark} of ${this.replay.bots[each.seat]}, ${this.replay.turn(each.at)}: ${each.chance}, could have been ${each.could}` }));
      const all = this.points || (marks.length ? analysed : this.shown.chance ? this.replay.data.turning_points || [] : []);
      const points = all.filter((point) => point.step <= this.last);
      this.marked = points.map((point, i) => {
        const letter = point.symbol || lettered(point.number || i + 1);
        const button = element("button", { type: "button", class: `turning s${point.seat % 10}` }, letter);
        const way = `${Math.round(point.before / 10)} to ${Math.round(point.after / 10)} %`;
        button.setAttribute("aria-label", point.label || `Turning point ${letter}, ${this.replay.turn(point.step)}: ${this.replay.bots[point.seat]} ${way}`);
        button.title = button.getAttribute("aria-label");
        button.onclick = () => this.go(point.at === undefined ? point.step : point.at);
        button.onfocus = () => button.matches(":focus-visible") && this.read(point.at === undefined ? point.step : point.at);
        button.onblur = this.home.onblur;
        return { button, step: point.step };
      });
      this.marks.replaceChildren(...this.marked.map(({ button }) => button));
      this.rove(0);
      this.place();
    }

    // The marks are one stop of the Tab key: the arrow keys lead from one to the next.
    rove(number) {
      this.marked.forEach(({ button }, i) => {
        button.tabIndex = i === number ? 0 : -1;
        button.onkeydown = (event) => {
          const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!way || event.shiftKey) return;
          event.preventDefault(); // it is no step of the replay
          const next = this.marked[i + way];
          if (!next) return;
          this.rove(this.marked.indexOf(next));
          next.button.focus();
        };
      });
    }

    // Puts the marks at their steps; those that are close are moved aside, so that none covers another.
    place() {
      const room = this.home.clientWidth;
      if (!this.marked || !this.marked.length || !room) return;
      const size = this.marked[0].button.offsetWidth + 1;
      const rows = Math.ceil((this.marked.length * size) / room); // very many stand in rows
      const sorted = this.marked.map(({ button, step }) => ({ button, left: (this.x(step) / WIDE) * room }));
      sorted.sort((one, other) => one.left - other.left);
      for (let row = 0; row < rows; row += 1) {
        const some = sorted.filter((_, i) => i % rows === row);
        some.forEach((each, i) => i && (each.left = Math.max(each.left, some[i - 1].left + size)));
        let end = room + size;
        for (const each of [...some].reverse()) end = each.left = Math.min(each.left, end - size);
        for (const { button, left } of some) {
          button.style.left = `${left}px`;
          button.style.marginTop = `${row * size}px`;
        }
      }
    }

    move(position) {
      this.position = position;
      if (this.cursor) this.cursor.setAttribute("d", `M${this.x(position)} 0V${HIGH}`);
      if (!this.readout.hidden) this.read(position);
    }
  }

  return Curve;
})();
