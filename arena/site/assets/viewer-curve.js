// The course of a game as lines over its steps, with the turning points marked. A click leads to the step.
"use strict";
arenaViewer.Curve = (function () {
  const { draw } = arenaBoard.symbols;
  const HIGH = 100; // units from the bottom to the top
  const WIDE = 1000;

  class Curve {
    constructor(home, replay, go) {
      this.home = home;
      this.replay = replay;
      this.go = go;
      this.all = replay.curves();
      this.picture = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
      this.marks = document.createElement("div");
      this.marks.className = "marks";
      this.home.replaceChildren(this.picture, this.marks);
      this.home.hidden = !this.all.length;
      this.home.onclick = (event) => event.target.closest("button") || this.go(this.at(event));
      this.home.onpointermove = (event) => this.hint(event);
    }

    at(event) {
      const box = this.home.getBoundingClientRect();
      return Math.round(((event.clientX - box.left) / box.width) * this.replay.last);
    }

    x(position) {
      return (position / Math.max(1, this.replay.last)) * WIDE;
    }

    // Says under the pointer what the lines are worth there.
    hint(event) {
      if (!this.shown) return;
      const position = this.at(event);
      const parts = this.shown.lines.map((line, seat) => {
        const found = line.filter((each) => each[0] <= position && typeof each[1] === "number").pop();
        return found ? `${this.replay.bots[seat]} ${Math.round(found[1] * 10) / 10}` : "";
      });
      this.home.title = `${this.replay.turn(position) || "start"}: ${this.shown.name}: ${parts.filter(Boolean).join(", ")}`;
    }

    show(number) {
      this.shown = this.all[number] || this.all[0];
      if (!this.shown) return;
      const values = this.shown.lines.flat().map((each) => each[1]).filter((each) => typeof each === "number");
      const low = this.shown.from === undefined ? Math.min(...values) : this.shown.from;
      const high = Math.max(low + 1e-9, this.shown.to === undefined ? Math.max(...values) : this.shown.to);
      const y = (value) => 96 - ((value - low) / (high - low)) * 92;
      const made = [50].map((each) => draw("path", { d: `M0 ${each}H${WIDE}`, class: "middle" }));
      this.shown.lines.forEach((line, seat) => {
        const points = line.filter((each) => typeof each[1] === "number").map((each) => `${this.x(each[0]).toFixed(1)} ${y(each[1]).toFixed(1)}`);
        if (!points.length) return;
        made.push(draw("path", { d: `M${points.join("L")}`, class: "edge" }), draw("path", { d: `M${points.join("L")}`, class: `course s${seat}` }));
      });
      this.cursor = draw("path", { class: "cursor" });
      this.picture.replaceChildren(...made, this.cursor);
      this.mark();
      this.move(this.position || 0);
    }

    mark() {
      const points = this.shown.chance ? this.replay.data.turning_points || [] : [];
      this.marks.replaceChildren(...points.map((point, i) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = `turning s${point.seat}`;
        button.style.left = `${(this.x(point.step) / WIDE) * 100}%`;
        button.textContent = String(i + 1);
        const way = `${Math.round(point.before / 10)} to ${Math.round(point.after / 10)} %`;
        button.setAttribute("aria-label", `Turning point ${i + 1}, ${this.replay.turn(point.step)}: ${this.replay.bots[point.seat]} ${way}`);
        button.title = button.getAttribute("aria-label");
        button.addEventListener("click", () => this.go(point.step));
        return button;
      }));
    }

    move(position) {
      this.position = position;
      if (this.cursor) this.cursor.setAttribute("d", `M${this.x(position)} 0V${HIGH}`);
    }
  }

  return Curve;
})();
