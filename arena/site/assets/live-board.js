// The live page: the list of running games, and the board of one of them, which goes on as its open events come. A game that
// is over before it was shown is played to its end first. Then another one is chosen, unless the reader chose one.
"use strict";
(function () {
  const { Board, Cards } = arenaBoard;
  const { words, panels, load, Replay, clean, short } = arenaViewer;
  const SECOND = 1000;
  const STEP = [80, 600]; // milliseconds: the least and the most that a step is shown
  const TO_THE_END = 15; // seconds in which a game that is over is shown to its end
  const STAYS = 5; // seconds for which the end is shown
  const at = (id) => document.getElementById(id);
  let board = null; // the data of the board, once they are loaded
  let pages = null; // by name of a bot: its page, author and picture
  let chosen = ""; // the game that the reader chose
  let wanted = ""; // the game whose board is asked for
  let shown = null; // { id, key, replay, data, picture, cards, position, over: has it ended, done: was its end shown }
  let timer = 0;

  const running = () => [...arenaLive.values].filter(([key]) => key.startsWith("running/")).map(([key, [bots, turn, steps, over]]) => ({ id: key.slice(8), bots, turn, steps, over }));

  // The public part of a game, put together of what was sent of it.
  function assembled(id) {
    const { values } = arenaLive;
    const head = values.get(`board/${id}/head`);
    if (!head) return null;
    const end = values.get(`board/${id}/end`);
    const data = { ...head, steps: [], texts: [], begins: [], follows: [], bookkeeping: [], chances: [], turning_points: [], retired: [], ending: null, ranks: null, scores: null };
    for (let number = 0; values.has(`board/${id}/${number}`); number += 1) {
      const piece = values.get(`board/${id}/${number}`);
      for (const [seat, by, [text], changes, label] of piece.steps) data.steps.push([seat, by, [data.texts.push(text) - 1], changes, label]);
      for (const key of ["begins", "follows", "bookkeeping"]) data[key].push(...(piece[key] || []));
      data.chances.push(...piece.chances);
    }
    return end ? { ...data, ...end, chances: [...data.chances, ...end.chances] } : data;
  }

  async function begin(id, data) {
    const drawn = data.start ? board || (board = await load("board").catch(() => null)) : null;
    if (!pages) {
      const { bots } = await load("bots").catch(() => ({ bots: [] }));
      pages = new Map(bots.map(([name, page, author, avatar]) => [name, { page: `../bots/${page}.html`, author: author || "", avatar: avatar ? `../avatars/${avatar}` : "" }]));
    }
    if (shown && shown.picture) shown.picture.close();
    const replay = new Replay(data);
    at("live-board").hidden = false;
    at("board").hidden = !drawn;
    shown = { id, key: data.key, replay, data, cards: new Cards(drawn && drawn.cards, "rules.html"), drawn, over: false, done: false, position: 0 };
    shown.picture = drawn ? new Board(at("board"), drawn, replay.bots.length) : null;
    // Who comes late to a game that goes on is shown how it stands.
    shown.position = data.ranks ? 0 : replay.last;
    go(data);
    render();
  }

  // Takes in what is new of the game that is shown.
  function go(data) {
    shown.replay = new Replay(data);
    shown.over = Boolean(data.ranks);
    clearTimeout(timer);
    timer = setTimeout(tick, STEP[0]);
  }

  function tick() {
    if (!shown) return;
    const { replay } = shown;
    const left = replay.last - shown.position;
    if (left <= 0) {
      if (shown.over && !shown.done) finish();
      return;
    }
    const seconds = shown.over ? TO_THE_END : 1;
    const each = Math.min(Math.max((seconds * SECOND) / left, 1), STEP[1]);
    const together = document.hidden ? left : Math.max(1, Math.ceil(STEP[0] / each));
    for (let i = 0; i < together; i += 1) shown.position = replay.beside(shown.position, 1);
    render(each * together);
    timer = setTimeout(tick, each * together);
  }

  function finish() {
    shown.done = true;
    render();
    const { id } = shown;
    setTimeout(() => {
      if (shown && shown.id === id && chosen === id) chosen = "";
      choose();
    }, STAYS * SECOND);
  }

  // Shows the position. A figure that has moved since the one before may travel for as many milliseconds.
  function render(milliseconds = 0) {
    const { replay, picture, drawn, cards, done } = shown;
    const position = shown.position;
    const scene = replay.scene(position);
    if (picture) picture.show(scene, words.whereabouts(replay, scene, drawn), milliseconds < 200 ? 0 : milliseconds);
    at("turn").textContent = done ? "The end" : replay.turn(position) || "Start";
    at("now").replaceChildren(...(done ? words.ending(replay) : words.stepLines(replay, position, [])));
    const known = replay.bots.map((bot) => pages.get(bot) || null);
    panels.renew(at("seats"), panels.seats(replay, scene, drawn, position, [], known, cards));
    at("seats").dataset.seats = String(replay.bots.length);
    panels.renew(at("cards"), scene ? panels.display(scene, drawn, cards) : panels.known(replay, position, []));
    title();
    behind();
  }

  // What is shown slowly says so: how many steps the game is further than what is shown.
  function behind() {
    const left = shown.replay.last - shown.position;
    const text = left < 2 ? "" : shown.over ? `Shown slowly: this game is over, ${left} steps are still to come.` : `Shown slowly: the game is ${left} steps further.`;
    if (at("behind").textContent !== text) at("behind").textContent = text;
  }

  function title() {
    const { replay, id, done } = shown;
    const link = words.element("a", { href: `replay.html#${encodeURIComponent(id)}` }, `game ${id}`);
    const text = done ? words.headline(replay) : words.joined(replay.bots);
    const key = `${text} ${id} ${done}`;
    if (at("game-title").dataset.key === key) return; // it is read aloud
    at("game-title").dataset.key = key;
    at("game-title").replaceChildren(`${text}, `, ...(done ? [link] : [`game ${id}`]));
  }

  // Decides which game is shown, and asks for its board.
  function choose() {
    const games = running();
    const known = (id) => games.some((each) => each.id === id);
    const busy = shown && (!shown.done || (chosen === shown.id && known(shown.id)));
    let next = chosen && (known(chosen) || (shown && shown.id === chosen)) ? chosen : "";
    if (!next && busy && (shown.over || known(shown.id))) next = shown.id;
    if (!next) next = (games.find((each) => !each.over && !(shown && shown.id === each.id)) || { id: "" }).id;
    if (next && next !== wanted) {
      wanted = next;
      arenaLive.watch(next);
    }
    draw(games);
  }

  // The list of running games, and the field to choose one.
  function draw(games) {
    const list = games.filter((each) => !each.over);
    const items = list.map((each) => {
      const button = words.element("button", { type: "button", class: "more", "aria-pressed": String(each.id === wanted), "data-game": each.id }, each.id);
      button.addEventListener("click", () => pick(each.id));
      const names = each.bots.map((bot) => short(bot));
      return words.element("li", {}, button, ` ${words.joined(names)}`, words.element("span", { class: "note" }, each.turn ? ` ${clean(each.turn, 80)}` : ""));
    });
    const focused = document.activeElement && document.activeElement.dataset.game;
    at("running").replaceChildren(...(items.length ? items : [words.element("li", { class: "note" }, "None is known.")]));
    if (focused) {
      const again = [...at("running").querySelectorAll("button")].find((each) => each.dataset.game === focused);
      if (again) again.focus({ preventScroll: true });
    }
    const ids = [...new Set([...list.map((each) => each.id), ...(chosen ? [chosen] : [])])];
    const field = at("choose-game");
    if (document.activeElement === field && [...field.options].slice(1).map((each) => each.value).join() === ids.join()) return;
    field.replaceChildren(words.element("option", { value: "" }, "any game"), ...ids.map((id) => words.element("option", { value: id }, id)));
    field.value = chosen;
  }

  function pick(id) {
    chosen = id;
    if (shown && shown.id !== id) shown.done = true; // the reader has left it
    choose();
  }

  let beginning = false;

  document.addEventListener("arena:news", async ({ detail: { changed } }) => {
    if ([...changed].some((key) => key.startsWith("running/"))) choose();
    if (!wanted || ![...changed].some((key) => key.startsWith(`board/${wanted}/`)) || beginning) return;
    const data = assembled(wanted);
    if (!data) return; // it is over, and was sent as a whole
    if (!shown || shown.key !== data.key) {
      beginning = true;
      await begin(wanted, data);
      beginning = false;
    } else if (data.steps.length >= shown.replay.last) go(data);
  });
  at("choose-game").addEventListener("change", () => pick(at("choose-game").value));
})();
