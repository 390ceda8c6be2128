// Where each thing that stands around the places of a map can be, figures, names with what lies by them and the tickets of legs, and
// what that costs: by itself, and with another thing. The less it costs, the nearer it is to what it belongs to and the less it covers.
"use strict";
(function () {
  const TURNS = 20; // directions in which a zone is tried
  const KEPT = 80; // of a zone's options: the best ones
  const WRONG = 100; // what it costs to be nearer to something else than to what it belongs to
  const COVERED = 200; // what even a corner of an overlap costs

  const WAYS = Array.from({ length: TURNS }, (_, turn) => ({ c: Math.cos((turn * 2 * Math.PI) / TURNS), s: Math.sin((turn * 2 * Math.PI) / TURNS) }));

  const length = (x, y) => Math.sqrt(x * x + y * y); // Math.hypot takes many times as long

  const exact = (cost) => Math.round(cost * 64) / 64; // so that sums of costs are exact, in whatever order they are added and taken away

  const box = (x, y, w, h) => ({ x: x - w / 2, y: y - h / 2, w, h });

  function overlap(one, other) {
    const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
    if (wide <= 0) return 0;
    const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
    return high > 0 ? wide * high : 0;
  }

  // How far a spot is from a box.
  function away(spot, { x, y, w, h }) {
    return length(Math.max(x - spot.x, spot.x - x - w, 0), Math.max(y - spot.y, spot.y - y - h, 0));
  }

  // The line from a spot to the nearest point well inside of a box: from `from` to { x, y }.
  function lead(spot, zone) {
    const x = Math.min(Math.max(spot.x, zone.x + 4), zone.x + zone.w - 4);
    const y = Math.min(Math.max(spot.y, zone.y + 2), zone.y + zone.h - 2);
    return { from: spot, x, y };
  }

  // Whether a leader runs through a box (Liang and Barsky 1984). It is asked very often, so nothing is made for it.
  function crosses({ from, x, y }, { x: left, y: top, w, h }) {
    if (Math.max(from.x, x) < left || Math.min(from.x, x) > left + w || Math.max(from.y, y) < top || Math.min(from.y, y) > top + h) return false;
    let enters = 0;
    let leaves = 1;
    for (let axis = 0; axis < 2; axis += 1) {
      const start = axis ? from.y : from.x;
      const way = (axis ? y : x) - start;
      if (way === 0) continue;
      const low = ((axis ? top : left) - start) / way;
      const high = ((axis ? top + h : left + w) - start) / way;
      enters = Math.max(enters, Math.min(low, high));
      leaves = Math.min(leaves, Math.max(low, high));
    }
    return enters < leaves;
  }

  // Whether two leaders meet between their ends.
  function meet(one, other) {
    return turn(one.from, one, other.from) * turn(one.from, one, other) < 0 && turn(other.from, other, one.from) * turn(other.from, other, one) < 0;
  }

  // On which side of the way from a to b is c: above or below 0.
  const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

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

  // Everywhere that a zone can be, the best ones first: [{ box, shape, leader, cost }]. A zone: { spots: [{ x, y }] around any of which
  // it can be, shapes: [{ w, h }], far: [distances], near: what a pixel of distance costs, leader: has it one, of: its place, lines: what
  // a square pixel of a line costs on which it lies }.
  function candidates(zone, { frame, fixed, lines, spots }) {
    const found = boxes(zone, frame);
    const edge = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const { x, y, w, h } of [...found.map((each) => each.box), ...zone.spots.map((spot) => box(spot.x, spot.y, 0, 0))]) {
      edge.left = Math.min(edge.left, x);
      edge.top = Math.min(edge.top, y);
      edge.right = Math.max(edge.right, x + w);
      edge.bottom = Math.max(edge.bottom, y + h);
    }
    const inside = ({ x, y, w, h }) => x <= edge.right && x + w >= edge.left && y <= edge.bottom && y + h >= edge.top;
    const around = { fixed: fixed.filter(inside), lines: lines.filter((each) => each.of !== zone.of && inside(each)), spots };
    for (const each of found) weighDistance(zone, each);
    found.sort(byCost);
    const kept = []; // in order; what is farther than the worst of so many need not be weighed
    for (const each of found) {
      if (kept.length === KEPT && each.cost >= kept[KEPT - 1].cost) break;
      weigh(zone, each, around);
      let [low, high] = [0, kept.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (kept[middle].cost <= each.cost) low = middle + 1;
        else high = middle;
      }
      kept.splice(low, 0, each);
      if (kept.length > KEPT) kept.pop();
    }
    return kept;
  }

  const byCost = (one, other) => one.cost - other.cost;

  // Every box of a zone, not yet weighed.
  function boxes(zone, frame) {
    const found = [];
    for (const shape of zone.shapes) {
      const seen = new Set();
      for (const spot of zone.spots) {
        for (const far of zone.far) {
          for (let turn = 0; turn < (far < 0 ? 1 : TURNS); turn += 1) {
            const { c, s } = WAYS[turn];
            const reach = far < 0 ? 0 : far + Math.min(shape.w / 2 / Math.max(Math.abs(c), 0.01), shape.h / 2 / Math.max(Math.abs(s), 0.01));
            const at = box(spot.x + c * reach, spot.y + s * reach, shape.w, shape.h);
            at.x = Math.round(Math.min(Math.max(at.x, frame.x), frame.x + frame.w - shape.w));
            at.y = Math.round(Math.min(Math.max(at.y, frame.y), frame.y + frame.h - shape.h));
            const key = at.x * 100000 + at.y;
            if (seen.has(key)) continue;
            seen.add(key);
            found.push({ box: at, shape, leader: null, far: 0, cost: 0 });
          }
        }
      }
    }
    return found;
  }

  // Adds to an option its leader, how far it is, and what it costs to be so far.
  function weighDistance(zone, option) {
    const { box: at, shape } = option;
    const nearest = shape.plate ? { x: at.x + shape.plate[0], y: at.y + shape.plate[1], w: shape.plate[2], h: shape.plate[3] } : at;
    const far = zone.spots.reduce((least, spot) => Math.min(least, away(spot, nearest)), Infinity);
    option.far = far;
    option.leader = zone.leader ? lead(zone.spots[0], nearest) : null;
    option.cost = exact(zone.near * far + (far > zone.reach ? 6 * (far - zone.reach) : 0) + (shape.cost || 0));
  }

  // Adds to what an option costs what it covers, and what is nearer to it than what it belongs to.
  function weigh(zone, option, { fixed, lines, spots }) {
    const { box: at, leader, far } = option;
    let { cost } = option;
    for (const each of fixed) {
      const area = overlap(at, each);
      if (area > 0) cost += COVERED + 6 * area;
      if (leader && each.of !== zone.of && crosses(leader, each)) cost += 90;
    }
    for (const each of lines) cost += zone.lines * overlap(at, each);
    if (!zone.leg) {
      for (let i = 0; i < spots.length; i += 1) if (i !== zone.of && away(spots[i], at) < far + 3) cost += WRONG;
    } else {
      const middle = { x: at.x + at.w / 2, y: at.y + at.h / 2 };
      const own = toLine(middle, zone.leg);
      for (const leg of zone.legs) if (leg !== zone.leg && toLine(middle, leg) < own + 4) cost += WRONG;
    }
    option.cost = exact(cost);
  }

  // How far a point is from a line between two others.
  function toLine(point, [one, other]) {
    const [dx, dy] = [other.x - one.x, other.y - one.y];
    const t = Math.min(1, Math.max(0, ((point.x - one.x) * dx + (point.y - one.y) * dy) / (dx * dx + dy * dy || 1)));
    return length(point.x - one.x - t * dx, point.y - one.y - t * dy);
  }

  // What two zones cost each other.
  function conflict(one, other) {
    const [a, b] = [one.box, other.box];
    let cost = 0;
    if (a.x < b.x + b.w + 2 && b.x < a.x + a.w + 2 && a.y < b.y + b.h + 2 && b.y < a.y + a.h + 2) {
      cost += COVERED + 8 * overlap(a, b);
    }
    if (one.leader && crosses(one.leader, b)) cost += 90;
    if (other.leader && crosses(other.leader, a)) cost += 90;
    if (one.leader && other.leader && one.leader.from !== other.leader.from && meet(one.leader, other.leader)) cost += 90;
    return exact(cost);
  }

  Object.assign(arenaBoard, { overlap, lead, away, along, candidates, conflict });
})();
