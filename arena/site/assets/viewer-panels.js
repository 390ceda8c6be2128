// What lies open beside the board: the seats with their hands, the cards on display, the facts of the table and, in the end,
// the standings and why. All texts are inserted as text, not HTML.
"use strict";
arenaViewer.panels = (function () {
  const { element, seatLabel, badge, value, view } = arenaViewer.words;
  const MANY = 6; // cards of a hand that do not fit beside each other in full

  const YES_OR_NO = ["arrived"]; // scores that are 1 for yes and 0 for no: a 1 there would read as a place
  const PLACING = ["square"]; // labels of what is numbered, not counted: "square 57", but "57 days"
  const HOME = "home as"; // the label of the order in which seats came home

  const ordinal = (number) => `${number}${["st", "nd", "rd"][number - 1] || "th"}`; // of at most six seats

  // Whose side a seat is on, where there are teams.
  function team(replay, number) {
    const found = (replay.data.teams || []).findIndex((seats) => seats.includes(number));
    return found < 0 ? [] : [element("span", { class: "tag" }, `team ${found + 1}`)];
  }

  // One seat: who, where, how much of what, and its hand if the reader sees it. What a phone has no room for stands once more in
  // a line of its own, which a phone shows of the seat on turn.
  function seat(replay, scene, board, number, known, cards, hand, chance, leads, scores) {
    const turn = scene !== null && scene.turn === number;
    const found = element("li", { class: turn ? "seat on-turn" : "seat", "data-seat": String(number) });
    const head = element("div", { class: "seat-head" }, seatLabel(replay, number, known));
    if (turn) head.append(element("span", { class: "unseen" }, "on turn"));
    head.append(...team(replay, number));
    if (chance !== null) {
      const title = leads ? "chance to win now, the highest" : "chance to win now";
      const now = element("span", { class: `chance s${number % 10}${leads ? " leads" : ""}`, title }, element("span", { class: "unseen" }, `${title}: `), `${chance} %`);
      head.append(now);
    }
    if (scene) {
      const stats = element("dl", { class: "stats" });
      let numbers = false; // the first number is always shown, the others where there is room
      const place = scene.at[number];
      const numbered = board && place !== null && board.layout === "track";
      const stat = (label, shown, kind) => stats.append(element("div", { class: kind || "" }, element("dt", {}, label), element("dd", {}, shown)));
      const home = scene.seats[number][HOME];
      const city = board && place !== null && !numbered ? board.places[place].name : "";
      const aside = [city && `at ${city}`];
      if (home) stat("", element("span", { class: "tag" }, (aside[0] = `home ${ordinal(home)}`)), "at");
      else if (city) stat("at", city, "at");
      for (const { name } of replay.seatLabels) {
        const each = scene.seats[number][name];
        if (each === null || each === undefined || name === HOME) continue;
        const kind = String(name).includes("cards") ? "counted" : numbers ? "more" : "main";
        if (kind === "main") numbers = true;
        if (kind === "more") aside.push(`${each} ${name}`);
        stat(name, value(replay, each), PLACING.includes(name) ? `${kind} placing` : kind);
      }
      head.append(stats);
      found.append(head);
      const words = aside.filter(Boolean).join(", ");
      if (words) found.append(element("p", { class: "aside", "aria-hidden": "true" }, words));
    } else {
      const stats = scores.map(([name, each]) => element("div", { class: "main" }, element("dt", {}, name), element("dd", {}, each)));
      if (stats.length) head.append(element("dl", { class: "stats" }, ...stats));
      found.append(head);
    }
    if (hand) {
      const row = cards.row(hand, `Hand of ${replay.bots[number]}`);
      row.classList.add("hand");
      row.classList.toggle("many", hand.length > MANY);
      found.append(row);
    }
    return found;
  }

  // What was made of the same data before, so that it need not be made again and what has the focus stays.
  function kept(cards, name, data, make) {
    const key = JSON.stringify(data);
    const found = cards.made.get(name);
    if (found && found.key === key) return found.made;
    const made = make();
    cards.made.set(name, { key, made });
    return made;
  }

  function seats(replay, scene, board, position, shown, known, cards) {
    const hand = (number) => {
      const own = scene && shown.includes(number) ? replay.known(number, position) : null;
      return own && own.hand;
    };
    const chances = replay.bots.map((_, number) => replay.chance(number, position));
    const highest = Math.max(...chances);
    const { scores } = replay.seen(position) || { scores: {} };
    return replay.bots.map((_, number) => {
      const held = hand(number);
      const turn = scene && scene.turn === number;
      const thousandths = chances[number];
      const chance = thousandths === null ? null : Math.round(thousandths / 10);
      const leads = chance !== null && thousandths === highest && chances.indexOf(highest) === chances.lastIndexOf(highest);
      const own = Object.entries(scores).map(([name, all]) => [name, all[number]]);
      return kept(cards, `seat ${number}`, [scene && [scene.seats[number], scene.at[number]], turn, held, chance, leads, own], () =>
        seat(replay, scene, board, number, known[number], cards, held, chance, leads, own),
      );
    });
  }

  // What is known in a game without pictures: what all see, and what the seats that are shown knew besides when they were asked.
  function known(replay, position, seats) {
    if (!replay.seen(position)) return [];
    const before = position ? { ...replay.seen(replay.beside(position, -1)).rows } : null;
    const { rows } = replay.seen(position);
    const block = (heading, made) => element("div", { class: "known" }, element("h2", {}, ...heading), made);
    const blocks = Object.keys(rows).length ? [block(["All see"], view(rows, before))] : [];
    for (const seat of seats) {
      const [now, then] = replay.views(seat, position);
      if (now && Object.keys(now).length) blocks.push(block([seatLabel(replay, seat), " saw when it chose last"], view(now, then)));
    }
    return blocks;
  }

  // The open cards in their order; what is above each of them, if the board says so.
  function display(scene, board, cards) {
    const slots = (board && board.slots) || {};
    const chits = (board && board.chits) || {};
    return Object.entries(scene.cards).filter(([label]) => !Object.hasOwn(chits, label)).map(([label, some]) => kept(cards, `cards ${label}`, some, () => {
      const row = cards.row(some, label);
      (slots[label] || []).forEach((slot, i) => {
        if (!row.children[i]) return;
        const head = element("span", { class: "slot", title: slot.text, tabindex: "0", role: "note" }, arenaBoard.symbols.icon(slot.symbol), slot.name);
        row.children[i].prepend(head);
      });
      return element("div", { class: "pile" }, element("h2", {}, label), row);
    }));
  }

  function facts(replay, scene, cards) {
    return kept(cards, "facts", scene.table, () => factsOf(replay, scene));
  }

  function factsOf(replay, scene) {
    const list = element("dl", { class: "pairs" });
    for (const [label, each] of Object.entries(scene.table)) {
      if (each !== null) list.append(element("div", {}, element("dt", {}, label), element("dd", {}, value(replay, each))));
    }
    return list;
  }

  const score = (replay, column, each) => (YES_OR_NO.includes(column) && (each === 0 || each === 1) ? ["no", "yes"][each] : value(replay, each));

  function standings(replay, known) {
    const { ranks, scores, retired, reasons } = replay.data;
    const columns = [...new Set(scores.flatMap((score) => Object.keys(score)))];
    const order = ranks.map((_, number) => number).sort((one, other) => ranks[one] - ranks[other] || one - other);
    const place = element("span", {}, element("span", { "aria-hidden": "true" }, "#"), element("span", { class: "unseen" }, "place"));
    const heads = [[place, ""], ["seat and bot", "text"], ...columns.map((column) => [column, ""])];
    const body = element("tbody", {});
    for (const number of order) {
      const head = element("th", { scope: "row", class: "text" }, seatLabel(replay, number, known[number]));
      head.append(" ", ...team(replay, number));
      if (retired.includes(number)) head.append(" ", element("span", { class: "tag" }, "retired"));
      const row = element("tr", { "data-seat": String(number) }, element("td", {}, ranks[number]), head);
      row.append(...columns.map((column) => element("td", {}, score(replay, column, scores[number][column]))));
      body.append(row);
      if (!reasons) continue;
      const why = element("td", { colspan: columns.length + 1, class: "text" }, replay.words(reasons[number]));
      body.append(element("tr", { class: "why" }, element("td", {}), why));
    }
    const head = element("thead", {}, element("tr", {}, ...heads.map(([text, kind]) => element("th", { scope: "col", class: kind }, text))));
    return element("table", {}, head, body);
  }

  // Replaces the children of an element where they are others, so that those that stay keep the focus.
  function renew(home, children) {
    children.forEach((child, i) => {
      if (home.children[i] === child) return;
      if (home.children[i]) home.children[i].replaceWith(child);
      else home.append(child);
    });
    while (home.children.length > children.length) home.lastChild.remove();
  }

  // Makes tabs of the buttons of a list: the arrow keys lead from one to the next.
  function tabs(list) {
    const all = [...list.querySelectorAll("[role=tab]")];
    const choose = (tab) => {
      for (const each of all) {
        const on = each === tab;
        each.setAttribute("aria-selected", String(on));
        each.tabIndex = on ? 0 : -1;
        document.getElementById(each.getAttribute("aria-controls")).hidden = !on;
      }
    };
    list.addEventListener("click", (event) => event.target.closest("[role=tab]") && choose(event.target.closest("[role=tab]")));
    list.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault(); // so that it is no step of the replay
      const next = all[(all.indexOf(document.activeElement) + way + all.length) % all.length];
      choose(next);
      next.focus();
    });
    return { choose: (name) => choose(all.find((each) => each.id === `tab-${name}`)) };
  }

  return { seats, known, display, facts, standings, renew, tabs, badge };
})();
