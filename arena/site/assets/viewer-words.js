// The game in words: steps, choices and positions. All of it is inserted as text, not HTML.
"use strict";
arenaViewer.words = (function () {
  const LOG = 40; // the most steps in the log
  const OFFERED = 200; // the most actions in a list
  const START = "Press Play, or go on by turn or by step. What a card, a sign or a square means is said where you point at it.";
  const TEXT = 4000; // characters of a view's text
  const NAME = 60; // and of a label
  const LABEL = 18; // of a bot's name where there is little room
  const WHOLE = 300; // and where it is shown as a whole
  const { clean, short } = arenaViewer;
  const BY = ["", "substitute", "referee"];
  const SEAT = /^seat (\d+)$/;
  const SPECIAL = /[.*+?^${}()|[\]\\]/g; // what means something else in a pattern

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children.map((child) => (typeof child === "number" ? String(child) : child)));
    return made;
  }

  const badge = (seat) => element("span", { class: `badge s${seat % 10}` }, String(seat + 1)); // seats count from 1 where people read

  // A seat for people: number, colour and name, with a link to the bot's page, its picture and in the tip its author if they are known.
  function seatLabel(replay, seat, known) {
    const [whole, cut] = [clean(replay.data.bots[seat], WHOLE), short(replay.data.bots[seat], LABEL)];
    const name = element("bdi", whole === cut ? {} : { class: "cut", "data-whole": whole, ...(known ? {} : { title: whole }) }, cut);
    const found = element("span", { class: "who" }, badge(seat));
    if (!known) return element("span", { class: "who" }, badge(seat), name);
    if (known.avatar) found.append(element("img", { class: "avatar", src: known.avatar, width: 18, height: 18, alt: "" }));
    found.append(element("a", known.author ? { href: known.page, title: `by ${known.author}` } : { href: known.page }, name));
    return found;
  }

  function value(replay, each) {
    if (each === null || each === undefined) return "–";
    const seat = typeof each === "string" && SEAT.exec(each);
    return seat && replay.bots[seat[1]] !== undefined ? seatLabel(replay, Number(seat[1])) : String(each);
  }

  // A view of a game without pictures: its rows as a table, or its text as it is drawn. What is not as it was `before` is marked.
  function view(rows, before) {
    const shown = (text, is) => (is ? element("mark", { title: "new" }, text) : text);
    if (typeof rows.text === "string") {
      const board = arenaViewer.boards.drawn(clean(rows.text, TEXT), before && String(before.text || ""));
      if (board) return board;
      const old = before ? String(before.text || "").split("\n") : null;
      const lines = clean(rows.text, TEXT).split("\n");
      return element("pre", { class: "view", tabindex: "0" }, ...lines.flatMap((line, i) => [shown(line, old !== null && line !== "" && old[i] !== line), "\n"]));
    }
    const list = Object.entries(rows).map(([label, text]) => element("tr", {}, element("th", { scope: "row" }, clean(label, NAME)), element("td", {}, shown(clean(text, TEXT), before && before[label] !== text))));
    return element("table", { class: "view" }, element("tbody", {}, ...list));
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
    const box = element("div", { class: "choice-of" }, element("h3", {}, seatLabel(replay, seat), ` chose ${count}`), ...(each.view ? [view(each.view)] : []), region);
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

  // How many decisions of seats that is.
  function countChoices(replay, position, seats) {
    return seats.reduce((sum, seat) => sum + (replay.known(seat, position) || { choices: [] }).choices.length, 0);
  }

  // The text of a step without the name with which the one before it begins, too: "pairs plays …; moves …".
  function continued(replay, step, before) {
    const text = step.texts.join("; ");
    const name = step.seat === null ? "" : `${replay.bots[step.seat]} `;
    return before && before.seat === step.seat && name && text.startsWith(name) ? text.slice(name.length) : text;
  }

  // What happened at a position in words: what everyone could read, and the events that only the seats shown could read. It is one
  // line for each seat that did something, with all that followed from it.
  function stepLines(replay, position, seats) {
    if (!replay.step(position)) return [element("p", {}, "Before the first step.")];
    const found = [];
    const some = [];
    for (let each = replay.begin(position); each <= position; each += 1) if (each === position || !replay.step(each).unsaid) some.push(each);
    let [line, doer, before] = [null, null, null];
    for (const each of some) {
      const step = replay.step(each);
      if (line && (step.seat === null || step.seat === doer)) line.append("; ");
      else {
        doer = step.seat;
        line = element("p", {}, ...(doer === null ? [] : [badge(doer), " "]));
        found.push(line);
        before = null;
      }
      line.append(element("span", step.minor ? { class: "minor" } : {}, continued(replay, step, before)));
      if (BY[step.by] && !(before && before.by === step.by)) line.append(" ", element("span", { class: "tag" }, BY[step.by]));
      before = step;
    }
    const only = seats.flatMap((seat) => {
      const known = replay.known(seat, position);
      const own = (text) => element("p", { class: "only" }, `only ${replay.bots[seat]} knows: ${text}`);
      return known ? known.events.map(own) : [];
    });
    return [...found, ...only];
  }

  // Marks in an element each term of the game where it stands first, with its meaning as a tip. `terms`: { term: meaning }.
  function explain(home, terms) {
    const left = new Set(Object.keys(terms || {}));
    const texts = document.createTreeWalker(home, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text && left.size; text = texts.nextNode()) {
      if (text.parentElement.closest("bdi, .badge, .tag, .term")) continue;
      const found = [...left].map((term) => [term, text.data.search(new RegExp(`\\b${term.replace(SPECIAL, "\\$&")}\\b`))]).filter((each) => each[1] >= 0);
      if (!found.length) continue;
      const [term, at] = found.reduce((first, each) => (each[1] < first[1] || (each[1] === first[1] && each[0].length > first[0].length) ? each : first));
      left.delete(term);
      const named = text.splitText(at);
      named.splitText(term.length); // what follows is a text of its own, which is looked at next
      const marked = element("span", { class: "term", title: terms[term] }, term);
      named.replaceWith(marked);
      texts.currentNode = marked;
    }
  }

  // The entry of a step in the log; turns are links to their beginnings if `address` gives those by step.
  function entry(replay, position, seats, address) {
    const item = element("li");
    for (let step = replay.begin(position); step <= position; step += 1) {
      const { label } = replay.step(step);
      const head = address ? { href: address(step), class: "begins" } : { class: "begins" };
      if (label !== null) item.append(element(address ? "a" : "span", head, replay.words(label)));
    }
    item.append(...stepLines(replay, position, seats));
    return item;
  }

  // Brings the log in `home` up to a position: the steps until then, the latest last. Entries that it had before stay the same.
  // `start`: what is said before the first step.
  function log(home, replay, position, seats, address, start = START) {
    const shown = seats.filter((seat) => replay.seats[seat]).join();
    let now = home.arenaLog;
    if (!now || now.replay !== replay || now.shown !== shown || now.list.parentElement !== home) {
      now = home.arenaLog = { replay, shown, list: element("ol", { class: "steps" }), entries: new Map() };
      now.entries.set("start", element("li", { class: "note" }, start));
      now.entries.set("more", element("li", { class: "note" }, "Earlier steps are listed when you go back."));
      home.replaceChildren(now.list);
    }
    const first = Math.max(1, position - LOG + 1);
    const wanted = position === 0 ? ["start"] : first > 1 ? ["more"] : [];
    for (let each = first; each <= position; each += 1) if (each === position || !replay.unfinished.has(each)) wanted.push(each);
    const items = [];
    for (const each of wanted) {
      if (!now.entries.has(each)) now.entries.set(each, entry(replay, each, seats, address));
      const item = now.entries.get(each);
      const [before] = items.slice(-1);
      const same = before !== undefined && before.textContent === item.textContent; // the later one says how often
      item.dataset.times = same ? Number(before.dataset.times) + 1 : 1;
      items.splice(same ? -1 : items.length, 1, item);
    }
    const stay = new Set(items);
    for (const item of [...now.list.children]) if (!stay.has(item)) item.remove();
    items.forEach((item, i) => now.list.children[i] === item || now.list.insertBefore(item, now.list.children[i] || null));
    for (const item of now.list.querySelectorAll("[aria-current]")) if (item !== now.entries.get(position)) item.removeAttribute("aria-current");
    if (position > 0) now.entries.get(position).setAttribute("aria-current", "step");
  }

  // Several names as one text: "greedy, pairs and planner".
  const joined = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

  // Who played and won, in one line.
  function headline(replay) {
    const { ranks, outcome } = replay.data;
    if (!ranks) return `${joined(replay.bots)}: not over`;
    const best = Math.min(...ranks);
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other] || one - other);
    const once = (seats) => [...new Set(seats.map((seat) => replay.bots[seat]))]; // a bot may hold a team
    const winners = once(order.filter((seat) => ranks[seat] === best));
    const others = once(order.filter((seat) => ranks[seat] !== best));
    const how = outcome ? `: ${replay.words(outcome)}` : "";
    if (!others.length) return `${joined(winners)} share the first place${how}`;
    return `${joined(winners)} ${winners.length > 1 ? "beat" : "beats"} ${joined(others)}${how}`;
  }

  // Why the winner won, if the game says so.
  function ending(replay) {
    const { ranks, reasons } = replay.data;
    if (!reasons) return stepLines(replay, replay.last, []);
    const best = ranks.indexOf(Math.min(...ranks));
    return [element("p", {}, badge(best), ` ${replay.bots[best]} ${replay.words(reasons[best])}.`)];
  }

  // The aim of a game of so many players; "" if its board does not say it.
  const aim = (board, players) => (board && ((board.goals && board.goals[players]) || board.goal)) || "";

  // Why the end of the game, and no move, changed a seat's chance.
  function atEnd(replay, point) {
    const { ranks, reasons } = replay.data;
    if (!reasons) return "The game ends.";
    const best = ranks.indexOf(Math.min(...ranks));
    const seats = ranks[point.seat] === ranks[best] ? [point.seat] : [point.seat, best];
    return `The game ends: ${seats.map((seat) => `${replay.bots[seat]} ${replay.words(reasons[seat])}`).join("; ")}.`;
  }

  // Whether the end of the game changed a chance. Without it and without a move it was that the turn passed on.
  const isEnd = (replay, point) => Boolean(replay.data.ranks) && point.step === replay.last;

  // What happened at a turning point.
  function happened(replay, point) {
    if (!point.why.length) return isEnd(replay, point) ? atEnd(replay, point) : "No move in it did that.";
    return `${replay.words(point.account)}.`;
  }

  // Who or what changed the chance there.
  function doer(replay, point) {
    if (!point.why.length) return isEnd(replay, point) ? "as the game ends" : "as the turn passes on";
    const whose = point.by === null ? "" : point.by === point.seat ? "by its own move" : `by a move of ${replay.bots[point.by]}`;
    return [whose, point.by_chance ? "by chance" : ""].filter(Boolean).join(" and ") || "by the rules";
  }

  // What a mark on the curve is called: A, B … Z, AA. Numbers are for seats.
  const lettered = (number) => (number > 26 ? lettered(Math.trunc((number - 1) / 26)) : "") + String.fromCharCode(65 + ((number - 1) % 26));

  // Why a game shows no chances, and perhaps no curve either.
  function unjudged(replay) {
    const curve = replay.data.seen && !Object.keys(replay.data.seen.scores).length ? " No score is open to all before the end, so there is no curve of scores either." : "";
    return `These rules do not say who is ahead, so there are no chances and no turning points.${curve}`;
  }

  // The turns at which the chances changed most up to a position, in words, as links to them.
  function turningPoints(replay, address, until = replay.last) {
    const all = replay.data.turning_points || [];
    const points = all.filter((point) => point.step <= until);
    if (!all.length) return element("p", { class: "note" }, replay.data.chances ? "No single turn changed the chances much." : unjudged(replay));
    if (!points.length) return element("p", { class: "note" }, "None so far.");
    const list = element("ol", { class: "points" });
    const share = (each) => Math.round(each / 10);
    for (const point of points) {
      const way = point.after > point.before ? "rises" : "falls";
      const text = `the chance of ${replay.bots[point.seat]} ${way} from ${share(point.before)} to ${share(point.after)} % ${doer(replay, point)}`;
      const item = element("li", {}, element("a", { href: address(point.at) }, `${replay.turn(point.step) || `step ${point.step}`}: ${text}`));
      const [other, before, after] = point.other || [];
      const rival = point.other ? ` ${replay.bots[other]} ${after > before ? "gains" : "loses"} most by it: from ${share(before)} to ${share(after)} %.` : "";
      item.append(element("p", {}, `${happened(replay, point)}${rival}`));
      list.append(item);
    }
    const note = "The chance is that of the published bots in such a position, by a formula fitted to their finished games.";
    return element("div", {}, list, element("p", { class: "note" }, note));
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

  return { element, badge, seatLabel, value, view, choices, countChoices, stepLines, explain, log, joined, headline, ending, aim, lettered, turningPoints, unjudged, whereabouts };
})();
