// What analysis says of a game: marks of choices, with what would have been better, and how each seat played. On a page of the
// local server an analysis can be asked for.
"use strict";
arenaViewer.analysis = (function () {
  const { clean, words } = arenaViewer;
  const { element, badge } = words;
  const TEXT = 400;
  const SECOND = 1000; // milliseconds between two questions of how far it is

  const judged = (each) => `${clean(each.mark, TEXT)} ${each.symbol}: “${clean(each.chosen, TEXT)}” (${each.chance}), better “${clean(each.better, TEXT)}” (${each.could})`.replaceAll(" %", "\u00a0%");

  // The marked choices that were made just before a position, in words.
  function lines(replay, position) {
    return replay.marks.filter((each) => each.at === position).map((each) => element("p", { class: "judged" }, badge(each.seat), ` ${judged(each)}`));
  }

  // Shows on the board and in the hands what would have been better there.
  function point(replay, position, board, seats) {
    const here = replay.marks.filter((each) => each.at === position);
    if (board) board.suggest(here.filter((each) => each.way).map(({ seat, way }) => [seat, ...way]));
    for (const face of seats.querySelectorAll(".face.better")) face.classList.remove("better");
    for (const { seat, cards } of here) {
      for (const card of cards) {
        const face = [...seats.querySelectorAll(`[data-seat="${seat}"] .face:not(.better)`)].find((each) => each.dataset.card === card);
        if (face) face.classList.add("better");
      }
    }
  }

  // All of it in words, with links to the choices up to a position.
  function panel(replay, address, until) {
    const { analysis } = replay.data;
    if (!analysis) return request(replay);
    const records = element("ul", { class: "analysis" }, ...analysis.records.map((text, seat) => text && element("li", {}, badge(seat), ` ${replay.bots[seat]}: ${clean(text, TEXT).replaceAll(" %", "\u00a0%")}`)).filter(Boolean));
    const marks = replay.marks.filter((each) => each.at <= until);
    const list = element("ul", { class: "analysis" }, ...marks.map((each) => element("li", {}, badge(each.seat), " ", element("a", { href: address(each.at) }, judged(each)))));
    return element("div", {}, records, list, element("p", { class: "note" }, clean(analysis.note, 4 * TEXT)));
  }

  // A button that asks the local server for an analysis, if this is a page of one; what it costs is said before.
  function request(replay) {
    const home = element("div", {});
    const { dataset } = document.getElementById("heading");
    if (dataset.analyse === undefined) return home;
    const note = element("p", { class: "note", role: "status" }, dataset.analyse);
    home.append(note);
    if (dataset.analyse || !replay.data.ranks) return home;
    const ask = element("button", { type: "button" }, "Request analysis");
    const send = async (method) => {
      try {
        const answer = await fetch(`../analyse/${encodeURIComponent(replay.id)}`, { method, headers: { "X-Arena": "page" } });
        return await answer.json();
      } catch {
        return { error: "the server does not answer" };
      }
    };
    const follow = async (method) => {
      const found = await send(method);
      note.textContent = found.error ? `It cannot be analysed: ${found.error}.` : found.cost ? `It takes ${found.cost}.` : found.text || "Analysed: the page is loaded again.";
      ask.textContent = "Begin";
      ask.hidden = !found.cost;
      if (found.text) setTimeout(() => follow("GET"), SECOND);
      else if (found.done) setTimeout(() => location.reload(), 2 * SECOND);
    };
    ask.addEventListener("click", () => follow(ask.textContent === "Begin" ? "POST" : "GET"));
    home.append(ask);
    return home;
  }

  return { lines, point, panel };
})();
