// The live page: how far the tournament is, its table and its latest faults. Each second only what changed is sent and drawn.
"use strict";
(function () {
  const at = (id) => document.getElementById(id);
  const rows = new Map(); // by key: the row of the table

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return made;
  }

  function botCell(name, page) {
    const head = element("th", undefined, { scope: "row", class: "text" });
    const isolated = element("bdi");
    isolated.append(page ? element("a", name, { href: `../bots/${page}.html` }) : name);
    head.append(isolated);
    return head;
  }

  function drawRow(key, values) {
    const found = values.get(key);
    if (found === undefined) {
      if (rows.has(key)) rows.get(key).remove();
      rows.delete(key);
      return;
    }
    const [rank, place, name, ratings, games, wins, faults, page] = found;
    const cells = [element("td", place), botCell(name, page), ...ratings.map((each) => element("td", each))];
    cells.push(element("td", String(games)), element("td", wins), element("td", faults, { class: "text" }));
    const row = rows.get(key) || element("tr");
    const focused = row.contains(document.activeElement);
    row.replaceChildren(...cells);
    if (focused && row.querySelector("a")) row.querySelector("a").focus({ preventScroll: true });
    row.dataset.rank = String(rank);
    row.classList.toggle("out", place === "–"); // not in the field
    rows.set(key, row);
  }

  // Puts the rows in order, and moves only those that are not where they belong.
  function order() {
    const body = at("standings").tBodies[0];
    const sorted = [...rows.values()].sort((one, other) => Number(one.dataset.rank) - Number(other.dataset.rank));
    sorted.forEach((row, i) => {
      if (body.rows[i] !== row) body.insertBefore(row, body.rows[i] || null);
    });
  }

  function heads(columns) {
    const row = element("tr");
    for (const [name, kind] of [["#", ""], ["bot", "text"], ...columns.map((each) => [each, ""]), ["games", ""], ["wins", ""], ["faults", "text"]]) {
      row.append(element("th", name, { scope: "col", class: kind }));
    }
    at("standings").tHead.replaceChildren(row);
  }

  function drawFaults(values) {
    const number = (key) => Number(key.split("/")[1]);
    const found = [...values.keys()].filter((key) => key.startsWith("fault/")).sort((one, other) => number(other) - number(one));
    at("faults").replaceChildren(...found.map((key) => {
      const [game, bot, code, text] = values.get(key);
      const item = element("li");
      const name = element("bdi", bot);
      item.append(name, " in ", element("a", game, { href: `replay.html#${encodeURIComponent(game)}` }), ": ", element("strong", code), `: ${text}`);
      return item;
    }));
    if (!found.length) at("faults").append(element("li", "None so far.", { class: "note" }));
  }

  function drawFar() {
    const { played, expected, games, pace } = arenaLive.far();
    at("far").textContent = games;
    at("pace").textContent = pace;
    at("progress").hidden = expected === null;
    if (expected !== null) {
      at("progress").max = Math.max(expected, played, 1);
      at("progress").value = played;
    }
  }

  document.addEventListener("arena:news", ({ detail: { changed } }) => {
    const { values } = arenaLive;
    const all = [...changed];
    drawFar();
    if (changed.has("columns") && values.has("columns")) heads(values.get("columns"));
    const some = all.filter((key) => key.startsWith("row/"));
    for (const key of some) drawRow(key, values);
    if (some.length) order();
    if (all.some((key) => key.startsWith("fault/"))) drawFaults(values);
    const lead = values.get("lead") || "";
    at("lead").textContent = lead && `${lead}.`;
    const unrated = values.get("unrated") || 0;
    at("unrated").textContent = unrated > 50 ? `${unrated} games are still to be rated.` : "";
  });
})();
