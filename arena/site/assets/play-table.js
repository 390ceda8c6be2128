// The table as a person sees it: the board, the open cards, all seats, the own hand and the story so far, at one step of the
// game. Places and cards that can be picked are lit; what the person picks is told to the caller.
"use strict";
arenaPlay.Table = (function () {
  const { words, panels } = arenaViewer;
  const { element } = words;
  const { Board, Cards } = arenaBoard;
  const NOTHING = { lit: new Set(), picked: [], pointed: new Set(), barred: {}, pick: null };
  const [MANY, CROWD] = [8, 14]; // cards of a hand that are drawn smaller, and those that need rows
  const START = "The game begins. What everybody does is told here, the latest at the end; what is asked of you stands with the answers.";
  const at = (id) => document.getElementById(id);

  class Table {
    // `fixed`: the event `table` of the stream.
    constructor(fixed) {
      this.fixed = fixed;
      this.data = fixed.board;
      this.cards = new Cards(this.data && this.data.cards, "rules.html");
      this.board = this.data ? new Board(at("board"), this.data, fixed.players) : null;
      at("legend").replaceChildren(...(this.board ? this.board.legend() : []));
      at("stage").hidden = at("hand").parentElement.hidden = !this.board; // a game without pictures tells in words
      this.waiting = null; // the seat that is thought to think
      this.can = NOTHING;
      this.shown = null;
    }

    // Ends the table: nothing of it is used after that.
    close() {
      if (this.board) this.board.close();
      for (const id of ["board", "cards", "hand", "seats", "log"]) at(id).replaceChildren();
    }

    // Shows a step of a game; `hand`: the own cards then. A figure that has moved may travel for as many milliseconds. `view`: of a
    // game without pictures what the seat knows now and knew before, as lists of rows, in place of what it can know of that step.
    show(replay, position, seat, hand, milliseconds = 0, view = null) {
      this.shown = { replay, position, seat, hand, view };
      const now = replay.scene(position);
      const scene = now && position === replay.last && this.waiting !== null ? { ...now, turn: this.waiting } : now;
      if (this.board) this.board.show(scene, words.whereabouts(replay, scene, this.data), milliseconds);
      this.showSeats();
      at("table").hidden = !scene && !replay.data.seen && !view;
      if (!scene) {
        at("table").setAttribute("aria-label", "What is known");
        at("table").tabIndex = 0; // it may scroll
      }
      panels.renew(at("facts"), scene ? [panels.facts(replay, scene, this.cards)] : []);
      this.showLog();
      this.light(this.can);
    }

    showSeats() {
      if (!this.shown) return;
      const { replay, position, seat } = this.shown;
      const scene = replay.scene(position);
      const all = panels.seats(replay, scene, this.data, position, [], replay.bots.map(() => null), this.cards);
      all.forEach((each, number) => {
        each.classList.toggle("thinks", number === this.waiting && number !== seat);
        each.classList.toggle("own", number === seat);
        if (number === seat) each.classList.remove("on-turn"); // it is lit while it is asked
      });
      at("seats").dataset.seats = String(replay.bots.length);
      panels.renew(at("seats"), all);
    }

    showLog() {
      const { replay, position, seat } = this.shown;
      words.log(at("log"), replay, position, seat === null ? [] : [seat], null, START);
      at("log").scrollTop = at("log").scrollHeight;
    }

    // Marks the seat that is thinking; null: none.
    think(seat) {
      this.waiting = seat;
      this.showSeats();
    }

    // Lights up what can be picked. `can`: { lit, picked, pointed (marks that a hint names), barred: by card [why, rule], pick }.
    light(can) {
      this.can = can || NOTHING;
      if (!this.shown) return;
      if (this.board) {
        const { lit, picked, pointed, pick } = this.can;
        const places = (some) => [...new Set(some)].filter((mark) => mark.startsWith("place:")).map((mark) => Number(mark.slice("place:".length)));
        const dials = [...new Set([...lit, ...picked])].filter((mark) => mark.startsWith("dial:")).map((mark) => mark.split(":").slice(1));
        this.board.light(places([...lit, ...picked]), pick && ((place) => pick(`place:${place}`)));
        this.board.lightDials(dials, pick && ((label, sign) => pick(`dial:${label}:${sign}`)));
        this.board.mark(places(picked), places(pointed));
      }
      this.showDisplay();
      this.showHand();
    }

    face(card, mark, times) {
      const { lit, picked, pointed, barred, pick } = this.can;
      const chosen = picked.filter((each) => each === mark).length > times;
      const can = pick !== null && (chosen || lit.has(mark));
      const [why, rule] = (mark.startsWith("hand:") && barred[card]) || ["", ""];
      const made = this.cards.face(card, { choose: can ? () => pick(mark) : null, barred: can ? "" : why, rule });
      made.dataset.mark = mark;
      made.classList.toggle("lit", can);
      made.classList.toggle("picked", chosen);
      made.classList.toggle("pointed", pointed.has(mark));
      if (can) made.setAttribute("aria-pressed", String(chosen));
      return made;
    }

    // The open cards in their order, with what is above each of them.
    showDisplay() {
      const { replay, position, seat, view } = this.shown;
      const scene = replay.scene(position);
      if (!scene) {
        at("cards").replaceChildren(...(view ? [words.view(...view)] : panels.known(replay, position, seat === null ? [] : [seat])));
        return;
      }
      const slots = (this.data && this.data.slots) || {};
      const chits = (this.data && this.data.chits) || {};
      const labels = scene ? Object.keys(scene.cards).filter((label) => !Object.hasOwn(chits, label)) : [];
      this.keepFocus(at("cards"), labels.map((label) => {
        const list = element("ul", { class: "faces", "aria-label": label });
        scene.cards[label].forEach((card, i) => {
          const item = element("li", {});
          const slot = (slots[label] || [])[i];
          if (slot) item.append(element("span", { class: "slot", title: slot.text, tabindex: "0", role: "note" }, arenaBoard.symbols.icon(slot.symbol), slot.name));
          item.append(card === null ? element("span", { class: "gap" }, element("span", { class: "unseen" }, "none")) : this.face(card, `slot:${label}:${i}`, 0));
          list.append(item);
        });
        return element("div", { class: "pile" }, element("h2", {}, label), list);
      }));
    }

    showHand() {
      const { hand } = this.shown;
      const seen = new Map();
      const list = element("ul", { class: "faces hand", "aria-label": "Your hand" });
      list.classList.toggle("many", hand.length > MANY);
      list.classList.toggle("crowd", hand.length > CROWD);
      for (const card of hand) {
        const times = seen.get(card) || 0;
        seen.set(card, times + 1);
        list.append(element("li", {}, this.face(card, `hand:${card}`, times)));
      }
      this.keepFocus(at("hand"), [list]);
    }

    // Replaces what an element holds; a card that had the focus has it again.
    keepFocus(home, children) {
      const before = home.contains(document.activeElement) ? [...home.querySelectorAll(".face")].indexOf(document.activeElement) : -1;
      home.replaceChildren(...children);
      const again = home.querySelectorAll(".face")[before];
      if (again) again.focus();
    }
  }

  return Table;
})();
