// The end of a game that a person played: why it went so, the standings, and the curve with the person's mistakes, each of which
// leads to its position.
"use strict";
arenaPlay.End = (function () {
  const { words, panels, Curve, clean } = arenaViewer;
  const { element, badge } = words;
  const at = (id) => document.getElementById(id);
  const TEXT = 400;
  const MARKED = 5; // of the worst mistakes of a person are marked on the curve
  const percent = (thousandths) => Math.round(thousandths / 10);

  class End {
    // `over`: the event `over`; `unweighed`: why no mistakes are shown, or ""; `look(position)`: shows a position of the game.
    constructor(replay, over, unweighed, look) {
      this.replay = replay;
      this.unweighed = unweighed;
      this.look = look;
      this.found = new Map(); // by seat: the event `mistakes`
      this.show(over);
    }

    show(over) {
      this.over = over;
      const { replay } = this;
      const { games, won } = over.evening;
      const wins = Object.entries(won).map(([name, times]) => `${clean(name, TEXT)} ${times}`);
      const evening = games > 1 ? [element("p", { class: "note" }, `So far ${games} games, won by: ${wins.join(", ")}.`)] : [];
      at("why").replaceChildren(...words.ending(replay), ...evening);
      at("standings-table").replaceChildren(panels.standings(replay, replay.bots.map(() => null)));
      at("replay").hidden = !over.replay;
      if (over.replay) at("replay").href = over.replay;
      const where = over.ledger ? `Recorded in ${clean(over.ledger, TEXT)} as ${clean(over.id, TEXT)}` : "";
      at("recorded").textContent = over.verified ? `${where}, and verified: played again by the rules it comes out the same.` : where;
      this.draw();
    }

    // Adds what was found of a seat's choices; the latest news for a seat counts.
    add(mistakes) {
      this.found.set(mistakes.seat, mistakes);
      this.draw();
    }

    draw() {
      const moves = [...this.found.values()].flatMap((each) => (each.moves || []).map((move, place) => ({ ...move, seat: each.seat, place })));
      const numbered = moves.map((move, i) => ({ move, i })).filter(({ move }) => move.place < MARKED);
      const points = numbered.map(({ move, i }) => ({ step: move.step, seat: move.seat, number: i + 1, label: `Mistake ${words.lettered(i + 1)}, ${this.when(move)}: ${this.cost(move)}` }));
      at("curve").hidden = false;
      this.curve = new Curve(at("curve"), this.replay, this.look, points.length ? points : null);
      this.curve.show(0);
      this.curve.move(this.replay.last);
      at("curve").hidden = !this.curve.all.length;
      const notes = [this.unweighed, this.curve.all.length ? "" : words.unjudged(this.replay)].filter(Boolean);
      at("mistakes").replaceChildren(...notes.map((each) => element("p", { class: "note" }, each)), ...[...this.found.values()].flatMap((each) => this.list(each, moves)));
    }

    when(move) {
      return this.replay.turn(move.step) || (move.step ? `step ${move.step}` : "the start");
    }

    // What either choice was worth.
    cost(move) {
      return `${clean(move.chance, TEXT)}, could have been ${clean(move.could, TEXT)}`;
    }

    list(mistakes, numbered) {
      const whose = this.found.size > 1 ? ` for ${this.replay.bots[mistakes.seat]}` : "";
      if (mistakes.error) return [element("p", { class: "note" }, `No mistakes can be shown: ${clean(mistakes.error, TEXT)}`)];
      const heading = element("h3", {}, badge(mistakes.seat), ` What would have been better${whose}`);
      const moves = numbered.filter((move) => move.seat === mistakes.seat);
      const list = element("ol", { class: "points", start: numbered.indexOf(moves[0]) + 1 || 1 });
      for (const move of moves) {
        const button = element("button", { type: "button", class: "link" }, this.when(move));
        button.addEventListener("click", () => this.look(move.step));
        const text = `${clean(move.mark, TEXT)} “${clean(move.chosen, TEXT)}”, better “${clean(move.better, TEXT)}”; ${this.cost(move)}.`;
        list.append(element("li", {}, button, " ", text));
      }
      const none = mistakes.done ? `None of ${mistakes.weighed} choices cost much.` : "";
      const busy = mistakes.done ? "" : `Still weighing: ${mistakes.weighed} choices so far.`;
      const of = mistakes.of === "chance" ? "chance to win" : clean(mistakes.of || "", TEXT);
      const how = `What is said is the ${of} by playouts from what the seat knew.`;
      return [heading, list, element("p", { class: "note" }, [moves.length ? "" : none, busy, how].filter(Boolean).join(" "))];
    }

    // Moves the cursor of the curve to the position that is shown.
    move(position) {
      this.curve.move(position);
    }
  }

  return End;
})();
