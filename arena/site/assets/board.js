// Draws a board as SVG and everything that lies open on it. The replay page and the page of a person who plays use it alike:
//   const board = new arenaBoard.Board(home, data, seats);  // `home`: an element of a size of its own; `data`: see engine/picture.py
//   board.show(scene, "in words");                          // moves figures, pieces and chits
//   board.light([3, 5], (place) => …);                      // places that can be chosen; board.light([]) puts them out
"use strict";
arenaBoard.Board = (function () {
  const { draw, mark, layout } = { ...arenaBoard.symbols, layout: arenaBoard.layout };
  const NUMBER = /(\d+)$/;
  const FIGURE = "M-9 12C-9 3.500-6 .5-3.600-.6A5 5 0 0 1-4.300-6.500H-6.500V-8H-4V-13.500H4V-8H6.500V-6.500H4.300A5 5 0 0 1 3.600-.6C6 .5 9 3.500 9 12Z";
  const SMALL = "M-7.500 12V-4.500A7.500 7.500 0 0 1 7.500-4.500V12Z";

  const classOf = (name) => String(name).toLowerCase().replace(/[^a-z0-9]+/g, "-");

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
      this.last = null;
      this.drawn = new Map(); // by part of the picture: what it shows
      this.keys = arenaBoard.leadKeys(this);
      this.redraw();
      this.watcher = new ResizeObserver(() => this.resized());
      this.watcher.observe(home);
    }

    // Ends the board: nothing of it is used after that.
    close() {
      this.watcher.disconnect();
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
      this.pawns = Array.from({ length: this.seats }, (_, seat) => this.pawn(seat));
      this.dials = draw("g", { class: "dials" });
      const ground = this.at.track ? this.trackGround() : this.mapGround();
      this.picture.append(this.name, this.about, ...this.paper(), ...ground, this.stems, this.chits, this.pieces, this.dials, this.marks, ...this.pawns, this.targets, this.dialTargets);
      const focused = this.home.contains(document.activeElement);
      this.home.replaceChildren(this.picture);
      if (this.last) this.show(...this.last);
      this.light(this.lit.places, this.lit.choose);
      this.lightDials(this.litDials.signs, this.litDials.choose);
      this.mark(this.marked.picked, this.marked.pointed);
      this.keys.keep(focused);
    }

    paper() {
      const { w, h, land, top, scale } = this.at;
      const found = [draw("rect", { x: 0, y: 0, width: w, height: h, class: "sea" })];
      for (let i = 1; i < 8; i += 1) found.push(draw("path", { d: `M${(w * i) / 8} 0V${h}`, class: "grid" }));
      for (let i = 1; i < 5; i += 1) found.push(draw("path", { d: `M0 ${(h * i) / 5}H${w}`, class: "grid" }));
      if (land) {
        for (const width of [13, 8, 3.5]) found.push(draw("path", { d: land, class: "shore", "stroke-width": width * scale }));
        found.push(draw("path", { d: land, class: "land" }));
      }
      found.push(draw("rect", { x: 2.5, y: 2.5, width: w - 5, height: h - 5, class: "frame" }));
      found.push(draw("rect", { x: 5.5, y: 5.5, width: w - 11, height: h - 11, class: "frame thin" }));
      if (top > 12) found.push(draw("text", { x: w / 2, y: 23, class: "cartouche" }, this.data.title));
      return found;
    }

    // A map

    mapGround() {
      const { spots, signs, tickets, scale } = this.at;
      const found = [];
      const line = (route) => route.map((place) => `${spots[place].x} ${spots[place].y}`).join("L");
      for (const kind of ["route under", "route"]) {
        for (const route of this.data.routes) found.push(draw("path", { d: `M${line(route)}`, class: kind }));
      }
      signs.forEach((sign, place) => {
        if (sign) found.push(this.leader(spots[place], this.plate(place)));
      });
      for (const ticket of tickets) found.push(this.ticket(ticket));
      this.data.places.forEach((place, i) => {
        const made = draw("g", { class: `place k-${classOf(place.kind)}`, role: "img" }, draw("title", {}, place.name));
        made.append(draw("circle", { cx: spots[i].x, cy: spots[i].y, r: 6.5 * scale }), draw("circle", { cx: spots[i].x, cy: spots[i].y, r: 2.4 * scale, class: "dot" }));
        made.arenaPlace = i;
        found.push(made);
      });
      signs.forEach((sign, place) => sign && found.push(this.sign(place)));
      return found;
    }

    leader(spot, zone) {
      const { x, y } = arenaBoard.lead(spot, zone);
      return draw("path", { d: `M${spot.x} ${spot.y}L${x} ${y}`, class: "leader" });
    }

    // The plate of a sign within its zone.
    plate(place) {
      const { font, pad, signs } = this.at;
      const w = this.data.places[place].name.length * font * 0.58 + 12;
      return { x: signs[place].x + (signs[place].w - w) / 2, y: signs[place].y, w, h: font + pad };
    }

    sign(place) {
      const { font } = this.at;
      const { x, y, w, h } = this.plate(place);
      const made = draw("g", { class: "name" }, draw("rect", { x, y, width: w, height: h, rx: 3 }));
      made.append(draw("text", { x: x + w / 2, y: y + h / 2 + font * 0.35, "font-size": font }, this.data.places[place].name));
      return made;
    }

    ticket({ box, options, size, route }) {
      const made = draw("g", { class: "ticket", role: "img" });
      const names = this.data.routes[route].map((place) => this.data.places[place].name).join(" to ");
      const words = options.map((option) => option.join(" and ")).join(", or ");
      made.append(draw("title", {}, `${names}: ${words}`));
      made.append(draw("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 3 }));
      let x = box.x + 4 + size / 2;
      options.forEach((option, i) => {
        if (i) {
          made.append(draw("path", { d: `M${x - size / 2 + 2} ${box.y + 3}V${box.y + box.h - 3}`, class: "or" }));
          x += 7;
        }
        for (const symbol of option) {
          made.append(mark(symbol, x, box.y + box.h / 2, size, `i-${symbol}`));
          x += size + 1;
        }
      });
      return made;
    }

    // A track

    trackGround() {
      const { spots, square, signs, font } = this.at;
      const found = [draw("path", { d: `M${spots.map((spot) => `${spot.x} ${spot.y}`).join("L")}`, class: "bed", "stroke-width": square.h * 0.5 })];
      this.data.places.forEach((place, i) => found.push(this.square(place, i, spots[i])));
      signs.forEach((sign, i) => {
        if (!sign) return;
        found.push(draw("text", { x: sign.x + sign.w / 2, y: sign.y + font, "font-size": font, class: "stage-name" }, this.data.places[i].name));
      });
      return found;
    }

    square(place, number, spot) {
      const { square } = this.at;
      const known = place.kind !== null && arenaBoard.symbols.known(place.kind);
      const made = draw("g", { class: `square k-${place.kind === null ? "none" : classOf(place.kind)}`, role: "img" });
      const label = NUMBER.test(place.name) ? place.name : `square ${number}, ${place.name}`;
      made.append(draw("title", {}, place.kind === null ? label : `${label} (${place.kind})`));
      made.append(draw("rect", { x: spot.x - square.w / 2, y: spot.y - square.h / 2, width: square.w, height: square.h, rx: 4 }));
      const size = Math.min(square.h * 0.62, square.w * 0.42);
      const text = Math.max(9, Math.min(15, square.h * 0.42));
      if (known) made.append(mark(place.kind, spot.x - square.w * 0.22, spot.y, size, `i-${place.kind}`));
      made.append(draw("text", { x: spot.x + (known ? square.w * 0.24 : 0), y: spot.y + text * 0.35, "font-size": text }, String(number)));
      made.arenaPlace = number;
      return made;
    }

    // What moves

    // A figure, or on a small board a plain shape with a large number: its middle is 0, 0.
    pawn(seat) {
      const { pawn, small } = this.at;
      const made = draw("g", { class: `pawn s${seat}${small ? " small" : ""}`, hidden: "" }); // until a scene says where it is
      const figure = draw("g", { transform: `scale(${pawn / 24})` });
      figure.append(draw("ellipse", { cx: 0, cy: 12, rx: small ? 8.5 : 11, ry: 3.4, class: "halo" }));
      figure.append(draw("path", { d: small ? SMALL : FIGURE, class: "body" }));
      figure.append(small ? draw("text", { y: 9.5, "font-size": 17 }, String(seat)) : draw("text", { y: 10, "font-size": 13 }, String(seat)));
      made.append(figure);
      return made;
    }

    // Puts everything where it is in a scene; `about` says it in words.
    show(scene, about) {
      this.last = [scene, about];
      const groups = new Map();
      scene.at.forEach((place, seat) => {
        if (place !== null) groups.set(place, [...(groups.get(place) || []), seat]);
        this.pawns[seat].toggleAttribute("hidden", place === null);
        this.pawns[seat].classList.toggle("on-turn", seat === scene.turn);
      });
      this.about.textContent = about || "";
      const focused = this.home.contains(document.activeElement);
      this.once("pawns", [...groups], () => {
        if (this.at.track) this.standInRows(groups);
        else this.standAtPlaces(groups);
      });
      this.showChits(scene);
      this.showPieces(scene);
      this.showDials(scene);
      this.keys.keep(focused);
    }

    // Draws a part again only where what it shows has changed.
    once(part, shown, make) {
      const key = JSON.stringify(shown);
      if (this.drawn.get(part) === key) return;
      this.drawn.set(part, key);
      make();
    }

    // Stands figures in rows of so many, the upper left corner of the first at x, y.
    stand(seats, x, y, columns, scale = 1) {
      const { wide, tall } = this.at;
      seats.forEach((seat, order) => {
        const left = x + wide * scale * ((order % columns) + 0.5);
        const upper = y + tall * scale * (Math.trunc(order / columns) + 0.5);
        this.pawns[seat].style.transform = `translate(${left}px, ${upper}px) scale(${scale})`;
      });
    }

    // On a map the figures stand on the sign of their place, and where places have no signs beside it.
    standAtPlaces(groups) {
      const { rooms, spots, wide, tall, shelves } = this.at;
      this.stems.replaceChildren();
      const taken = []; // where figures stand: without signs the rooms of neighbours may meet, and large groups cannot give way
      for (const [place, seats] of [...groups].sort((one, other) => other[1].length - one[1].length)) {
        const room = rooms[place];
        const columns = shelves ? seats.length : Math.min(3, seats.length);
        const w = wide * columns;
        const h = tall * Math.ceil(seats.length / columns);
        const towards = (from, length, used, to) => Math.min(Math.max(to - used / 2, from), from + length - used);
        const middle = { x: room.x + (room.w - w) / 2, y: room.y, w, h };
        const near = { x: towards(room.x, room.w, w, spots[place].x), y: towards(room.y, room.h, h, spots[place].y), w, h };
        const zone = shelves ? middle : Board.apart(near, room, taken);
        taken.push(zone);
        this.stand(seats, zone.x, zone.y, columns);
        if (!shelves) this.stems.append(this.leader(spots[place], zone));
      }
    }

    // On a track the figures of a square stand above it. In a crowded row they make room for each other to the left and right, and
    // a base leads from them to their square.
    standInRows(groups) {
      const { rooms, spots, wide, tall, w, square } = this.at;
      this.stems.replaceChildren();
      const rows = new Map();
      for (const [place, seats] of groups) {
        const { y, h } = rooms[place];
        const zone = { place, seats, x: spots[place].x - (wide * seats.length) / 2, y: y + h - tall, w: wide * seats.length };
        rows.set(y, [...(rows.get(y) || []), zone]);
      }
      for (const row of rows.values()) {
        for (const { place, seats, x, y, w: width } of arenaBoard.spread(row, 6, w - 6)) {
          this.stand(seats, x, y, seats.length);
          const { x: middle, y: centre } = spots[place];
          const top = centre - square.h / 2;
          const half = square.w / 4;
          if (seats.length > 1) this.stems.append(draw("path", { d: `M${x + 1} ${top - 3}H${x + width - 1}L${middle + half} ${top + 1}H${middle - half}Z`, class: "base" }));
        }
      }
    }

    // Moves a zone within a room as little as keeps it off others.
    static apart(zone, room, taken) {
      const covered = (at) => taken.reduce((sum, other) => sum + arenaBoard.overlap(at, other), 0);
      if (!covered(zone)) return zone;
      const tries = [];
      for (let i = 0; i <= 4; i += 1) {
        for (let j = 0; j <= 4; j += 1) tries.push({ ...zone, x: room.x + ((room.w - zone.w) * i) / 4, y: room.y + ((room.h - zone.h) * j) / 4 });
      }
      const cost = (at) => 1000 * covered(at) + Math.hypot(at.x - zone.x, at.y - zone.y);
      return tries.reduce((best, at) => (cost(at) < cost(best) ? at : best), zone);
    }

    showChits(scene) {
      const all = Object.entries(this.data.chits || {});
      this.once("chits", all.map(([label]) => scene.cards[label]), () => this.chits.replaceChildren(...this.chitsOf(scene, all)));
    }

    chitsOf(scene, all) {
      const { signs, token, font, pad } = this.at;
      const made = [];
      all.forEach(([label, first], row) => {
        (scene.cards[label] || []).forEach((chit, i) => {
          const zone = signs[first + i];
          if (chit === null || !zone) return;
          const x = zone.x + zone.w / 2 + (row - (all.length - 1) / 2) * (token + 3) - (token + 3) / 2;
          const y = zone.y + font + pad + (pad < 7 ? 2 : 3) + token / 2;
          const colour = label.split(" ")[0];
          const one = draw("g", { class: `chit c-${classOf(colour)}`, role: "img" }, draw("title", {}, `${colour} chit of ${this.data.places[first + i].name}: ${chit.replace("_", " ")}`));
          one.append(draw("circle", { cx: x, cy: y, r: token / 2 - 0.5 }));
          one.append(mark(chit === "gold" ? "coin" : chit === "face_down" ? "unknown" : chit, x, y, token * 0.66));
          made.push(one);
        });
      });
      return made;
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
      const { signs, spots, token, font, pad } = this.at;
      const rows = Object.keys(this.data.chits || {}).length;
      for (const piece of this.pieces.children) {
        const name = scene.table[piece.arenaLabel];
        const place = this.byName.get(name);
        piece.toggleAttribute("hidden", place === undefined);
        if (place === undefined) continue;
        const zone = signs[place];
        const x = zone ? zone.x + zone.w / 2 + (rows / 2) * (token + 3) : spots[place].x;
        const y = zone ? zone.y + font + pad + (pad < 7 ? 2 : 3) + token / 2 : spots[place].y;
        piece.style.transform = `translate(${x}px, ${y}px)`;
        piece.firstChild.textContent = `${piece.arenaLabel}: ${name}`;
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

    // Returns the meanings of the signs on a track as list items.
    legend() {
      const kinds = this.at.track ? this.kinds.filter((kind) => arenaBoard.symbols.known(kind) && kind !== "start" && kind !== "goal") : [];
      return kinds.map((kind) => {
        const item = document.createElement("li");
        item.className = `k-${classOf(kind)}`;
        item.append(arenaBoard.symbols.icon(kind), kind);
        return item;
      });
    }
  }

  return Board;
})();
