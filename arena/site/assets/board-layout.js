// Where everything on a board is drawn in a picture of a given size, in pixels. Three layouts: a `map`, stretched where its
// places are dense; a `track` of squares in rows; and, for any other board, the places as the game says.
"use strict";
arenaBoard.layout = (function () {
  const TITLE = 26; // above a map
  const STRETCH = 3; // how much more a map is stretched upright than across, where it has the room
  const MOST_SIGNS = 40; // of a board with more places only the marks are drawn

  const box = (x, y, w, h) => ({ x: x - w / 2, y: y - h / 2, w, h });

  // A smooth rising function through points of rising x (Fritsch and Carlson 1980), straight beyond the ends.
  function smooth(xs, ys) {
    const n = xs.length;
    const slopes = xs.slice(1).map((x, i) => (ys[i + 1] - ys[i]) / (x - xs[i]));
    const at = xs.map((_, i) => {
      if (i === 0) return slopes[0];
      if (i === n - 1) return slopes[n - 2];
      return (2 * slopes[i - 1] * slopes[i]) / (slopes[i - 1] + slopes[i] || 1);
    });
    return (x) => {
      if (x <= xs[0]) return ys[0] + (x - xs[0]) * at[0];
      if (x >= xs[n - 1]) return ys[n - 1] + (x - xs[n - 1]) * at[n - 1];
      let i = 0;
      while (x > xs[i + 1]) i += 1;
      const h = xs[i + 1] - xs[i];
      const t = (x - xs[i]) / h;
      const [t2, t3] = [t * t, t * t * t];
      return ys[i] * (2 * t3 - 3 * t2 + 1) + h * at[i] * (t3 - 2 * t2 + t) + ys[i + 1] * (3 * t2 - 2 * t3) + h * at[i + 1] * (t3 - t2);
    };
  }

  // Moves zones of a row, between two ends, aside by as little as keeps them off each other.
  function spread(zones, low, high) {
    const runs = []; // zones that touch each other: { zones, w, x: where they begin }
    for (const zone of [...zones].sort((one, other) => one.x - other.x)) {
      const fit = (run) => ({ ...run, x: Math.max(low, Math.min(run.want, high - run.w)) });
      let run = fit({ zones: [zone], w: zone.w, want: zone.x });
      while (runs.length && runs[runs.length - 1].x + runs[runs.length - 1].w > run.x) {
        const before = runs.pop();
        const [one, other] = [before.zones.length, run.zones.length];
        const want = (before.want * one + (run.want - before.w) * other) / (one + other);
        run = fit({ zones: [...before.zones, ...run.zones], w: before.w + run.w, want });
      }
      runs.push(run);
    }
    return runs.flatMap((run) => {
      let x = run.x;
      return run.zones.map((zone) => ({ ...zone, x: (x += zone.w) - zone.w }));
    });
  }

  arenaBoard.spread = spread;

  // Maps one axis of a board to a picture so that places that are close together move apart; `even` from 0 to 1.
  // `parts`: values that are closer than such a part of all count as one. `ends`, if given, says where two values beyond all places come to, so that the land is not stretched without end.
  function axis(values, low, high, even, parts, ends) {
    const sorted = [...new Set(values)].sort((a, b) => a - b);
    const span = sorted[sorted.length - 1] - sorted[0];
    if (!(span > 0)) return () => (low + high) / 2;
    const near = span / parts; // values closer than this count as one
    const knots = sorted.filter((value, i) => i === 0 || value - sorted[i - 1] >= near);
    if (knots.length < 2) return (value) => low + ((value - sorted[0]) / span) * (high - low);
    const reach = knots[knots.length - 1] - knots[0];
    const to = knots.map((value, i) => low + (high - low) * (even * (i / (knots.length - 1)) + ((1 - even) * (value - knots[0])) / reach));
    if (ends) {
      if (ends.from < knots[0] - near / 4) {
        knots.unshift(ends.from);
        to.unshift(ends.low);
      }
      if (ends.to > knots[knots.length - 1] + near / 4) {
        knots.push(ends.to);
        to.push(ends.high);
      }
    }
    return smooth(knots, to);
  }

  // The data of an SVG path of lines (M, l and z alone, as engine/atlas writes) through a function of points.
  function bent(land, move) {
    const number = (value) => Math.round(value * 10) / 10;
    return land.split("M").filter(Boolean).map((part) => {
      const values = (part.match(/-?\d*\.?\d+/g) || []).map(Number);
      let [x, y] = values;
      const points = [];
      for (let i = 0; i + 1 < values.length; i += 2) {
        if (i) [x, y] = [x + values[i], y + values[i + 1]];
        const [u, v] = move(x, y);
        points.push(`${number(u)} ${number(v)}`);
      }
      return `M${points.join("L")}z`;
    }).join("");
  }

  const textWidth = (text, size) => text.length * size * 0.6 + 8;

  const SMALL = 19; // pixels: a lower pawn is a plain shape with a large number, so that this can be read
  const LEAST = 15; // pixels: the height of a pawn wherever there is room for it
  const SMALLEST = 14.2; // pixels: the same on a phone's track
  const NEAR = 20; // pixels that a name should at most be away from its place

  // How much room a pawn of some height takes, with what is between it and the next.
  const pawnSize = (height) => ({ small: height < SMALL, wide: height * (height < SMALL ? 0.7 : 0.88), high: height * 1.12 });

  // Where the places of a map are in the picture: a function of a board's x and y.
  function bending(data, w, h, top) {
    const side = Math.min(70, w * 0.09);
    if (data.layout !== "map") {
      const fit = Math.min((w - 2 * side) / data.width, (h - top - 50) / data.height);
      const [dx, dy] = [(w - fit * data.width) / 2, top + (h - top - fit * data.height) / 2];
      return (u, v) => [dx + u * fit, dy + v * fit];
    }
    const narrow = w < 500; // then the places are spread evenly, also those that are close together
    const xs = data.places.map((place) => place.x);
    const ys = data.places.map((place) => place.y);
    const across = (w - 2 * side) / (Math.max(...xs) - Math.min(...xs));
    const span = Math.min(h * (narrow ? 0.66 : 0.6), Math.max(150, STRETCH * across * (Math.max(...ys) - Math.min(...ys))));
    const high = top + (h - top - span) * 0.46;
    const x = axis(xs, side, w - side, narrow ? 0.8 : 0.62, narrow ? 160 : 40, { from: 0, to: data.width, low: -2, high: w + 2 });
    const y = axis(ys, high, high + span, narrow ? 0.8 : 0.5, 40, { from: 0, to: data.height * 0.72, low: Math.min(-4, high - span * 0.5), high: Math.max(h + 4, high + span * 1.6) });
    return (u, v) => [x(u), y(v)];
  }

  // The shapes that a name can have with what lies by it: below it, or beside it. `cells`: how many chits and pieces.
  function signShapes(name, font, pad, cells, token) {
    const [w, h] = [textWidth(name, font), font + pad];
    if (!cells) return [{ w, h, plate: [0, 0, w, h] }];
    const row = cells * (token + 3) - 3;
    const wide = Math.max(w, row);
    const high = Math.max(h, token);
    const middle = (high - h) / 2;
    return [
      { w: wide, h: h + 2 + token, plate: [(wide - w) / 2, 0, w, h], shelf: [(wide - row) / 2 + token / 2, h + 2 + token / 2, 0.5] },
      { w: w + 3 + row, h: high, cost: 12, plate: [0, middle, w, h], shelf: [w + 3 + token / 2, high / 2, 0] },
      { w: w + 3 + row, h: high, cost: 12, plate: [row + 3, middle, w, h], shelf: [token / 2, high / 2, 1] },
    ];
  }

  function mapLayout(data, w, h, seats) {
    const scale = Math.min(1, Math.max(0.54, Math.sqrt(w * h) / 560));
    const font = Math.max(9.5, 13.5 * scale);
    const pawn = Math.max(LEAST, 23 * scale * (seats > 3 ? 0.86 : 1));
    const { small, wide, high: tall } = pawnSize(pawn);
    const top = h > 380 ? TITLE : 6;
    const frame = { x: 8, y: top + 2, w: w - 16, h: h - top - 10 };
    const { places } = data;
    const move = bending(data, w, h, top);
    const spots = places.map((place) => {
      const [x, y] = move(place.x, place.y);
      return { x, y };
    });
    const few = places.length <= MOST_SIGNS;
    const fixed = spots.map((spot, i) => ({ ...box(spot.x, spot.y, 13 * scale + 3, 13 * scale + 3), of: i }));
    const legs = data.routes.filter((route) => route.length === 2).map((route) => route.map((at) => spots[at]));
    const lines = data.routes.flatMap((route, i) => arenaBoard.along(route.map((at) => spots[at]), `leg ${i}`));
    const chits = Object.values(data.chits || {});
    const token = Math.max(12, 21 * scale);
    const pad = scale < 0.7 ? 4 : 7; // of a name and its plate
    const start = 6.5 * scale + 2; // off the circle of a place
    const zones = [];
    spots.forEach((spot, i) => {
      const columns = [...new Set([Math.min(seats, 3), Math.min(seats, 2), seats])].filter((number) => number === 3 || number * 1 === seats || Math.ceil(seats / number) <= 3);
      const shapes = columns.map((number) => ({ w: number * wide + 2, h: Math.ceil(seats / number) * tall, columns: number, cost: number === Math.min(seats, 3) ? 0 : 10 }));
      zones.push({ spots: [spot], shapes, far: [start, start + 4, start + 8, start + 14, start + 22, ...(few ? [] : [40, 60])], near: 4, reach: start + 3, lines: 0.12, of: i, kind: "pawns", leader: false });
      if (!few) return;
      const carries = chits.length > 0 && chits.some((from) => i >= from) && places[i].kind === "city";
      const cells = carries ? chits.length + 1 : 0; // of its chits and of a piece
      const name = small && places[i].short ? places[i].short : places[i].name;
      zones.push({ spots: [spot], shapes: signShapes(name, font, pad, cells, token), far: [start, start + 5, start + 10, start + 16, start + 24, start + 34, start + 48], near: 1.4, reach: NEAR, lines: 0.5, of: i, kind: "sign", leader: true, name, cells });
    });
    data.routes.forEach((route, i) => {
      const options = (data.tickets || [])[i];
      if (!options || route.length !== 2) return;
      const [one, other] = route.map((at) => spots[at]);
      const size = 15 * scale + 1;
      const cells = options.reduce((sum, option) => sum + option.length, 0);
      const shapes = [{ w: cells * (size + 1) + (options.length - 1) * 7 + 8, h: size + 5 }];
      const part = (share) => ({ x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share });
      zones.push({ spots: [part(0.5), part(0.36), part(0.64)], shapes, far: [-1, 3, 8, 14, 22, 34], near: 1.6, reach: 16, lines: 0.5, of: `leg ${i}`, leg: legs.find(([from, to]) => from === one && to === other), legs, kind: "ticket", options, size, route: i });
    });
    const found = { w, h, scale, font, pad, pawn, small, wide, tall, token, top, spots, signs: [], plates: [], shelves: [], names: [], rooms: [], tickets: [], move };
    arenaBoard.settle(zones, { frame, fixed, lines, spots }).forEach(({ box: at, shape }, i) => {
      const zone = zones[i];
      if (zone.kind === "ticket") found.tickets.push({ ...zone, box: at });
      else if (zone.kind === "pawns") found.rooms[zone.of] = { ...at, columns: shape.columns };
      else {
        const [x, y, width, height] = shape.plate;
        found.signs[zone.of] = at;
        found.names[zone.of] = zone.name;
        found.plates[zone.of] = { x: at.x + x, y: at.y + y, w: width, h: height };
        found.shelves[zone.of] = shape.shelf ? { x: at.x + shape.shelf[0], y: at.y + shape.shelf[1], side: shape.shelf[2], cells: zone.cells } : null;
      }
    });
    found.land = data.land ? bent(data.land, move) : null;
    return found;
  }

  // Rows that run to the right and to the left in turn, like the pages of a book that is read as one ploughs.
  function trackLayout(data, w, h, seats) {
    const number = data.places.length;
    const margin = { x: 10, top: h > 380 ? TITLE : 6, bottom: 8 };
    const dials = Object.keys(data.dials || {}).length ? (h > 380 ? 44 : 30) : 0;
    const inner = { w: w - 2 * margin.x, h: h - margin.top - margin.bottom - dials };
    const rows = Math.max(1, Math.round(number / Math.sqrt((1.55 * inner.w * number) / inner.h)));
    const columns = Math.max(2, Math.ceil(number / rows)); // so that the last row is not nearly empty
    const pitch = { x: inner.w / columns, y: inner.h / rows };
    const scale = Math.min(1, Math.max(0.6, pitch.x / 52));
    const font = Math.max(9, 12 * scale);
    const tight = pitch.y < 60; // then the ring of who is on turn may touch the name above
    const names = font + (tight ? 2 : 3);
    const ringed = tight ? 1.12 : 1.3; // how much room a pawn takes upright with that ring, as a part of its height
    const least = pitch.y - names - (tight ? SMALLEST : LEAST) * ringed; // what the pawns leave for the square
    const square = { w: pitch.x * 0.94, h: Math.max(10, Math.min(pitch.x * 0.94, pitch.y * 0.54, least)) };
    const above = pitch.y - square.h - names;
    const pawn = Math.min(24, above / ringed);
    const { small, wide, high: tall } = pawnSize(pawn);
    const spots = [];
    const rooms = [];
    const signs = [];
    for (let i = 0; i < number; i += 1) {
      const row = Math.trunc(i / columns);
      const column = row % 2 ? columns - 1 - (i % columns) : i % columns;
      const x = margin.x + (column + 0.5) * pitch.x;
      const y = margin.top + row * pitch.y + above + square.h / 2;
      spots.push({ x, y });
      rooms.push({ x: x - pitch.x / 2 + 1, y: y - square.h / 2 - above, w: pitch.x - 2, h: above });
      const kind = data.places[i].kind;
      if (!/\d$/.test(data.places[i].name) && kind) {
        const wide = textWidth(data.places[i].name, font);
        const left = Math.min(Math.max(x - wide / 2, 3), w - wide - 3);
        signs[i] = { x: left, y: y + square.h / 2 + 1, w: wide, h: names };
      }
    }
    const fit = Math.max(w / data.width, h / (data.height * 0.8)); // only an ornament: it covers the picture, cut at its edges
    const land = data.land ? bent(data.land, (x, y) => [w / 2 + (x - data.width * 0.4) * fit, h / 2 + (y - data.height * 0.45) * fit]) : null;
    return { w, h, scale, font, pawn, small, wide, tall, token: 0, top: margin.top, spots, signs, rooms, tickets: [], square, land, dials, track: true };
  }

  const made = new WeakMap(); // by board the layouts that were needed lately: many games are shown at one size

  return (data, w, h, seats) => {
    const known = made.get(data) || new Map();
    const key = `${w} ${h} ${seats}`;
    if (!known.has(key)) {
      if (known.size > 7) known.clear();
      known.set(key, (data.layout === "track" ? trackLayout : mapLayout)(data, w, h, seats));
    }
    made.set(data, known);
    return known.get(key);
  };
})();
