// The way of a figure over a board: along the routes from place to place, quickly, and never longer than it is told of.
//   const moving = arenaBoard.travel(pawn, [{ x: 10, y: 20 }, …], 300);  // an Animation; `cancel` puts it at its end at once
"use strict";
arenaBoard.LONGEST = 400; // milliseconds that a figure travels at most
arenaBoard.LEAST = 150; // in less time than that it is at its place at once
arenaBoard.travel = function (element, points, milliseconds) {
  const lengths = points.map((to, i) => (i ? Math.hypot(to.x - points[i - 1].x, to.y - points[i - 1].y) : 0));
  const whole = lengths.reduce((sum, each) => sum + each, 0);
  if (!(whole > 1) || milliseconds < arenaBoard.LEAST || matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  let gone = 0;
  const frames = points.map(({ x, y }, i) => ({ transform: `translate(${x}px, ${y}px)`, offset: Math.min(1, (gone += lengths[i]) / whole) }));
  return element.animate(frames, { duration: Math.min(milliseconds, arenaBoard.LONGEST), easing: "ease-in-out" });
};

// The places between two along the routes, both left out; none if no route leads there.
arenaBoard.between = function (routes, from, to) {
  const beside = new Map();
  const join = (one, other) => beside.set(one, [...(beside.get(one) || []), other]);
  for (const route of routes) {
    route.slice(1).forEach((place, i) => {
      join(route[i], place);
      join(place, route[i]);
    });
  }
  const before = new Map([[from, null]]);
  for (const place of before.keys()) { // those that are added meanwhile, too: the nearest first
    for (const next of beside.get(place) || []) if (!before.has(next)) before.set(next, place);
  }
  if (!before.has(to)) return [];
  const found = [];
  for (let place = before.get(to); place !== null && place !== from; place = before.get(place)) found.unshift(place);
  return found;
};
