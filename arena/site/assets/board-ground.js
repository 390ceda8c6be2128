// The ground of a board as SVG, which no move changes: the paper, and the routes, places, names and tickets of a map or the squares of
// a track. `board`: { data, at }, what the game says of its board and where everything is (see board-layout.js).
"use strict";
(function () {
  const { draw, mark } = arenaBoard.symbols;
  const NUMBER = /(\d+)$/;
  const LEADER = 9; // pixels: a name that is no farther from its place needs no line to it

  const classOf = (name) => String(name).toLowerCase().replace(/[^a-z0-9]+/g, "-");

  // What a kind of place means, by the terms of the game; "" if they do not say it.
  const meaning = ({ terms = {} }, kind) => terms[`${kind} square`] || terms[kind] || "";

  function paper({ data, at }) {
    const { w, h, land, top, scale } = at;
    const found = [draw("rect", { x: 0, y: 0, width: w, height: h, class: "sea" })];
    for (let i = 1; i < 8; i += 1) found.push(draw("path", { d: `M${(w * i) / 8} 0V${h}`, class: "grid" }));
    for (let i = 1; i < 5; i += 1) found.push(draw("path", { d: `M0 ${(h * i) / 5}H${w}`, class: "grid" }));
    if (land) {
      for (const width of [13, 8, 3.5]) found.push(draw("path", { d: land, class: "shore", "stroke-width": width * scale }));
      found.push(draw("path", { d: land, class: "land" }));
    }
    found.push(draw("rect", { x: 2.5, y: 2.5, width: w - 5, height: h - 5, class: "frame" }));
    found.push(draw("rect", { x: 5.5, y: 5.5, width: w - 11, height: h - 11, class: "frame thin" }));
    if (top > 12) {
      const wide = Math.min(data.title.length * 8.6 + 30, w - 24);
      found.push(draw("rect", { x: (w - wide) / 2, y: 8.5, width: wide, height: 19, rx: 3, class: "cartouche-plate" }));
      found.push(draw("text", { x: w / 2, y: 22.5, class: "cartouche" }, data.title));
    }
    return found;
  }

  // A map

  function mapGround({ data, at }) {
    const { spots, signs, plates, tickets, scale } = at;
    const found = [];
    const line = (route) => route.map((place) => `${spots[place].x} ${spots[place].y}`).join("L");
    for (const kind of ["route under", "route"]) {
      for (const route of data.routes) found.push(draw("path", { d: `M${line(route)}`, class: kind }));
    }
    signs.forEach((sign, place) => {
      if (sign && arenaBoard.away(spots[place], plates[place]) > LEADER * scale) found.push(leader(spots[place], plates[place]));
    });
    for (const each of tickets) found.push(ticket(data, each));
    data.places.forEach((place, i) => {
      const made = draw("g", { class: `place k-${classOf(place.kind)}`, role: "img" }, draw("title", {}, place.name));
      made.append(draw("circle", { cx: spots[i].x, cy: spots[i].y, r: 6.5 * scale }), draw("circle", { cx: spots[i].x, cy: spots[i].y, r: 2.4 * scale, class: "dot" }));
      made.arenaPlace = i;
      found.push(made);
    });
    signs.forEach((box, place) => box && found.push(sign(at, place)));
    return found;
  }

  // The line from a place to what is too far from it to be seen as its own.
  function leader(spot, zone) {
    const { x, y } = arenaBoard.lead(spot, zone);
    return draw("path", { d: `M${spot.x} ${spot.y}L${x} ${y}`, class: "leader" });
  }

  function sign(at, place) {
    const { font, names } = at;
    const { x, y, w, h } = at.plates[place];
    const made = draw("g", { class: "name" }, draw("rect", { x, y, width: w, height: h, rx: 3 }));
    made.append(draw("text", { x: x + w / 2, y: y + h / 2 + font * 0.35, "font-size": font }, names[place]));
    return made;
  }

  function ticket(data, { box, options, size, route }) {
    const made = draw("g", { class: "ticket", role: "img" });
    const names = data.routes[route].map((place) => data.places[place].name).join(" to ");
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

  function trackGround({ data, at }) {
    const { spots, square, signs, font } = at;
    const found = [draw("path", { d: `M${spots.map((spot) => `${spot.x} ${spot.y}`).join("L")}`, class: "bed", "stroke-width": square.h * 0.5 })];
    data.places.forEach((_, i) => found.push(squareOf(data, i, spots[i], square)));
    found.push(...ways(at));
    signs.forEach((sign, i) => {
      if (!sign) return;
      found.push(draw("text", { x: sign.x + sign.w / 2, y: sign.y + font, "font-size": font, class: "stage-name" }, data.places[i].name));
    });
    return found;
  }

  // Arrows below the rows, where no name is, and at their ends, that say which way the track runs.
  function ways(at) {
    const { spots, square, signs, font } = at;
    const found = [];
    let free = 0; // the square from which on the next arrow may be
    spots.slice(1).forEach((to, i) => {
      const from = spots[i];
      const turn = Math.abs(to.y - from.y) > 1;
      const [x, y] = turn ? [from.x, (from.y + to.y) / 2] : [(from.x + to.x) / 2, from.y + square.h / 2 + 2 + font / 2];
      const taken = signs.some((sign) => sign && arenaBoard.overlap(sign, { x: x - 9, y: y - 5, w: 18, h: 10 }));
      if (!turn && (i < free || taken)) return;
      free = turn ? i + 2 : i + 5;
      const angle = turn ? 90 : to.x > from.x ? 0 : 180;
      found.push(draw("path", { d: "M-7 0H5M1 -3.500L5.500 0L1 3.500", transform: `translate(${x} ${y}) rotate(${angle})`, class: "way" }));
    });
    return found;
  }

  function squareOf(data, number, spot, square) {
    const place = data.places[number];
    const known = place.kind !== null && arenaBoard.symbols.known(place.kind);
    const made = draw("g", { class: `square k-${place.kind === null ? "none" : classOf(place.kind)}`, role: "img" });
    const label = NUMBER.test(place.name) ? place.name : `square ${number}, ${place.name}`;
    const means = meaning(data, place.kind);
    made.append(draw("title", {}, place.kind === null ? label : `${label} (${place.kind})${means && `: ${means}`}`));
    made.append(draw("rect", { x: spot.x - square.w / 2, y: spot.y - square.h / 2, width: square.w, height: square.h, rx: 4 }));
    const text = Math.max(8.5, Math.min(16, square.h * 0.42));
    const digits = String(number).length * text * 0.62;
    const size = Math.min(square.h * 0.62, square.w * 0.44, square.w - digits - 4.5);
    const gap = Math.max(0, square.w - digits - size) / 3; // the same at both ends and between sign and number
    if (known) made.append(mark(place.kind, spot.x - square.w / 2 + gap + size / 2, spot.y, size, `i-${place.kind}`));
    made.append(draw("text", { x: spot.x + (known ? square.w / 2 - gap - digits / 2 : 0), y: spot.y + text * 0.35, "font-size": text }, String(number)));
    made.arenaPlace = number;
    return made;
  }

  const ground = (board) => [...paper(board), ...(board.at.track ? trackGround(board) : mapGround(board))];

  Object.assign(arenaBoard, { ground, leader, classOf, meaning, LEADER });
})();
