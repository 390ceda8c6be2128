// Where the figures stand that are at one place or more: beside the places of a map, or above the squares of a track.
"use strict";
(function () {
  // On a map the figures stand beside their place, as near to it as they can.
  function besidePlaces({ rooms, spots, wide, tall, scale }, groups) {
    const taken = []; // where figures stand: without names the rooms of neighbours may meet, and large groups cannot give way
    return [...groups].sort((one, other) => other[1].length - one[1].length).map(([place, seats]) => {
      const room = rooms[place];
      const spot = spots[place];
      const towards = (from, length, used, to) => Math.min(Math.max(to - used / 2, from), from + length - used);
      const zones = shapes(seats.length, Math.round((room.w - 2) / wide), Math.round(room.h / tall)).map((columns) => {
        const [w, h] = [wide * columns, tall * Math.ceil(seats.length / columns)];
        return { x: towards(room.x, room.w, w, spot.x), y: towards(room.y, room.h, h, spot.y), w, h, columns };
      });
      const far = ({ x, y, w, h }) => Math.hypot(x + w / 2 - spot.x, y + h / 2 - spot.y);
      const zone = apart(zones.reduce((best, each) => (far(each) < far(best) ? each : best)), room, taken);
      taken.push(zone);
      const isFar = arenaBoard.away(spot, zone) > arenaBoard.LEADER * scale + 3;
      return { seats, x: zone.x, y: zone.y, columns: zone.columns, stem: isFar ? arenaBoard.leader(spot, zone) : null };
    });
  }

  // On a track the figures of a square stand above it. In a crowded row they make room for each other to the left and right, and
  // a base leads from them to their square.
  function aboveSquares({ rooms, spots, wide, tall, w, square }, groups) {
    const rows = new Map();
    for (const [place, seats] of groups) {
      const { y, h } = rooms[place];
      const zone = { place, seats, x: spots[place].x - (wide * seats.length) / 2, y: y + h - tall, w: wide * seats.length };
      rows.set(y, [...(rows.get(y) || []), zone]);
    }
    const spread = [...rows.values()].flatMap((row) => arenaBoard.spread(row, 6, w - 6));
    return spread.map(({ place, seats, x, y, w: width }) => {
      const { x: middle, y: centre } = spots[place];
      const top = centre - square.h / 2;
      const half = square.w / 4;
      const base = () => arenaBoard.symbols.draw("path", { d: `M${x + 1} ${top - 3}H${x + width - 1}L${middle + half} ${top + 1}H${middle - half}Z`, class: "base" });
      return { seats, x, y, columns: seats.length, stem: seats.length > 1 ? base() : null };
    });
  }

  // In how many columns so many figures can stand, in a room for so many columns and rows.
  function shapes(number, columns, rows) {
    const all = Array.from({ length: Math.min(number, columns) }, (_, i) => i + 1);
    return all.filter((each) => Math.ceil(number / each) <= rows);
  }

  // Moves a zone within a room as little as keeps it off others.
  function apart(zone, room, taken) {
    const covered = (at) => taken.reduce((sum, other) => sum + arenaBoard.overlap(at, other), 0);
    if (!covered(zone)) return zone;
    const tries = [];
    for (let i = 0; i <= 4; i += 1) {
      for (let j = 0; j <= 4; j += 1) tries.push({ ...zone, x: room.x + ((room.w - zone.w) * i) / 4, y: room.y + ((room.h - zone.h) * j) / 4 });
    }
    const cost = (at) => 1000 * covered(at) + Math.hypot(at.x - zone.x, at.y - zone.y);
    return tries.reduce((best, at) => (cost(at) < cost(best) ? at : best), zone);
  }

  // Where figures stand: [{ seats, x, y: the upper left corner of the first, columns, stem: what leads to their place, or null }].
  // `at`: where everything on the board is (see board-layout.js). `groups`: [[place, seats]].
  arenaBoard.standing = (at, groups) => (at.track ? aboveSquares : besidePlaces)(at, groups);
})();
