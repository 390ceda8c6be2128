// Where everything on a board is drawn in a picture of a given size, in pixels. Three layouts: a `map`, stretched where its
// places are dense; a `track` of squares in rows; and, for any other board, the places as the game says.
"use strict";
arenaBoard.layout = (function () {
  const TITLE = 26; // above a map
  const MOST_SIGNS = 40; // of a board with more places only the marks are drawn

  const box = (x, y, w, h) => ({ x: x - w / 2, y: y - h / 2, w, h });

  function overlap(one, other) {
    const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
    const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
    return wide > 0 && high > 0 ? wide * high : 0;
  }

  arenaBoard.overlap = overlap;
  arenaBoard.lead = lead;

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
  // `ends`, if given, says where two values beyond all places come to, so that the land is not stretched without end.
  function axis(values, low, high, even, ends) {
    const sorted = [...new Set(values)].sort((a, b) => a - b);
    const span = sorted[sorted.length - 1] - sorted[0];
    if (!(span > 0)) return () => (low + high) / 2;
    const near = span / 40; // values closer than this count as one
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

  // Finds places for zones near their anchors that overlap neither each other nor what is fixed, and whose leaders cross nothing.
  // A zone: { x, y, w, h: size, far: [distances], leader: has it one, to the point at `foot` below its top }. Returns their boxes
  // in order.
  function settle(zones, fixed, lines, frame) {
    const options = zones.map((zone) => candidates(zone, frame, fixed, lines));
    const tries = [0, 3, 8, 17, 31].map((start) => descend(options, start));
    return tries.reduce((best, each) => (each.cost < best.cost ? each : best)).chosen.map(({ box }) => box);
  }

  // What two zones cost each other: even a corner of an overlap is too much.
  function conflict(one, other) {
    const near = { x: other.box.x - 2, y: other.box.y - 2, w: other.box.w + 4, h: other.box.h + 4 };
    const area = overlap(one.box, near);
    const crossed = (one.leader && crosses(one.leader, near)) + (other.leader && crosses(other.leader, one.box));
    return (area > 0 ? 200 + 8 * area : 0) + 90 * crossed;
  }

  // Moves one zone after the other to where it costs least, until none moves.
  function descend(options, start) {
    const chosen = options.map((some, i) => some[(start * (i + 1)) % some.length]);
    const cost = (i, option) => chosen.reduce((sum, other, j) => (j === i ? sum : sum + conflict(option, other)), option.cost);
    for (let sweep = 0, moved = true; moved && sweep < 10; sweep += 1) {
      moved = false;
      options.forEach((some, i) => {
        let least = cost(i, chosen[i]);
        for (const option of some) {
          if (option.cost >= least) break; // they are in the order of what they cost alone
          const now = cost(i, option);
          if (now >= least) continue;
          least = now;
          chosen[i] = option;
          moved = true;
        }
      });
    }
    return { chosen, cost: chosen.reduce((sum, option, i) => sum + cost(i, option), 0) };
  }

  function candidates(zone, frame, fixed, lines) {
    const found = [];
    for (const far of zone.far) {
      for (let turn = 0; turn < 24; turn += 1) {
        const angle = (turn * Math.PI) / 12;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const reach = far + Math.min(zone.w / 2 / Math.max(Math.abs(c), 0.01), zone.h / 2 / Math.max(Math.abs(s), 0.01));
        const at = box(zone.x + c * reach, zone.y + s * reach, zone.w, zone.h);
        at.x = Math.min(Math.max(at.x, frame.x), frame.x + frame.w - zone.w);
        at.y = Math.min(Math.max(at.y, frame.y), frame.y + frame.h - zone.h);
        const leader = zone.leader ? lead(zone, { ...at, y: at.y + zone.foot, h: zone.h - zone.foot }) : null;
        let cost = far * 2.5 + (leader ? 0.6 * Math.hypot(leader.x - zone.x, leader.y - zone.y) : 0);
        for (const each of fixed) {
          const area = overlap(at, each);
          if (area > 0) cost += 200 + 6 * area;
          if (leader && each.of !== zone.of && crosses(leader, each)) cost += 90;
        }
        for (const each of lines) cost += 0.6 * overlap(at, each);
        found.push({ box: at, leader, cost });
      }
    }
    return found.sort((one, other) => one.cost - other.cost);
  }

  // The line from a spot to the nearest point well inside of a box: from `from` to { x, y }.
  function lead(spot, zone) {
    const x = Math.min(Math.max(spot.x, zone.x + 4), zone.x + zone.w - 4);
    const y = Math.min(Math.max(spot.y, zone.y + 2), zone.y + zone.h - 2);
    return { from: spot, x, y };
  }

  // Whether a leader runs through a box (Liang and Barsky 1984).
  function crosses({ from, x, y }, { x: left, y: top, w, h }) {
    let [enters, leaves] = [0, 1];
    for (const [start, way, low, high] of [[from.x, x - from.x, left, left + w], [from.y, y - from.y, top, top + h]]) {
      if (way === 0) {
        if (start < low || start > high) return false;
        continue;
      }
      const [one, other] = [(low - start) / way, (high - start) / way];
      enters = Math.max(enters, Math.min(one, other));
      leaves = Math.min(leaves, Math.max(one, other));
    }
    return enters < leaves;
  }

  // Small boxes along a line, by which it can be kept free.
  function along(points, of) {
    const found = [];
    points.slice(1).forEach((to, i) => {
      const from = points[i];
      const pieces = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 10));
      for (let k = 1; k < pieces; k += 1) {
        found.push({ ...box(from.x + ((to.x - from.x) * k) / pieces, from.y + ((to.y - from.y) * k) / pieces, 6, 6), of });
      }
    });
    return found;
  }

  const textWidth = (text, size) => text.length * size * 0.58 + 12;

  const SMALL = 19; // pixels: a lower pawn is a plain shape with a large number, so that this can be read
  const LEAST = 15; // pixels: the height of a pawn wherever there is room for it

  // How much room a pawn of some height takes, with what is between it and the next.
  const pawnSize = (height) => ({ small: height < SMALL, wide: height * (height < SMALL ? 0.7 : 0.88), high: height * 1.12 });

  function mapLayout(data, w, h, seats) {
    const scale = Math.min(1, Math.max(0.54, Math.sqrt(w * h) / 560));
    const font = Math.max(10, 13.5 * scale);
    const pawn = Math.max(LEAST, 23 * scale * (seats > 3 ? 0.86 : 1));
    const { small, wide, high: tall } = pawnSize(pawn);
    const top = h > 380 ? TITLE : 6;
    const frame = { x: 8, y: top + 4, w: w - 16, h: h - top - 12 };
    const places = data.places;
    const bend = data.layout === "map";
    const side = Math.min(70, w * 0.09);
    const [high, low] = w < 500 ? [0.15, 0.86] : [0.2, 0.82];
    let move;
    if (bend) {
      const x = axis(places.map((p) => p.x), side, w - side, 0.62, { from: 0, to: data.width, low: -2, high: w + 2 });
      const y = axis(places.map((p) => p.y), top + h * high, h * low, w < 500 ? 0.75 : 0.5, { from: 0, to: data.height * 0.72, low: -h * 0.1, high: h * 1.25 });
      move = (u, v) => [x(u), y(v)];
    } else {
      const fit = Math.min((w - 2 * side) / data.width, (h - top - 50) / data.height);
      const [dx, dy] = [(w - fit * data.width) / 2, top + (h - top - fit * data.height) / 2];
      move = (u, v) => [dx + u * fit, dy + v * fit];
    }
    const spots = places.map((place) => {
      const [x, y] = move(place.x, place.y);
      return { x, y };
    });
    const few = places.length <= MOST_SIGNS;
    const fixed = spots.map((spot, i) => ({ ...box(spot.x, spot.y, 14 * scale + 4, 14 * scale + 4), of: i }));
    const lines = data.routes.flatMap((route) => along(route.map((at) => spots[at])));
    const chits = Object.values(data.chits || {});
    const zones = [];
    const token = Math.max(13, 21 * scale);
    const near = [5, 10, 18, 28, 42, 60, 84, 112, 150].map((each) => each * scale);
    const pad = scale < 0.7 ? 4 : 7; // of a name and its plate
    spots.forEach((spot, i) => {
      if (!few) { // only room for the pawns, beside the place
        const columns = Math.min(seats, 3);
        zones.push({ ...spot, w: columns * wide + 2, h: Math.ceil(seats / 3) * tall, far: near, of: i, kind: "pawns", leader: true, foot: 0 });
        return;
      }
      // The pawns stand on the sign of their place in a row, as on a shelf, and its chits lie below.
      const carries = chits.length > 0 && chits.some((from) => i >= from) && places[i].kind === "city";
      const w = Math.max(textWidth(places[i].name, font), carries ? (chits.length + 1) * (token + 3) + 6 : 0, seats * wide + 4);
      const h = tall + font + pad + 2 + (carries ? token + (pad < 7 ? 1 : 5) : 0);
      zones.push({ ...spot, w, h, far: near, of: i, kind: "sign", leader: true, foot: tall });
    });
    data.routes.forEach((route, i) => {
      const options = (data.tickets || [])[i];
      if (!options || route.length !== 2) return;
      const [one, other] = route.map((at) => spots[at]);
      const size = 15 * scale + 1;
      const cells = options.reduce((sum, option) => sum + option.length, 0);
      const zone = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, w: cells * (size + 1) + (options.length - 1) * 7 + 8, h: size + 6 };
      zones.push({ ...zone, far: [-zone.h / 2, 2, ...[9, 20, 34, 50].map((each) => each * scale)], of: `leg ${i}`, kind: "ticket", options, size, route: i });
    });
    const boxes = settle(zones, fixed, lines, frame);
    const found = { w, h, scale, font, pad, pawn, small, wide, tall, token, top, spots, signs: [], rooms: [], tickets: [], move, shelves: few };
    zones.forEach((zone, i) => {
      const { x, y, w: width, h: height } = boxes[i];
      if (zone.kind === "ticket") found.tickets.push({ ...zone, box: boxes[i] });
      else found.rooms[zone.of] = { x, y, w: width, h: zone.kind === "sign" ? tall : height };
      if (zone.kind === "sign") found.signs[zone.of] = { x, y: y + tall, w: width, h: height - tall };
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
    const names = font + (pitch.y < 60 ? 1 : 3);
    const least = pitch.y - names - LEAST * 1.12; // what the pawns leave for the square
    const square = { w: pitch.x * 0.88, h: Math.max(10, Math.min(pitch.x * 0.8, pitch.y * 0.44, least)) };
    const above = pitch.y - square.h - names;
    const pawn = Math.min(24, above / 1.12);
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

  return (data, w, h, seats) => (data.layout === "track" ? trackLayout : mapLayout)(data, w, h, seats);
})();
