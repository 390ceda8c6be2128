// Draws a board as SVG: land, routes, places by kind, and a pin for every occupied place, with its pawns side by side.
"use strict";
arenaViewer.Board = (function () {
  const SVG = "http://www.w3.org/2000/svg";
  const PAWN = 8; // radius of a pawn, in units of the board (which is about 1000 wide)
  const GAP = 17; // from pawn to pawn
  const SIZE = 12; // the font size
  const MARGIN = 2;
  const ROOM = 105; // space above and below the places
  const NUMBERED = /\d$/;
  // Shapes within 5 units around 0,0; the first is for places without a kind.
  const SHAPES = [
    "M0-2.2A2.2 2.2 0 0 1 0 2.2A2.2 2.2 0 0 1 0-2.2Z",
    "M0-4.4A4.4 4.4 0 0 1 0 4.4A4.4 4.4 0 0 1 0-4.4Z",
    "M-4.2-4.2H4.2V4.2H-4.2Z",
    "M0-5.4L5.4 0L0 5.4L-5.4 0Z",
    "M0-5L5 4H-5Z",
    "M-1.7-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",
    "M0 5L-5-4H5Z",
  ];

  function draw(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function overlap(one, other) {
    const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
    const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
    return wide > 0 && high > 0 ? wide * high : 0;
  }

  const sum = (box, others) => others.reduce((total, other) => total + overlap(box, other), 0);

  function around(x, y, w, h) {
    return { x: x - w / 2, y: y - h / 2, w: w, h: h };
  }

  function inside(box, frame) {
    const x = Math.min(Math.max(box.x, frame.x + MARGIN), frame.x + frame.w - box.w - MARGIN);
    const y = Math.min(Math.max(box.y, frame.y + MARGIN), frame.y + frame.h - box.h - MARGIN);
    return { x: x, y: y, w: box.w, h: box.h };
  }

  // The part of a board that is shown: its whole width, and the heights that have places, with some space.
  function frameOf(board) {
    const heights = board.places.map((place) => place.y);
    const top = Math.max(0, Math.min(...heights) - ROOM);
    return { x: 0, y: top, w: board.width, h: Math.min(board.height, Math.max(...heights) + ROOM) - top };
  }

  // Small boxes along the routes.
  function along(board) {
    const found = [];
    for (const route of board.routes) {
      route.slice(1).forEach((to, index) => {
        const [one, other] = [board.places[route[index]], board.places[to]];
        const pieces = Math.ceil(Math.hypot(other.x - one.x, other.y - one.y) / 8);
        for (let piece = 0; piece < pieces; piece += 1) {
          const part = piece / pieces;
          found.push(around(one.x + (other.x - one.x) * part, one.y + (other.y - one.y) * part, 5, 5));
        }
      });
    }
    return found;
  }

  // The possible boxes of a place's label, the best first.
  function labelBoxes(place, text, frame) {
    const w = text.length * SIZE * 0.56 + 2;
    const h = SIZE * 1.15;
    const side = w / 2 + 8;
    const up = h / 2 + 7;
    const offsets = [[side, 0], [0, up], [-side, 0], [0, -up], [side, up], [-side, up], [side, -up], [-side, -up]];
    offsets.push([side + 8, 2 * up], [-side - 8, 2 * up], [0, 2 * up], [side + 8, -2 * up]);
    return offsets.map(([x, y]) => inside(around(place.x + x, place.y + y, w, h), frame));
  }

  // The captions of the places: their names, but if many names are numbered, only the number of every tenth of those.
  function captions(places) {
    const many = places.filter((place) => NUMBERED.test(place.name)).length > 20;
    const number = (name) => Number(/\d+$/.exec(name)[0]);
    const named = places.map((place) => {
      if (!many || !NUMBERED.test(place.name)) return { place: place, text: place.name };
      return number(place.name) % 10 ? null : { place: place, text: String(number(place.name)), minor: true };
    });
    return named.filter(Boolean).sort((one, other) => Boolean(one.minor) - Boolean(other.minor));
  }

  // Labels with their boxes. One that would cover another is left out; pointing at the place shows its name.
  function labelled(board, frame) {
    const dots = [...board.places.map((place) => around(place.x, place.y, 9, 9)), ...along(board)];
    const taken = [];
    const found = [];
    for (const caption of captions(board.places)) {
      let best = null;
      labelBoxes(caption.place, caption.text, frame).forEach((box, order) => {
        const cost = 20 * sum(box, taken) + 2 * sum(box, dots) + 4 * order;
        if (!best || cost < best.cost) best = { box: box, cost: cost, hidden: sum(box, taken) };
      });
      if (best.hidden > 0) continue;
      taken.push(best.box);
      found.push({ text: caption.text, box: best.box, minor: caption.minor });
    }
    return found;
  }

  // The possible offsets of a pin of width w: from the place to the middle of the pin.
  function pinOffsets(w) {
    const found = [];
    for (const far of [21, 38, 56]) {
      for (const aside of [0, w / 2, -w / 2]) found.push([aside, -far], [aside, far]);
      found.push([w / 2 + far - 6, 0], [-w / 2 - far + 6, 0]);
    }
    return found;
  }

  class Board {
    // Draws a board into the element `home`; `data` is the game's board (see engine/picture.py).
    constructor(home, data, seats) {
      this.home = home;
      this.data = data;
      this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
      this.kinds = [...new Set(data.places.map((place) => place.kind))].filter((kind) => kind !== null);
      this.frame = frameOf(data);
      this.labels = labelled(data, this.frame);
      const view = `${this.frame.x} ${this.frame.y} ${this.frame.w} ${this.frame.h}`;
      this.picture = draw("svg", { viewBox: view, role: "img", class: "board" });
      this.name = draw("title", { id: "board-name" }, data.title);
      this.about = draw("desc", { id: "board-about" });
      this.picture.setAttribute("aria-labelledby", "board-name board-about");
      this.stems = draw("g", { class: "stems" });
      this.pawns = Array.from({ length: seats }, (_, seat) => this.pawn(seat));
      this.picture.append(this.name, this.about, ...this.ground(), this.stems, ...this.pawns);
      this.home.replaceChildren(this.picture);
    }

    ground() {
      const places = this.data.places;
      const line = (route) => route.map((at) => `${places[at].x},${places[at].y}`).join(" ");
      const land = this.data.land ? [draw("path", { d: this.data.land, class: "land" })] : [];
      const routes = this.data.routes.map((route) => draw("polyline", { points: line(route), class: "route" }));
      const labels = this.labels.map((label) => {
        const at = { x: label.box.x + label.box.w / 2, y: label.box.y + label.box.h * 0.76, class: label.minor ? "minor" : "label" };
        return draw("text", at, label.text);
      });
      return [...land, ...routes, ...places.map((place) => this.place(place)), ...labels];
    }

    place(place) {
      const made = draw("g", { transform: `translate(${place.x} ${place.y})` });
      const kind = place.kind === null ? "" : ` (${place.kind})`;
      made.append(Board.mark(this.kinds.indexOf(place.kind) + 1), draw("title", {}, `${place.name}${kind}`));
      return made;
    }

    // Draws the sign of the n-th kind of places.
    static mark(number) {
      const shape = number === 0 ? 0 : ((number - 1) % (SHAPES.length - 1)) + 1;
      return draw("path", { d: SHAPES[shape], class: `place k${shape}` });
    }

    pawn(seat) {
      const made = draw("g", { class: `pawn s${seat}` });
      made.append(draw("circle", { r: PAWN + 2.5, class: "halo" }), draw("circle", { r: PAWN, class: "body" }));
      made.append(draw("text", { y: 4 }, String(seat)));
      return made;
    }

    // Puts the pawns on their places in a scene; `turn` is a seat or null, `about` describes the positions in words.
    show(at, turn, about) {
      const groups = new Map();
      at.forEach((place, seat) => {
        if (place !== null) groups.set(place, [...(groups.get(place) || []), seat]);
        this.pawns[seat].toggleAttribute("hidden", place === null);
        this.pawns[seat].classList.toggle("on-turn", seat === turn);
      });
      this.about.textContent = about;
      this.stems.replaceChildren();
      const taken = [];
      for (const place of [...groups.keys()].sort((one, other) => one - other)) {
        taken.push(this.pin(this.data.places[place], groups.get(place), taken));
      }
    }

    // Draws the pawns of one place where they cover least, and returns the box that they occupy.
    pin(place, seats, taken) {
      const w = GAP * (seats.length - 1) + 2 * PAWN + 5;
      const h = 2 * PAWN + 5;
      const labels = this.labels.map((label) => label.box);
      const spot = around(place.x, place.y, 6, 6);
      let best = null;
      for (const [x, y] of pinOffsets(w)) {
        const box = inside(around(place.x + x, place.y + y, w, h), this.frame);
        const cost = 30 * sum(box, taken) + 3 * sum(box, labels) + 30 * overlap(box, spot) + 4 * Math.hypot(x, y);
        if (!best || cost < best.cost) best = { box: box, cost: cost };
      }
      const middle = { x: best.box.x + w / 2, y: best.box.y + h / 2 };
      this.stems.append(draw("line", { x1: place.x, y1: place.y, x2: middle.x, y2: middle.y }));
      seats.forEach((seat, order) => {
        this.move(this.pawns[seat], best.box.x + h / 2 + GAP * order, middle.y);
      });
      return best.box;
    }

    move(pawn, x, y) {
      pawn.style.transform = `translate(${x}px, ${y}px)`;
    }

    // On a narrow screen: scrolls a place into view.
    reveal(place) {
      const room = this.home.scrollWidth - this.home.clientWidth;
      if (room <= 0 || place === null) return;
      const x = (this.data.places[place].x / this.data.width) * this.home.scrollWidth - this.home.clientWidth / 2;
      const left = Math.min(Math.max(x, 0), room);
      if (Math.abs(left - this.home.scrollLeft) < this.home.clientWidth / 4) return;
      this.home.scrollTo({ left: left, behavior: this.calm.matches ? "instant" : "smooth" });
    }

    // Returns the meanings of the signs as list items.
    legend() {
      return this.kinds.map((kind, index) => {
        const item = document.createElement("li");
        const sign = draw("svg", { viewBox: "-7 -7 14 14", "aria-hidden": "true" });
        sign.append(Board.mark(index + 1));
        item.append(sign, kind);
        return item;
      });
    }
  }

  return Board;
})();
