// The page of a person who plays: it shows what the arena's events say (see play-connection.js), asks, and sends the answers.
"use strict";
(function () {
  const { Connection, Table, Question, End } = arenaPlay;
  const { Replay, run, clean, short, words, panels } = arenaViewer;
  const STEP = [150, 900]; // the least and the most milliseconds that a step of the others is shown
  const ALL = 7000; // milliseconds in which all that the others did is shown
  const TEXT = 400;
  const WARNING = 10; // seconds before the end of a person's time at which it is said aloud
  const at = (id) => document.getElementById(id);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  let fixed = null; // the event `table`
  let table = null;
  let question = null;
  let turn = null; // the event `turn` that waits for an answer
  let replay = null; // the game as this person knows it
  let seen = null; // the position up to which this page has shown it; null: it has shown nothing yet
  let awaited = null; // the seat whose decision is awaited, or seems to be
  let sight = null; // of a game without pictures, what the seat sees, as rows
  let end = null; // what is shown when the game is over
  let frames = null; // the steps that are still to be shown: { game, seat, positions, last, timer, done }
  let clock = 0; // the timer of the person's own time
  let tutorial = null;
  let asked = 0; // the last decision that was shown to the person

  // What is shown

  // Shows one of the three views.
  function view(name) {
    for (const id of ["lobby", "curtain"]) at(id).hidden = id !== name;
    at("game").hidden = name === "curtain";
    at("game").inert = name === "lobby";
    at("game").classList.toggle("behind", name === "lobby"); // the lobby lies over the board
  }

  function message(text) {
    at("message").textContent = text;
    at("message").hidden = !text;
  }

  function say(text) {
    at("said").textContent = text;
  }

  const isMine = (seat) => fixed.mine.includes(seat);
  const nameOf = (seat) => short(fixed.bots[seat]);

  function title() {
    const own = fixed.mine.length === 1 ? ["You"] : fixed.mine.map(nameOf);
    const others = fixed.bots.map((_, seat) => seat).filter((seat) => !isMine(seat)).map(nameOf);
    const number = fixed.number > 1 ? `, game ${fixed.number}` : "";
    at("title").textContent = others.length ? `${words.joined(own)} against ${words.joined(others)}` : words.joined(own);
    at("about").textContent = `${fixed.game}, edition ${clean(fixed.edition, 40)}, ${fixed.players} players${number}`;
    document.title = `${at("title").textContent} – arena play`;
  }

  // Events of the stream

  function begin(data) {
    leave();
    fixed = data;
    title();
    message(clean(data.note, TEXT));
    at("lobby-title").textContent = (data.board && data.board.title) || data.game;
    at("goal").textContent = words.aim(data.board, data.players);
    const terms = Object.entries((data.board && data.board.terms) || {});
    at("terms").replaceChildren(...terms.map(([term, meaning]) => words.element("div", {}, words.element("dt", {}, term), words.element("dd", {}, meaning))));
    for (const link of document.querySelectorAll(".to-tutorial")) link.hidden = !data.tutorial;
    at("hint").hidden = !data.hints;
    open(data);
    follow();
  }

  // Opens a table: that of the game, or the one of the tutorial.
  function open(data) {
    if (table) table.close();
    view("game"); // a board that is drawn has to have its size
    table = new Table(data);
    question = new Question(table, say);
    at("end").hidden = true;
    at("seats-panel").hidden = false;
    at("game").classList.remove("over");
    question.close("Wait", "The table is being set.");
  }

  // Forgets the game.
  function leave() {
    stopFrames();
    stopClock();
    turn = replay = end = seen = awaited = sight = null;
    message("");
  }

  function lobby(data) {
    if (tutorial) return;
    view("lobby");
    at("begin").disabled = data.ready;
    if (document.activeElement === document.body) at("begin").focus();
    const others = words.joined((data.waiting_for || []).map((name) => clean(name, 40)));
    at("waiting").textContent = data.ready ? `Waiting for ${others || "the bots"}.` : "";
    at("invite").replaceChildren(...(fixed.invites ? data.waiting_for || [] : []).map(inviting));
  }

  // A button that shows a link with which a person comes to the table.
  function inviting(name) {
    const button = words.element("button", { type: "button" }, `A link for ${clean(name, 40)}`);
    button.addEventListener("click", async () => {
      const answer = await fetch("invite", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }) });
      if (!answer.ok) return message(`The arena answered ${answer.status}.`);
      const link = words.element("input", { readonly: "", "aria-label": `The link for ${clean(name, 40)}, which works once`, value: location.origin + (await answer.json()).path });
      button.replaceWith(link);
      link.select();
    });
    return button;
  }

  function thinking(data) {
    if (!table || tutorial) return;
    awaited = data.seat;
    table.think(awaited);
    if (!turn && !end && !frames) wait();
  }

  // Says for whom the game waits.
  function wait() {
    if (awaited === null) question.close("Wait", "The bots are getting ready.");
    else if (isMine(awaited)) question.close("Played", "Your choice is on its way.");
    else question.close(`${nameOf(awaited)} is thinking`, "What happens is shown here at once.");
  }

  // Shows what happens while others play.
  function live(data) {
    if (tutorial) return;
    view("game");
    stopClock();
    turn = null;
    at("game").dataset.decision = "";
    replay = known(data);
    const [rows, before] = [data.view, sight];
    sight = rows;
    play(replay, seen === null ? replay.last : seen, data.seat, () => {
      const own = data.seat === null ? null : replay.known(data.seat, replay.last);
      table.show(replay, replay.last, data.seat, (own && own.hand) || [], 0, rows && [rows, before]);
      seen = replay.last;
      wait();
    });
  }

  function curtain(data) {
    if (tutorial) tutorial.leave();
    leave();
    open(fixed);
    at("curtain-name").textContent = clean(data.name, 40);
    view("curtain");
    at("show").onclick = () => send("show", { decision: data.decision });
    at("show").focus();
    say(`Pass the screen to ${clean(data.name, 40)}.`);
  }

  function known(data) {
    const made = new Replay(data.public);
    if (data.own) made.addSeat(data.seat, data.own);
    return made;
  }

  function showTurn(data) {
    if (tutorial) return;
    const again = turn !== null && turn.decision === data.decision;
    if (again && question.open) return; // the stream was opened anew
    view("game");
    turn = data;
    replay = known(data);
    startClock(data.deadline);
    const from = seen !== null ? seen : data.decision === asked ? replay.last : data.since;
    asked = data.decision;
    play(replay, from, data.seat, ask);
  }

  function ask() {
    const { seat, choices, hand, view: rows } = turn;
    seen = replay.last;
    sight = rows;
    table.show(replay, replay.last, seat, hand, 0, rows && [rows, turn.view_before]);
    const now = replay.turn(replay.last);
    const round = /^round \d+/.exec(now);
    const who = fixed.mine.length > 1 ? `${nameOf(seat)}'s turn` : "Your turn";
    const heading = round ? `${who}, ${round[0]}` : who;
    const text = turn.question ? clean(turn.question, TEXT) : "What will you do?";
    const offered = choices.map((each) => ({ action: each.action, text: clean(each.text, TEXT) }));
    at("game").dataset.decision = String(turn.decision);
    question.ask({ heading, question: text, barred: turn.barred, hand, choices: offered }, answer);
    say(`${heading}. ${text} ${offered.length} choices.`);
    if (document.activeElement === document.body || document.activeElement === at("skip")) at("game").focus({ preventScroll: true });
  }

  async function answer(index) {
    const { decision, choices, seat } = turn;
    question.close("Played", clean(choices[index].text, TEXT));
    say(`Played: ${clean(choices[index].text, TEXT)}.`);
    at("game").focus({ preventScroll: true });
    stopClock();
    const before = turn;
    turn = null;
    at("game").dataset.decision = "";
    table.think(seat);
    const error = await post("choose", { decision, index });
    if (!error) message("");
    if (!error || turn) return;
    turn = before; // it was not taken: the same question stands again
    ask();
    message(error);
  }

  function hinted(data) {
    if (!turn || data.decision !== turn.decision) return;
    at("hint").disabled = false;
    const bot = clean(data.bot, 40);
    if (data.index === null) question.hint(null, `${bot} gives no hint here: ${clean(data.error || "it did not answer", TEXT)}`);
    else question.hint(data.index, `${bot} would choose:`);
  }

  function fault(data) {
    message(`The referee: ${clean(data.text, TEXT)} (${clean(data.code, 40)}). Strikes left: ${data.strikes_left}.`);
  }

  function over(data) {
    if (tutorial) return;
    if (end) {
      end.show(data);
      return;
    }
    view("game");
    stopClock();
    turn = null;
    replay = known(data);
    table.think(null);
    play(replay, seen === null ? data.since : seen, data.seat, () => finish(data));
  }

  function finish(data) {
    table.show(replay, replay.last, data.seat, []);
    question.close(verdict(replay), words.headline(replay));
    at("seats-panel").hidden = true;
    at("end").hidden = false;
    at("game").classList.add("over");
    const unweighed = !fixed.weighs ? "Where choices cost most is not said: these rules draw no worlds that a view allows." : "";
    end = new End(replay, data, unweighed, (position) => look(position, data.seat));
    for (const each of waiting.splice(0)) end.add(each);
    say(`The end. ${at("asked").textContent}. ${words.headline(replay)}. ${at("why").textContent}`);
    at("game").focus({ preventScroll: true });
  }

  // How it ended for whoever sits here.
  function verdict(game) {
    const { ranks } = game.data;
    if (!ranks || fixed.mine.length !== 1) return "The end";
    const rank = ranks[fixed.mine[0]];
    const alone = ranks.filter((each) => each === rank).length === 1;
    return rank > 1 ? `You are number ${rank} of ${ranks.length}` : alone ? "You win!" : "You share the first place";
  }

  const waiting = []; // news of mistakes that came before the end was shown

  function mistakes(data) {
    if (end) end.add(data);
    else waiting.push(data);
  }

  // Shows a position of the finished game.
  function look(position, seat) {
    const own = replay.known(seat, position);
    table.show(replay, position, seat, (own && own.hand) || []);
    at("asked").textContent = replay.turn(position) || "Start";
    at("question").replaceChildren(...(position === replay.last ? [words.headline(replay)] : words.stepLines(replay, position, [seat])));
    end.move(position);
  }

  function failed(data) {
    leave();
    view("game");
    question.close("The game was broken off", clean(data.text, TEXT));
    at("seats-panel").hidden = true;
    at("end").hidden = false; // what stands there of an earlier game is gone, but for the button
    for (const id of ["why", "curve", "standings-table", "mistakes", "recorded"]) at(id).replaceChildren();
    at("replay").hidden = true;
    say(at("question").textContent);
  }

  function gone(data) {
    stopClock();
    message(clean(data.text, TEXT));
    if (question) question.close("The arena has ended", "A game that was not over does not count.");
  }

  // What the others did

  // Shows the steps after a position one after the other, then calls `done`. What is still being shown goes on, faster.
  function play(game, from, seat, done) {
    const positions = [];
    const begin = frames ? frames.last : from;
    for (let position = game.beside(begin, 1); begin < game.last; position = game.beside(position, 1)) {
      if (game.step(position).seat !== seat) positions.push(position); // what the person did is no news
      if (position >= game.last) break;
    }
    const happened = positions.map((position) => words.stepLines(game, position, [seat]).map((line) => line.textContent).join(" "));
    if (happened.length) say(`${happened.join(". ")}.`);
    at("skip").textContent = turn ? "Skip to my turn" : "Skip";
    if (still.matches || document.hidden || (!positions.length && !frames)) {
      stopFrames();
      done();
    } else if (frames) {
      frames.positions.push(...positions);
      Object.assign(frames, { game, seat, done, last: game.last });
    } else {
      frames = { game, seat, positions, done, last: game.last, timer: 0 };
      at("skip").hidden = false;
      next();
    }
  }

  // Shows the next of these steps.
  function next() {
    const { game, seat, positions } = frames;
    const each = Math.min(Math.max(ALL / positions.length, STEP[0]), STEP[1]);
    const position = positions.shift();
    if (position === undefined) {
      skip();
      return;
    }
    const own = seat === null ? null : game.known(seat, position);
    table.show(game, position, seat, (own && own.hand) || [], each, sight && [sight, sight]);
    question.close(game.turn(position) || "The game begins", "");
    at("question").replaceChildren(...words.stepLines(game, position, seat === null ? [] : [seat]));
    frames.timer = setTimeout(next, each);
  }

  function stopFrames() {
    if (frames) clearTimeout(frames.timer);
    frames = null;
    at("skip").hidden = true;
  }

  // Ends what is shown of the others at once.
  function skip() {
    if (!frames) return;
    const { done } = frames;
    stopFrames();
    done();
  }

  // The person's own time

  function startClock(left) {
    stopClock();
    if (left === null || left === undefined) return;
    const ends = performance.now() + left;
    let warned = false;
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
      at("clock").textContent = `${Math.trunc(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      at("clock").classList.toggle("short", seconds <= WARNING);
      if (seconds <= WARNING && !warned) say(`${seconds} seconds left.`);
      warned = warned || seconds <= WARNING;
    };
    at("clock").hidden = false;
    tick();
    clock = setInterval(tick, 500);
  }

  function stopClock() {
    clearInterval(clock);
    at("clock").hidden = true;
  }

  // What the person does

  const post = (what, body) => connection.post(what, body);

  async function send(what, body) {
    message(await post(what, body));
  }

  async function askHint() {
    if (!turn || at("hint").disabled) return;
    at("hint").disabled = true;
    at("hinted").textContent = `Asking ${clean(fixed.hints || "a bot", 40)} …`;
    const error = await post("hint", { decision: turn.decision });
    if (!error) return;
    at("hint").disabled = false;
    at("hinted").textContent = error;
  }

  // These keys work only while the focus is in the game.
  function pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const key = event.key;
    let done = false;
    if (frames && (key === "Enter" || key === "Escape")) {
      skip();
      done = true;
    } else if (key === "h" && !at("answers").hidden && !at("hint").hidden) {
      askHint();
      done = true;
    } else if (question) done = question.key(key, event.target);
    if (done) event.preventDefault();
  }

  async function follow() {
    if (location.hash !== "#tutorial" || tutorial || !fixed || !fixed.tutorial) return;
    try {
      await (arenaPlay.Tutorial || run("assets/play-tutorial.js"));
      tutorial = await arenaPlay.Tutorial.open({ open, say, question: () => question, table: () => table });
    } catch (error) {
      message(`The tutorial cannot be shown: ${error.message}.`);
    }
  }

  function connect() {
    at("begin").addEventListener("click", () => send("begin"));
    at("again").addEventListener("click", () => send("again"));
    at("hint").addEventListener("click", askHint);
    at("skip").addEventListener("click", skip);
    at("undo").addEventListener("click", () => question.undo());
    at("play").addEventListener("click", () => question.open && question.answer(question.choices.chosen()));
    at("game").addEventListener("keydown", pressed);
    at("story").addEventListener("click", () => {
      const on = at("game").classList.toggle("story-open");
      at("story").setAttribute("aria-expanded", String(on));
    });
    panels.tabs(document.querySelector("[role=tablist]"));
    window.addEventListener("hashchange", () => location.reload());
  }

  connect();
  const connection = new Connection({ table: begin, lobby, thinking, curtain, turn: showTurn, live, hint: hinted, fault, over, mistakes, void: failed, gone }, message);
})();
