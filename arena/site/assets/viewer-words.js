// The text of a replay next to the board: tables, cards, hands, choices and events. All of it is inserted as text, not HTML.
"use strict";
arenaViewer.words = (function () {
  const LOG = 80; // the most steps in the log
  const OFFERED = 200; // the most actions in a list
  const BY = ["", "substitute", "referee"];
  const SEAT = /^seat (\d+)$/;

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children.map((child) => (typeof child === "number" ? String(child) : child)));
    return made;
  }

  const badge = (seat) => element("span", { class: `badge s${seat}` }, String(seat));

  // A seat for people: number, colour and name, with a link to the bot's page if that is known.
  function seatLabel(replay, seat, page) {
    const name = element("bdi", {}, replay.bots[seat]);
    return element("span", { class: "who" }, badge(seat), page ? element("a", { href: page }, name) : name);
  }

  function value(replay, each) {
    if (each === null || each === undefined) return "–";
    const seat = typeof each === "string" && SEAT.exec(each);
    return seat && replay.bots[seat[1]] !== undefined ? seatLabel(replay, Number(seat[1])) : String(each);
  }

  // Cards whose names differ only in the number at the end are a family and have the same colour.
  function chips(cards, families) {
    const list = element("ul", { class: "chips" });
    for (const card of cards) {
      if (card === null) {
        list.append(element("li", { class: "chip none" }, element("span", { class: "unseen" }, "none")));
        continue;
      }
      const name = card.replace(/[-\s]*\d+$/, "");
      if (!families.has(name)) families.set(name, families.size % 6);
      list.append(element("li", { class: `chip f${families.get(name)}` }, card));
    }
    if (!cards.length) list.append(element("li", { class: "chip none" }, "none"));
    return list;
  }

  function grid(heads, rows) {
    const head = element("tr", {}, ...heads.map(([text, kind]) => element("th", { scope: "col", class: kind }, text)));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  }

  const cell = (replay, each, numeric) => element("td", numeric ? {} : { class: "text" }, value(replay, each));

  function seatRow(replay, scene, board, seat, page) {
    const head = element("th", { scope: "row", class: "text" }, seatLabel(replay, seat, page));
    const turn = scene !== null && scene.turn === seat;
    if (turn) head.append(" ", element("span", { class: "tag turn" }, "on turn"));
    const row = element("tr", turn ? { class: "on-turn" } : {}, head);
    if (!scene) return row;
    const place = scene.at[seat];
    if (board) row.append(cell(replay, place === null ? null : board.places[place].name, false));
    row.append(...replay.seatLabels.map(({ name, numeric }) => cell(replay, scene.seats[seat][name], numeric)));
    return row;
  }

  function seatsTable(replay, scene, board, pages) {
    const heads = [["seat and bot", "text"]];
    if (scene && board) heads.push(["at", "text"]);
    if (scene) heads.push(...replay.seatLabels.map(({ name, numeric }) => [name, numeric ? "" : "text"]));
    const rows = replay.bots.map((_, seat) => seatRow(replay, scene, board, seat, pages[seat]));
    return grid(heads, rows);
  }

  function facts(replay, scene) {
    const pairs = Object.entries(scene.table).filter((pair) => pair[1] !== null);
    return pairs.map(([label, each]) => element("div", {}, element("dt", {}, label), element("dd", {}, value(replay, each))));
  }

  function cards(scene, families) {
    return Object.entries(scene.cards).map(([label, some]) =>
      element("div", { class: "pile" }, element("h3", {}, label), chips(some, families)),
    );
  }

  // The hands of those of the seats shown whose parts are loaded.
  function hands(replay, position, seats, families) {
    const known = seats.map((seat) => [seat, replay.known(seat, position)]).filter((each) => each[1]);
    return known.map(([seat, each]) =>
      element("div", { class: "pile" }, element("h3", {}, "Hand of ", seatLabel(replay, seat)), chips(each.hand, families)),
    );
  }

  function choice(replay, seat, each) {
    const list = element("ol");
    const region = element("div", { class: "offered", tabindex: "0", role: "group" }, list);
    region.setAttribute("aria-label", `${each.offered.length} actions offered to ${replay.bots[seat]}`);
    each.offered.forEach((text, index) => {
      if (index !== each.chosen && index >= OFFERED) return;
      const item = element("li", index === each.chosen ? { class: "chosen" } : {}, text);
      if (index === each.chosen) item.prepend(element("span", { class: "unseen" }, "chosen: "));
      list.append(item);
    });
    const more = each.offered.length - list.children.length;
    const count = each.offered.length === 1 ? "the only action" : `one of ${each.offered.length} actions`;
    const box = element("div", { class: "choice-of" }, element("h3", {}, seatLabel(replay, seat), ` chose ${count}`), region);
    if (more > 0) box.append(element("p", { class: "note" }, `and ${more} more`));
    if (each.note !== null) {
      box.append(element("p", { class: "note" }, "The bot noted:"), element("blockquote", { class: "words" }, each.note));
    }
    return box;
  }

  // The decisions of seats just before a position.
  function choices(replay, position, seats) {
    const known = seats.map((seat) => [seat, replay.known(seat, position)]).filter((each) => each[1]);
    return known.flatMap(([seat, each]) => each.choices.map((one) => choice(replay, seat, one)));
  }

  // One step in words: what everyone could read, and the events that only the seats shown could read.
  function stepLines(replay, position, seats) {
    const step = replay.step(position);
    if (!step) return [element("p", {}, "Before the first step.")];
    const line = element("p", {});
    line.append(...(step.seat === null ? [] : [badge(step.seat), " "]), element("span", {}, step.texts.join("; ")));
    if (BY[step.by]) line.append(" ", element("span", { class: "tag" }, BY[step.by]));
    const only = seats.flatMap((seat) => {
      const known = replay.known(seat, position);
      const own = (text) => element("p", { class: "only" }, `only ${replay.bots[seat]} knows: ${text}`);
      return known ? known.events.map(own) : [];
    });
    return [line, ...only];
  }

  // The steps up to a position, the latest last; turns are links to their beginnings.
  function log(replay, position, seats, address) {
    const list = element("ol", { class: "steps" });
    const first = Math.max(1, position - LOG + 1);
    if (first > 1) list.append(element("li", { class: "note" }, "Go back to read what was before."));
    for (let each = first; each <= position; each += 1) {
      const label = replay.step(each).label;
      const item = element("li", each === position ? { "aria-current": "step" } : {});
      if (label !== null) item.append(element("a", { href: address(each), class: "begins" }, replay.words(label)));
      item.append(...stepLines(replay, each, seats));
      list.append(item);
    }
    return list;
  }

  function standings(replay, pages) {
    const { ranks, scores, retired } = replay.data;
    const columns = [...new Set(scores.flatMap((score) => Object.keys(score)))];
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other] || one - other);
    const rows = order.map((seat) => {
      const head = element("th", { scope: "row", class: "text" }, seatLabel(replay, seat, pages[seat]));
      if (retired.includes(seat)) head.append(" ", element("span", { class: "tag" }, "retired"));
      const row = element("tr", { "data-seat": String(seat) }, element("td", {}, ranks[seat]), head);
      row.append(...columns.map((column) => cell(replay, scores[seat][column], true)));
      return row;
    });
    return grid([["place", ""], ["seat and bot", "text"], ...columns.map((column) => [column, ""])], rows);
  }

  // The positions of all pawns in one sentence, for readers who do not see the board.
  function whereabouts(replay, scene, board) {
    const each = replay.bots.map((bot, seat) => {
      const place = scene.at[seat];
      return `${bot} ${place === null ? "is off the board" : `at ${board.places[place].name}`}`;
    });
    const turn = scene.turn === null ? "" : ` On turn: ${replay.bots[scene.turn]}.`;
    return `${each.join(", ")}.${turn}`;
  }

  return { element, seatsTable, facts, cards, hands, choices, stepLines, log, standings, whereabouts };
})();
