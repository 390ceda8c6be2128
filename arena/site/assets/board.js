// Draws a board as SVG and everything that lies open on it. The replay page and the page of a person who plays use it alike:
//   const board = new arenaBoard.Board(home, data, seats);  // `home`: an element of a size of its own; `data`: see engine/picture.py
//   board.show(scene, "in words", 300);                     // places figures, pieces and chits; the one that moved may travel so long
//   board.light([3, 5], (place) => …);                      // places that can be chosen; board.light([]) puts them out
"use strict";
arenaBoard.Board = (function () {
  const { layout, classOf } = arenaBoard;
  const { draw, mark } = arenaBoard.symbols;
  const FIGURE = "M-9 12C-9 3.500-6 .5-3.600-.6A5 5 0 0 1-4.300-6.500H-6.500V-8H-4V-13.500H4V-8H6.500V-6.500H4.300A5 5 0 0 1 3.600-.6C6 .5 9 3.500 9 12Z";
  const SMALL = "M-7.500 12V-4.500A7.500 7.500 0 0 1 7.500-4.500V12Z";

  class Board {
    constructor(home, data, seats) {
      this.home = home;
      this.data = data;
      this.seats = seats;
      this.kinds = [...new Set(data.places.map((place) => place.kind))].filter((kind) => kind !== null);
      this.byName = new Map();
      data.places.forEach((place, i) => this.byName.has(place.name) || this.byName.set(place.name, i));
      this.lit = { places: [], choose: null };
      this.litDials = { signs: [], choose: null };
      this.marked = { picked: [], pointed: [] };
      this.suggested = [];
      this.last = null;
      this.travelling = []; // the animations that go on
      this.drawn = new Map(); // by part of the picture: what it shows
      this.keys = arenaBoard.leadKeys(this);
      this.redraw();
      this.watcher = new ResizeObserver(() => this.resized());
      this.watcher.observe(home);
    }

    // Ends the board: nothing of it is used after that.
    close() {
      this.watcher.disconnect();
      this.rest();
      this.keys.close();
    }

    size() {
      return [Math.max(280, Math.round(this.home.clientWidth)), Math.max(200, Math.round(this.home.clientHeight))];
    }

    resized() {
      const [w, h] = this.size();
      if (this.home.clientWidth && (Math.abs(w - this.at.w) > 2 || Math.abs(h - this.at.h) > 2)) this.redraw();
    }

    redraw() {
      const [w, h] = this.size();
      this.at = layout(this.data, w, h, this.seats);
      this.drawn.clear();
      this.picture = draw("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "group", class: `board ${this.at.track ? "track" : "map"}` });
      this.picture.setAttribute("aria-labelledby", "board-name board-about");
      this.name = draw("title", { id: "board-name" }, this.data.title);
      this.about = draw("desc", { id: "board-about" });
      this.chits = draw("g", { class: "chits" });
      this.pieces = draw("g", { class: "pieces" }, ...Object.entries(this.data.pieces || {}).map(([label, symbol]) => this.piece(label, symbol)));
      this.stems = draw("g", { class: "stems" });
      this.targets = draw("g", { class: "targets" });
      this.dialTargets = draw("g", { class: "targets" });
      this.marks = draw("g", { class: "marks" });
      this.arrows = draw("g", { class: "arrows" });
      this.standing = []; // by seat where the middle of its figure is
      this.pawns = Array.from({ length: this.seats }, (_, seat) => this.pawn(seat));
      this.dials = draw("g", { class: "dials" });
      this.picture.append(this.name, this.about, ...arenaBoard.ground(this), this.stems, this.chits, this.pieces, this.dials, this.marks, ...this.pawns, this.arrows, this.targets, this.dialTargets);
      const focused = this.home.contains(document.activeElement);
      this.home.replaceChildren(this.picture);
      if (this.last) this.show(...this.last);
      this.light(this.lit.places, this.lit.choose);
      this.lightDials(this.litDials.signs, this.litDials.choose);
      this.mark(this.marked.picked, this.marked.pointed);
      this.suggest(this.suggested);
      this.keys.keep(focused);
    }

    // What moves

    // A figure, or on a small board a plain shape with a large number: its middle is 0, 0.
    pawn(seat) {
      const { pawn, small } = this.at;
      const made = draw("g", { class: `pawn s${seat % 10}${small ? " small" : ""}`, hidden: "" }); // until a scene says where it is
      const figure = draw("g", { transform: `scale(${pawn / 24})` });
      figure.append(draw("ellipse", { cx: 0, cy: 12, rx: small ? 8.5 : 11, ry: 3.4, class: "halo" }));
      const shape = small ? SMALL : FIGURE;
      figure.append(draw("path", { d: shape, class: "ring outer" }), draw("path", { d: shape, class: "ring" }), draw("path", { d: shape, class: "body" }));
      figure.append(small ? draw("text", { y: 9.5, "font-size": 17 }, String(seat + 1)) : draw("text", { y: 10, "font-size": 13 }, String(seat + 1)));
      made.append(figure);
      return made;
    }

    // Puts everything where it is in a scene; `about` says it in words. If a single figure has moved, it travels there for as many
    // milliseconds; what was still on its way is at its place now.
    show(scene, about, milliseconds = 0) {
      this.rest();
      const from = milliseconds && this.last ? { at: this.places, pawns: [...this.standing], pieces: [...this.pieces.children].map((each) => each.arenaAt) } : null;
      this.last = [scene, about];
      this.places = [...scene.at]; // a scene may be changed into the next one
      const groups = new Map();
      scene.at.forEach((place, seat) => {
        if (place !== null) groups.set(place, [...(groups.get(place) || []), seat]);
        this.pawns[seat].toggleAttribute("hidden", place === null);
        this.pawns[seat].classList.toggle("on-turn", seat === scene.turn);
      });
      this.about.textContent = about || "";
      const focused = this.home.contains(document.activeElement);
      this.once("pawns", [...groups], () => {
        const standing = arenaBoard.standing(this.at, [...groups]);
        for (const { seats, x, y, columns } of standing) this.stand(seats, x, y, columns);
        this.stems.replaceChildren(...standing.map((each) => each.stem).filter(Boolean));
      });
      this.showChits(scene);
      this.showPieces(scene);
      this.showDials(scene);
      this.keys.keep(focused);
      if (from) this.set(from, scene, milliseconds);
    }

    // Ends what travels: it stands at its place.
    rest() {
      for (const each of this.travelling) each.cancel();
      this.travelling = [];
    }

    // Sets the figure and the piece on their way that have moved. If several figures have, all are at their places at once.
    set(from, scene, milliseconds) {
      const start = (element, points) => {
        const moving = points[0] && arenaBoard.travel(element, points, milliseconds);
        if (moving) this.travelling.push(moving);
      };
      const moved = scene.at.map((_, seat) => seat).filter((seat) => scene.at[seat] !== from.at[seat]);
      if (moved.length === 1) {
        const [seat] = moved;
        const places = arenaBoard.between(this.data.routes, from.at[seat], scene.at[seat]);
        start(this.pawns[seat], [from.pawns[seat], ...places.map((place) => this.over(place)), this.standing[seat]]);
      }
      [...this.pieces.children].forEach((piece, i) => piece.arenaAt && start(piece, [from.pieces[i], piece.arenaAt]));
    }

    // Where the middle of a figure is that passes a place.
    over(place) {
      const { spots, square, tall } = this.at;
      return { x: spots[place].x, y: spots[place].y - (square ? square.h : 0) / 2 - tall / 2 };
    }

    // Draws a part again only where what it shows has changed.
    once(part, shown, make) {
      const key = JSON.stringify(shown);
      if (this.drawn.get(part) === key) return;
      this.drawn.set(part, key);
      make();
    }

    // Stands figures in rows of so many, the upper left corner of the first at x, y.
    stand(seats, x, y, columns) {
      const { wide, tall } = this.at;
      seats.forEach((seat, order) => {
        const left = x + wide * ((order % columns) + 0.5);
        const upper = y + tall * (Math.trunc(order / columns) + 0.5);
        this.standing[seat] = { x: left, y: upper };
        this.pawns[seat].style.transform = `translate(${left}px, ${upper}px)`;
      });
    }

    showChits(scene) {
      const all = Object.entries(this.data.chits || {});
      const pieces = Object.keys(this.data.pieces || {}).map((label) => scene.table[label]);
      this.once("chits", [...all.map(([label]) => scene.cards[label]), ...pieces], () => this.chits.replaceChildren(...this.shelvesOf(scene), ...this.chitsOf(scene, all)));
    }

    // What lies by the name of a place, in the order in which it lies there.
    lying(place, scene) {
      const chits = Object.entries(this.data.chits || {}).filter(([each, first]) => (scene.cards[each] || [])[place - first] != null);
      const pieces = Object.keys(this.data.pieces || {}).filter((each) => this.byName.get(scene.table[each]) === place);
      return [...chits.map(([each]) => each), ...pieces];
    }

    // A plate under what lies by a name that joins both, so that nobody takes it for the neighbour's.
    shelvesOf(scene) {
      const { shelves, plates, token } = this.at;
      const made = [];
      (shelves || []).forEach((shelf, place) => {
        const here = shelf ? this.lying(place, scene) : [];
        if (!here.length) return;
        const [first, last] = [here[0], here[here.length - 1]].map((label) => this.slot(place, label, scene));
        const [name, half] = [plates[place], token / 2 + 2];
        const row = { left: first.x - half, right: last.x + half, top: first.y - half, bottom: last.y + half };
        if (row.top > name.y + name.h / 2) row.top = name.y + name.h - 1;
        else if (row.left > name.x) row.left = name.x + name.w - 1;
        else row.right = name.x + 1;
        made.push(draw("rect", { x: row.left, y: row.top, width: row.right - row.left, height: row.bottom - row.top, rx: 4, class: "shelf" }));
      });
      return made;
    }

    // Where a chit or a piece lies by the name of a place: what lies there is side by side and next to the name.
    slot(place, label, scene) {
      const { x, y, cells, side } = this.at.shelves[place];
      const here = this.lying(place, scene);
      const free = Math.max(0, cells - here.length);
      return { x: x + (free * side + here.indexOf(label)) * (this.at.token + 3), y };
    }

    chitsOf(scene, all) {
      const { shelves, token } = this.at;
      const made = [];
      all.forEach(([label, first]) => {
        (scene.cards[label] || []).forEach((chit, i) => {
          if (chit === null || !shelves[first + i]) return;
          const { x, y } = this.slot(first + i, label, scene);
          const colour = label.split(" ")[0];
          const one = draw("g", { class: `chit c-${classOf(colour)}`, role: "img" }, draw("title", {}, this.chitWords(colour, this.data.places[first + i].name, chit)));
          one.append(draw("circle", { cx: x, cy: y, r: token / 2 - 0.5 }));
          one.append(mark(chit === "gold" ? "coin" : chit === "face_down" ? "unknown" : chit, x, y, token * 0.66));
          made.push(one);
        });
      });
      return made;
    }

    chitWords(colour, place, chit) {
      const text = (name) => (this.data.tokens && this.data.tokens[name] ? this.data.tokens[name].text : "");
      const whose = text(colour) && `, ${text(colour)}`;
      return `${colour} chit of ${place}${whose}: ${text(chit) || chit.replace("_", " ")}`;
    }

    // Pieces stay the same elements, so that they travel from place to place.
    piece(label, symbol) {
      const half = this.at.token / 2 || 8;
      const made = draw("g", { class: "piece", hidden: "", role: "img" }, draw("title", {}));
      made.append(draw("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 3 }), mark(symbol, 0, 0, half * 1.72));
      made.arenaLabel = label;
      return made;
    }

    showPieces(scene) {
      const { shelves, spots } = this.at;
      for (const piece of this.pieces.children) {
        const name = scene.table[piece.arenaLabel];
        const place = this.byName.get(name);
        piece.toggleAttribute("hidden", place === undefined);
        piece.arenaAt = null;
        if (place === undefined) continue;
        const { x, y } = shelves[place] ? this.slot(place, piece.arenaLabel, scene) : spots[place];
        piece.arenaAt = { x, y };
        piece.style.transform = `translate(${x}px, ${y}px)`;
        const about = (this.data.tokens || {})[piece.arenaLabel];
        piece.firstChild.textContent = `${piece.arenaLabel}: ${name}${about ? `, ${about.text}` : ""}`;
      }
    }

    // A row of signs, one of which the scene names: on what the rose lies, for one.
    showDials(scene) {
      if (!this.at.dials) return;
      const values = Object.keys(this.data.dials).map((label) => scene.table[label]);
      this.once("dials", values, () => this.dials.replaceChildren(...this.dialsOf(scene)));
    }

    dialsOf(scene) {
      const size = this.at.dials - 8;
      const made = [];
      Object.entries(this.data.dials || {}).forEach(([label, values], row) => {
        const wide = Math.min(150, (this.at.w - 24) / values.length);
        const longest = Math.max(...values.map((value) => value.length));
        const y = this.at.h - 8 - (row + 0.5) * size;
        const left = (this.at.w - wide * values.length) / 2;
        values.forEach((value, i) => {
          const on = scene.table[label] === value;
          const one = draw("g", { class: on ? "dial on" : "dial", role: "img" }, draw("title", {}, `${label} ${value}`));
          one.append(draw("rect", { x: left + i * wide + 3, y: y - size / 2, width: wide - 6, height: size, rx: 5 }));
          one.append(mark(value, left + i * wide + 6 + size / 2, y, size * 0.72, `i-${value}`));
          const room = wide - size - 16; // beside the sign, for the longest name and the rose
          if (room > Math.max(40, longest * 7.2 + size * 0.6)) one.append(draw("text", { x: left + i * wide + size + 10, y: y + 4.5 }, value));
          if (on) one.append(mark("rose", left + (i + 1) * wide - 4 - size * 0.36, y, size * 0.6, "here"));
          one.arenaDial = [label, value];
          made.push(one);
        });
      });
      return made;
    }

    // Lights up places that can be chosen; `choose` is called with the number of the place.
    light(places, choose) {
      this.lit = { places, choose };
      this.targets.replaceChildren(...places.map((place) => {
        const made = this.around(place, "target", 0);
        made.append(draw("title", {}, this.data.places[place].name));
        if (choose) made.addEventListener("click", () => choose(place));
        return made;
      }));
      this.picture.classList.toggle("choosing", places.length > 0);
    }

    // Chooses the place or the sign of a dial that an item of the picture shows. Returns whether it can be chosen.
    choose({ arenaPlace, arenaDial }) {
      const place = this.lit.choose && this.lit.places.includes(arenaPlace);
      const dial = this.litDials.choose && arenaDial && this.litDials.signs.some((each) => each.join() === arenaDial.join());
      if (place) this.lit.choose(arenaPlace);
      else if (dial) this.litDials.choose(...arenaDial);
      return Boolean(place || dial);
    }

    // A frame around a place, `more` pixels larger than one that is lit.
    around(place, kind, more) {
      const { spots, square, scale } = this.at;
      const [w, h] = square ? [square.w + 6 + more, square.h + 6 + more] : [34 * scale + more, 34 * scale + more];
      return draw("rect", { x: spots[place].x - w / 2, y: spots[place].y - h / 2, width: w, height: h, rx: 8, class: kind });
    }

    // Lights up signs of dials that can be chosen, as [label, sign]; `choose` is called with both.
    lightDials(signs, choose) {
      this.litDials = { signs, choose };
      const labels = Object.entries(this.data.dials || {});
      const all = [...this.dials.querySelectorAll(".dial rect")];
      const flat = labels.flatMap(([label, values]) => values.map((value) => `${label}:${value}`));
      this.dialTargets.replaceChildren(...signs.map(([label, sign]) => {
        const under = all[flat.indexOf(`${label}:${sign}`)];
        const size = Object.fromEntries(["x", "y", "width", "height", "rx"].map((name) => [name, under ? under.getAttribute(name) : 0]));
        const made = draw("rect", { ...size, class: "target dial-target" }, draw("title", {}, `${label} ${sign}`));
        if (choose) made.addEventListener("click", () => choose(label, sign));
        return made;
      }));
    }

    // Marks places that are picked, and places at which a hint or a lesson points.
    mark(picked, pointed) {
      this.marked = { picked, pointed };
      this.marks.replaceChildren(...picked.map((place) => this.around(place, "place-picked", 2)), ...pointed.map((place) => this.around(place, "pointer", 12)));
    }

    // Draws an arrow for each [seat, place, place]: where its figure could have gone instead.
    suggest(ways) {
      this.suggested = ways;
      this.arrows.replaceChildren(...ways.map(([seat, from, to]) => {
        const [one, other] = [this.over(from), this.at.spots[to]];
        const [dx, dy] = [other.x - one.x, other.y - one.y];
        const far = Math.hypot(dx, dy) || 1;
        const [x, y] = [dx / far, dy / far];
        const head = `M${other.x} ${other.y}L${other.x - 16 * x + 8 * y} ${other.y - 16 * y - 8 * x}L${other.x - 16 * x - 8 * y} ${other.y - 16 * y + 8 * x}Z`;
        return draw("path", { d: `M${one.x} ${one.y}L${other.x - 12 * x} ${other.y - 12 * y}${head}`, class: `arrow s${seat % 10}` }, draw("title", {}, `better: to ${this.data.places[to].name}`));
      }));
    }

    // Returns the meanings of the signs on a track, or of what lies on a map, as list items.
    legend() {
      const kinds = this.at.track ? this.kinds.filter((kind) => arenaBoard.symbols.known(kind) && kind !== "start" && kind !== "goal") : [];
      const item = (kind, symbol, name, text) => {
        const made = document.createElement("li");
        made.className = kind;
        if (text) made.title = text;
        made.append(arenaBoard.symbols.icon(symbol), name);
        return made;
      };
      const tokens = Object.entries(this.data.tokens || {}).map(([label, { symbol, name, text }]) => item(`c-${classOf(label)}`, symbol, name, text));
      return [...kinds.map((kind) => item(`k-${classOf(kind)}`, kind, kind, arenaBoard.meaning(this.data, kind))), ...tokens];
    }
  }

  return Board;
})();
