// The controls of the replay page: which game is shown, at which position, and to which reader. The address is
// #<id>/<step>/<reader>, and the page follows its changes. The reader is the number of a seat, `open` (all hands are shown)
// or `public` (none is). Behind it may stand the pages of one or two bots: then the games beside this one are theirs.
"use strict";
(function () {
  const { load, run, open, clean, words } = arenaViewer;
  const { around, panels, Curve } = arenaViewer;
  const { Board, Cards } = arenaBoard;
  const GAME_SECONDS = 75; // how long a game takes that is played turn by turn
  const TURN_SECONDS = [0.4, 2.4]; // the least and the most that a turn takes then
  const STEP_SECONDS = 0.12; // the least that a step is shown: shorter ones are shown together
  const PAGE = location.href.split("#")[0];
  const EMBEDDED = new URLSearchParams(location.search).has("embed"); // a small page in a frame of another one
  const READ_ALOUD_SPEED = 2; // the highest speed, in steps a second, at which every step is read aloud
  const ADDRESS_DELAY = 250; // milliseconds without a step before the address is updated
  const at = (id) => document.getElementById(id);
  let boardOf = null; // the board that is drawn
  let requests = 0; // how many addresses were followed; only the latest one is shown
  let show = null; // what is shown: { replay, board, data, reader, position, pages, cards, curve }
  let timer = 0; // the timer of playing; 0 when paused
  let addressTimer = 0; // the timer of updating the address

  // Addresses

  // Splits "#id/12/open" into its parts; a part that is not valid has its default.
  function parts(hash) {
    let text = hash.slice(1);
    try {
      text = decodeURIComponent(text);
    } catch {
      // not decoded, it names no game
    }
    const [id, step, reader, ...among] = text.split("/");
    const seat = /^\d$/.test(reader || "") ? Number(reader) : reader === "public" ? "public" : "open";
    return { id, position: /^\d{1,7}$/.test(step || "") ? Number(step) : 0, reader: seat, among: among.slice(0, 2) };
  }

  const rest = (position, reader) => [position, reader, ...show.among.pages].join("/");
  const address = (position) => `#${show.replay.id}/${rest(position, show.reader)}`;

  function showMessage(text) {
    at("message").textContent = text;
    at("message").hidden = !text;
  }

  // Loading

  const shownSeats = (replay, reader) => (reader === "open" ? replay.bots.map((_, seat) => seat) : reader === "public" ? [] : [reader]);

  // Loads the parts of the seats that are shown, and returns a message about those that are missing.
  async function loadSeats(replay, reader) {
    const tries = await Promise.allSettled(shownSeats(replay, reader).map((seat) => replay.loadSeat(seat)));
    const failed = tries.filter((each) => each.status === "rejected").map((each) => each.reason.message);
    return failed.length ? `Not all can be shown: ${failed.join(", ")}.` : "";
  }

  // Returns by seat the address of the bot's page, its author and the author's picture; null where that is not known.
  async function known(replay) {
    try {
      const { bots } = await load("bots");
      return replay.bots.map((bot) => {
        const found = bots.filter((each) => each[0] === bot); // two long names can begin alike
        if (found.length !== 1) return null;
        const [, page, author, avatar] = found[0];
        return { page: `../bots/${page}.html`, author: author || "", avatar: avatar ? `../avatars/${avatar}` : "" };
      });
    } catch {
      return replay.bots.map(() => null);
    }
  }

  async function fetchGame(id) {
    for (const file of ["board", "bots"]) load(file).catch(() => null); // begun beside the game, not after it
    const replay = await open(id);
    const data = replay.data.start ? await load("board").catch(() => null) : null;
    const judged = replay.data.analysis || at("heading").dataset.analyse !== undefined; // or can be, on request
    if (judged) await (arenaViewer.analysis || run("../assets/viewer-analysis.js").catch(() => null));
    return { replay: replay, data: data, known: await known(replay), cards: new Cards(data && data.cards, "rules.html") };
  }

  async function go() {
    const turn = (requests += 1);
    const wanted = parts(location.hash);
    clearTimeout(addressTimer);
    if (!wanted.id) {
      close("Choose a game from the list of games to play it back.");
      return;
    }
    let next = show;
    try {
      if (!show || show.replay.id !== wanted.id) next = await fetchGame(wanted.id);
    } catch (error) {
      if (turn === requests) close(at("heading").dataset.later || `The game ${clean(wanted.id, 80)} cannot be shown: ${error.message}.`);
      return;
    }
    const reader = typeof wanted.reader === "number" && wanted.reader >= next.replay.bots.length ? "open" : wanted.reader;
    const missing = await loadSeats(next.replay, reader);
    if (turn !== requests) return;
    showMessage(missing);
    const among = await around.among(wanted.among);
    if (turn !== requests) return;
    if (next !== show) begin(next);
    else drawCurve();
    show.reader = reader;
    show.among = among;
    around.showAmong(among);
    at("reader").value = String(reader);
    render(wanted.position);
  }

  function close(text) {
    stop();
    show = null;
    at("viewer").hidden = true;
    delete at("viewer").dataset.game;
    at("title").textContent = "Replay";
    at("results").hidden = true;
    at("about").textContent = "";
    at("reader").replaceChildren();
    showMessage(text);
  }

  // Shows a loaded game in place of the one before.
  function begin(next) {
    stop();
    show = next;
    show.among = around.ALL;
    const { replay, data } = show;
    show.seen = 0; // the last position that was shown
    entitle();
    at("reader").replaceChildren(option("all hands open", "open"), option("no hands", "public"));
    replay.bots.forEach((bot, seat) => at("reader").append(option(`seat ${seat + 1}: ${bot}`, String(seat))));
    at("stage").hidden = !data;
    at("viewer").classList.toggle("unillustrated", !data);
    at("seek").max = String(replay.last);
    at("viewer").hidden = false;
    at("viewer").dataset.game = replay.id;
    at("seats").dataset.seats = String(replay.bots.length);
    if (boardOf) boardOf.close();
    boardOf = show.board = data ? new Board(at("board"), data, replay.bots.length) : null;
    at("legend").replaceChildren(...(data ? show.board.legend() : []));
    drawCurve();
  }

  // How far a reader is told what happens: to the end, unless results are hidden and the end was not shown yet.
  const reach = () => (arenaResults.hidden() ? show.seen : show.replay.last);

  // Says who played and, unless that is hidden, who won.
  function entitle() {
    const { replay } = show;
    const whole = reach() === replay.last;
    at("title").textContent = whole ? words.headline(replay) : words.joined(replay.bots);
    document.title = clean(at("title").textContent, 80);
    const edition = replay.data.edition ? `, edition ${clean(replay.data.edition, 40)}` : "";
    at("about").textContent = `${replay.data.game}${edition}, ${replay.data.players} players, game ${replay.id}. ${whole ? ending(replay) : ""}`;
    at("results").hidden = !replay.data.ranks;
    at("results").textContent = arenaResults.hidden() ? "Show results" : "Hide results";
  }

  // Shows of title, curve and turning points what a reader may be told by now.
  function reveal(before) {
    if (before === reach()) return;
    entitle();
    at("points").replaceChildren(...[arenaViewer.analysis?.panel(show.replay, address, reach()), words.turningPoints(show.replay, address, reach())].filter(Boolean));
    if (show.data) words.explain(at("points"), show.data.terms);
    if (show.curve) show.curve.until(reach());
  }

  // Draws the curve anew: another game, or other metrics, which are those of the seats whose parts are loaded.
  function drawCurve() {
    const { replay } = show;
    const loaded = replay.seats.filter(Boolean).length;
    if (show.curve && show.loaded === loaded) return;
    show.loaded = loaded;
    show.curve = new Curve(at("curve"), replay, move);
    const before = at("measure").value;
    at("measure").replaceChildren(...show.curve.all.map(({ name }, i) => option(name, String(i))));
    if (show.curve.all[before]) at("measure").value = before;
    at("measure").hidden = !show.curve.all.length;
    show.curve.until(reach());
    show.curve.show(Number(at("measure").value));
  }

  function ending(replay) {
    if (!replay.data.ranks) return "Not over: shown as far as it is known.";
    return replay.data.ending === "finished" ? "" : `Ended: ${replay.data.ending}.`;
  }

  const option = (text, value) => words.element("option", { value: value }, text);

  // Showing

  // Shows a position. A figure that has moved since the one before may travel for as many milliseconds.
  function render(wanted, milliseconds = 0) {
    const { replay, board, data, reader, cards } = show;
    const position = (show.position = Math.min(Math.max(wanted, 0), replay.last));
    const seats = shownSeats(replay, reader);
    const judged = arenaViewer.analysis?.lines(replay, position) || [];
    const scene = replay.scene(position);
    if (board) board.show(scene, words.whereabouts(replay, scene, data), milliseconds);
    const over = position === replay.last && replay.data.ranks !== null;
    write("turn", position === 0 ? "Start" : over ? "The end" : replay.turn(position) || `Step ${position}`);
    at("now").replaceChildren(...(position === 0 ? goal(data, replay.bots.length) : over ? words.ending(replay) : words.stepLines(replay, position, seats)));
    at("now").append(...judged);
    if (data && position > 0) words.explain(at("now"), data.terms);
    showChoices(position, seats);
    panels.renew(at("seats"), panels.seats(replay, scene, data, position, seats, show.known, cards));
    arenaViewer.analysis?.point(replay, position, board, at("seats"));
    at("table").hidden = !scene && !replay.data.seen;
    if (replay.data.seen) {
      at("table").setAttribute("aria-label", "What is known");
      at("table").tabIndex = 0; // it may scroll
    }
    panels.renew(at("cards"), scene ? panels.display(scene, data, cards) : panels.known(replay, position, seats));
    panels.renew(at("facts"), scene ? [panels.facts(replay, scene, cards)] : []);
    words.log(at("log"), replay, position, seats, address);
    at("viewer").classList.toggle("begins", position === 0);
    conclude(over);
    at("standings-table").replaceChildren(...(over ? [panels.standings(replay, show.known)] : []));
    if (show.curve) show.curve.move(position);
    const before = show.reached;
    show.seen = Math.max(show.seen, position);
    show.reached = reach();
    reveal(before);
    controls();
    scroll(); // last, since the page is laid out for it
    clearTimeout(addressTimer);
    addressTimer = setTimeout(updateAddress, ADDRESS_DELAY);
  }

  // Goes to an address. An update that is still due would replace it before it is followed.
  function follow(where) {
    clearTimeout(addressTimer);
    location.hash = where;
  }

  // Browsers limit how often the address may change, so it is updated when no step has come for a while. One that names another
  // game by then was not followed yet.
  function updateAddress() {
    if (show && parts(location.hash).id === show.replay.id && location.hash !== address(show.position)) history.replaceState(null, "", address(show.position));
  }

  // Shows the seats, or at the end the standings. On a phone these take the place of all that stood below the board, which stays
  // as large as it was.
  function conclude(over) {
    const parts = (ended) => {
      at("viewer").classList.toggle("over", ended);
      at("seats").hidden = ended;
      at("standings").hidden = !ended;
    };
    if (over && !at("stage").hidden) {
      parts(false);
      at("stage").style.setProperty("--held", `${at("stage").getBoundingClientRect().height}px`);
    }
    parts(over);
  }

  // Before the first step: what the game is about.
  function goal(data, players) {
    const text = words.aim(data, players) || "Before the first step.";
    return [words.element("p", { class: "goal" }, text)];
  }

  // The lists of what could be chosen are long: they are made when they are looked at.
  function showChoices(position, seats) {
    const number = words.countChoices(show.replay, position, seats);
    write("tab-choices", number ? `Choices (${number})` : "Choices");
    const none = words.element("p", { class: "note" }, "None of the bots whose choices you opened made a choice here.");
    const found = at("choices").hidden ? [] : words.choices(show.replay, position, seats);
    at("choices").replaceChildren(...(found.length ? found : [none]));
  }

  // Scrolls the log to its end, and the lists of choices to what was chosen.
  function scroll() {
    at("log").scrollTop = at("log").scrollHeight;
    if (at("choices").hidden) return;
    for (const item of at("choices").querySelectorAll(".chosen")) {
      const list = item.closest(".offered");
      list.scrollTop = item.offsetTop - (list.clientHeight - item.clientHeight) / 2;
    }
  }

  // Sets texts and attributes only where they are others: the browser need not look at the rest again.
  function write(id, text) {
    if (at(id).textContent !== text) at(id).textContent = text;
  }

  function set(id, name, value) {
    if (at(id).getAttribute(name) !== value) at(id).setAttribute(name, value);
  }

  function controls() {
    const { replay, position, reader } = show;
    at("seek").value = String(position);
    set("seek", "aria-valuetext", `step ${position} of ${replay.last}`);
    write("position", `step ${position} of ${replay.last}`);
    // A disabled button would lose the focus at either end.
    for (const id of ["first", "previous", "previous-turn"]) set(id, "aria-disabled", String(position === 0));
    for (const id of ["next", "last", "next-turn"]) set(id, "aria-disabled", String(position === replay.last));
    const kind = typeof reader === "number" ? "Choice" : "Turn";
    for (const [id, way] of [["previous-turn", "Previous"], ["next-turn", "Next"]]) {
      set(id, "aria-label", `${way} ${kind.toLowerCase()}`);
      const text = at(id).querySelector("span");
      const label = id === "next-turn" ? `${kind} ›` : `‹ ${kind}`;
      if (text.textContent !== label) text.textContent = label;
    }
  }

  // Moving

  async function goBeside(way) {
    if (!show) return;
    try {
      const found = await around.beside(show.replay.id, way, Number(at("heading").dataset.lists), show.among);
      if (found) follow(`${found}/${rest(0, show.reader)}`);
      else showMessage(`This is the ${way < 0 ? "first" : "last"} game${show.among.words && ` of ${show.among.words}`}.`);
    } catch (error) {
      showMessage(error.message);
    }
  }

  // Jumps to a position: everything is at its place at once.
  function move(position) {
    stop();
    render(position);
  }

  // Goes on or back by a step or a turn.
  function walk(position) {
    stop();
    render(position, arenaBoard.LONGEST);
  }

  function nextStop() {
    const found = show.replay.stops(show.reader).find((each) => each > show.position);
    return found === undefined ? show.replay.last : found;
  }

  function previousStop() {
    const found = show.replay.stops(show.reader).filter((each) => each < show.position).pop();
    return found === undefined ? 0 : found;
  }

  // Steps in a second; at "by turn" the number there is of a game of usual length.
  const speed = () => Number(at("speed").value) || 3;
  const byTurn = () => at("speed").value === "turns";

  function stop() {
    clearTimeout(timer);
    timer = 0;
    playing(false);
  }

  function playing(on) {
    if (on) at("share").open = false;
    at("play").classList.toggle("playing", on);
    at("play-text").textContent = on ? "Pause" : "Play";
    at("play").setAttribute("aria-label", at("play-text").textContent);
    at("now").setAttribute("aria-live", on && speed() > READ_ALOUD_SPEED ? "off" : "polite");
  }

  // How long a step is shown, in seconds, and how many are shown at once.
  function pace() {
    if (!byTurn()) return [1 / speed(), 1];
    const { replay, position } = show;
    const ends = replay.turnEnds;
    const turn = Math.min(Math.max(GAME_SECONDS / ends.length, TURN_SECONDS[0]), TURN_SECONDS[1]);
    const number = ends.findIndex((each) => each > position);
    const steps = number < 0 ? 1 : ends[number] - (number ? ends[number - 1] : 0);
    const each = turn / Math.max(1, steps);
    const together = Math.max(1, Math.ceil(STEP_SECONDS / each));
    return [each * together, together];
  }

  function tick() {
    const [seconds, together] = pace();
    const { replay, position } = show;
    let next = position;
    for (let i = 0; i < together; i += 1) next = replay.beside(next, 1);
    const end = byTurn() ? replay.turnEnds.find((each) => each > position) || replay.last : next;
    render(Math.min(next, end), 1000 * seconds); // never past the end of a turn
    if (show.position === replay.last) stop();
    else timer = setTimeout(tick, 1000 * seconds);
  }

  function toggle() {
    if (timer) {
      stop();
      return;
    }
    if (show.position === show.replay.last) render(0);
    timer = setTimeout(tick, 200);
    playing(true);
  }

  const ACTIONS = {
    first: () => move(0),
    "previous-turn": () => walk(previousStop()),
    previous: () => walk(show.replay.beside(show.position, -1)),
    play: toggle,
    next: () => walk(show.replay.beside(show.position, 1)),
    "next-turn": () => walk(nextStop()),
    last: () => move(show.replay.last),
  };
  // These keys work only while the focus is in the viewer. Space, Home, End and the page keys are left to scroll the page.
  const KEYS = {
    ArrowLeft: "previous",
    ArrowRight: "next",
    "Shift+ArrowLeft": "previous-turn",
    "Shift+ArrowRight": "next-turn",
    p: "play",
  };

  // Returns whether the element with the focus has a use of its own for a key.
  function hasOwnUse(target, key) {
    if (target.closest("select, textarea, input:not([type=range])")) return true;
    if (!key.startsWith("Arrow")) return false;
    if (target.closest("input")) return true;
    if (target.closest("[role=tab]")) return true;
    const region = target.closest(".scroll, .entries, .offered, .now");
    return region !== null && region.scrollWidth > region.clientWidth;
  }

  function pressed(event) {
    const key = event.shiftKey ? `Shift+${event.key}` : event.key;
    const action = KEYS[key];
    if (!show || !action || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.defaultPrevented || hasOwnUse(event.target, key)) return;
    event.preventDefault();
    ACTIONS[action]();
  }

  function connect() {
    for (const [id, action] of Object.entries(ACTIONS)) {
      at(id).addEventListener("click", () => show && action());
    }
    at("seek").addEventListener("input", () => show && move(Number(at("seek").value)));
    at("speed").addEventListener("change", () => playing(timer !== 0));
    at("reader").addEventListener("change", () => {
      if (show) follow(`${show.replay.id}/${rest(show.position, at("reader").value)}`);
    });
    at("measure").addEventListener("change", () => show && show.curve.show(Number(at("measure").value)));
    at("viewer").addEventListener("keydown", pressed);
    for (const [id, way] of [["previous-game", -1], ["next-game", 1]]) at(id).addEventListener("click", () => goBeside(way));
    at("share").addEventListener("toggle", () => show && at("share").open && around.share(show.replay.id, `${show.position}/${show.reader}`));
    at("share-copy").addEventListener("click", around.copy);
    around.closeShareByItself();
    document.documentElement.classList.toggle("embedded", EMBEDDED);
    at("whole").hidden = !EMBEDDED;
    at("whole").addEventListener("click", () => (at("whole").href = `${PAGE.split("?")[0]}${show ? address(show.position) : ""}`));
    at("results").addEventListener("click", () => arenaResults.hide(!arenaResults.hidden()));
    document.addEventListener("arena:results", () => {
      if (!show) return;
      show.reached = undefined;
      render(show.position);
    });
    panels.tabs(document.querySelector("[role=tablist]"));
    document.querySelector("[role=tablist]").addEventListener("click", () => show && render(show.position));
    window.addEventListener("resize", () => show && at("viewer").classList.contains("over") && conclude(true));
    window.addEventListener("hashchange", () => location.href.split("#")[0] === PAGE && go());
    go();
  }

  connect();
})();
