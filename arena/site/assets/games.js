// Lists of games, loaded piece by piece as they are asked for: list-<n>.js with 500 games each, the latest first.
"use strict";
(function () {
  const STEP = matchMedia("(max-width: 46rem)").matches ? 20 : 100; // games shown at a time: on a phone a game is a card
  const NO_REPLAY = 1;
  const NOT_RATED = 2;
  const cached = new Map(); // by file: its data
  const waiting = new Map(); // by kind of file: the function to call with its data

  window.arenaData = function (kind, data) {
    const found = waiting.get(kind === "list" ? `list-${data.number}` : kind);
    if (found) found(data);
  };

  function load(root, name) {
    if (!cached.has(name)) {
      const loading = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        waiting.set(name, resolve);
        script.src = `${root}${name}.js`;
        script.addEventListener("error", () => {
          cached.delete(name);
          reject(new Error(`${name}.js cannot be loaded`));
        });
        script.addEventListener("load", () => script.remove());
        document.head.append(script);
      });
      cached.set(name, loading);
    }
    return cached.get(name);
  }

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return made;
  }

  function link(text, href) {
    const isolated = element("bdi");
    isolated.append(element("a", text, { href: href }));
    return isolated;
  }

  class List {
    constructor(home) {
      this.home = home;
      this.root = home.dataset.root;
      this.fixed = home.dataset.bot === undefined ? null : Number(home.dataset.bot);
      this.lists = Number(home.dataset.games);
      this.turn = 0; // counts the choices; only games of the latest one are shown
    }

    async begin() {
      this.home.replaceChildren();
      const open = element("button", "Show its games", { class: "more", type: "button" });
      if (this.home.hasAttribute("data-open")) {
        await this.show();
        return;
      }
      open.addEventListener("click", () => this.show(true));
      this.home.append(open);
    }

    async show(asked) {
      this.bots = (await load(this.root, "bots")).bots;
      this.status = element("p", "", { role: "status", class: "note" });
      this.table();
      this.more = element("button", "More games", { class: "more", type: "button" });
      this.more.addEventListener("click", () => this.go());
      const region = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": "List of games" });
      region.append(this.grid);
      this.home.replaceChildren(...this.choices(), this.status, region, this.more);
      this.follow();
      window.addEventListener("hashchange", () => {
        if (!this.home.isConnected) return;
        this.follow();
        this.again();
      });
      await this.again();
      if (asked) region.focus();
    }

    table() {
      const hidden = arenaResults.hidden();
      this.columns = ["game", "players", ...(hidden ? ["bots by seat"] : ["bots by place, with their seats", "won with", "why watch it"]), "notes"];
      this.grid = element("table", undefined, { class: "games" });
      this.grid.append(element("caption", hidden ? "Latest first; results are hidden" : "Latest first"));
      const head = this.grid.createTHead().insertRow();
      for (const name of this.columns) head.append(element("th", name, { scope: "col", class: name === "players" ? "" : "text" }));
      head.lastChild.replaceChildren(element("span", "notes", { class: "unseen" }));
      this.body = this.grid.createTBody();
    }

    choices() {
      const box = element("div", undefined, { class: "choice" });
      const order = this.bots.map((bot, number) => [bot[0], number]);
      if (this.fixed === null) this.bot = this.choice(box, "bot", "Bot", [["all", ""], ...order]);
      this.other = this.choice(box, "against", "Against", [["all", ""], ...order.filter(([, number]) => number !== this.fixed)]);
      if (this.fixed !== null) return [this.wish(box)];
      const counts = this.home.dataset.counts.split(" ").filter(Boolean);
      this.count = this.choice(box, "players", "Players", [["all", ""], ...counts.map((each) => [each, each])]);
      return [this.wish(box)];
    }

    // A field to hide the results.
    wish(box) {
      this.hide = element("input", undefined, { id: "hide-results", type: "checkbox" });
      this.hide.checked = arenaResults.hidden();
      this.hide.addEventListener("change", () => arenaResults.hide(this.hide.checked));
      const line = element("p", undefined, { class: "filter" });
      line.append(this.hide, element("label", " Hide results", { for: this.hide.id }));
      box.append(line);
      return box;
    }

    // Draws the table anew because results are to be hidden, or shown.
    redraw() {
      if (!this.grid) return;
      const before = this.grid;
      this.hide.checked = arenaResults.hidden();
      this.table();
      before.replaceWith(this.grid);
      this.again();
    }

    choice(box, name, label, options) {
      const field = element("select", undefined, { id: `choose-${name}`, name: name });
      for (const [text, value] of options) field.append(element("option", text, { value: value }));
      field.addEventListener("change", () => this.again(true));
      const line = element("p", undefined, { class: "filter" });
      line.append(element("label", `${label} `, { for: field.id }), field);
      box.append(line);
      return field;
    }

    // The numbers of the bots that must have played.
    chosen() {
      const fields = [this.bot, this.other].filter((field) => field && field.value !== "");
      return [...new Set([...(this.fixed === null ? [] : [this.fixed]), ...fields.map((field) => Number(field.value))])];
    }

    // Chooses the bots that the address names by their pages, as "#greedy/planner".
    follow() {
      if (!this.home.hasAttribute("data-open")) return;
      const pages = location.hash.slice(1).split("/");
      [this.bot, this.other].forEach((field, i) => {
        const number = this.bots.findIndex((bot) => bot[1] === pages[i]);
        field.value = number < 0 ? "" : String(number);
      });
    }

    again(changed) {
      this.turn += 1;
      if (changed && this.home.hasAttribute("data-open")) {
        history.replaceState(null, "", `#${this.chosen().map((bot) => this.bots[bot][1]).join("/")}`);
      }
      this.next = this.lists - 1;
      this.rest = [];
      this.shown = 0;
      this.body.replaceChildren();
      return this.go();
    }

    wanted(game) {
      if (!this.chosen().every((bot) => game[1].includes(bot))) return false;
      return this.fixed !== null || this.count.value === "" || game[1].length === Number(this.count.value);
    }

    async go() {
      const turn = this.turn;
      this.status.textContent = "Loading …";
      try {
        while (this.rest.length < STEP && this.next >= 0) {
          const list = await load(this.root, `list-${this.next}`);
          if (turn !== this.turn) return;
          this.next -= 1;
          this.rest.push(...list.games.filter((game) => this.wanted(game)).reverse());
        }
      } catch (error) {
        this.status.textContent = error.message;
        return;
      }
      const some = this.rest.splice(0, STEP);
      this.body.append(...some.map((game) => this.row(game)));
      this.shown += some.length;
      const rows = [...this.grid.rows];
      this.columns.forEach((_, i) => {
        const filled = rows.some((row, n) => n && row.cells[i].textContent); // a column without a word is left out
        for (const row of rows) row.cells[i].hidden = !filled;
      });
      const over = this.next < 0 && !this.rest.length;
      this.more.hidden = over;
      this.status.textContent = over && !this.shown ? "No games." : over ? `${this.shown > 1 ? "All " : ""}${this.shown} game${this.shown > 1 ? "s" : ""} shown.` : `${this.shown} games shown.`;
    }

    // What is added to the address of a replay, so that one goes on within this list.
    among() {
      const pages = this.chosen().map((bot) => this.bots[bot][1]);
      return pages.length ? `/0/open/${pages.join("/")}` : "";
    }

    row(game) {
      const [id, bots, ranks, notes, won, look] = game;
      const row = element("tr");
      const head = element("th", undefined, { scope: "row", class: "text" });
      const code = element("span", id, { class: "quiet code" });
      if (notes & NO_REPLAY) head.append(code);
      else {
        const watch = element("a", "Watch", { class: "watch", href: `${this.root}replay.html#${encodeURIComponent(id)}${this.among()}` });
        watch.setAttribute("aria-label", `Watch game ${id}`);
        head.append(watch, " ", code);
      }
      const places = element("td", undefined, { class: "text wide" });
      const hidden = arenaResults.hidden();
      const order = bots.map((bot, seat) => ({ bot, seat, rank: ranks[seat] }));
      if (!hidden) order.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
      order.forEach(({ bot, seat, rank }, place) => {
        const [name, page] = this.bots[bot];
        places.append(`${place ? ", " : ""}${hidden ? `seat ${seat + 1}: ` : `${rank}.\u00a0`}`, link(name, `${this.root}../bots/${page}.html`));
        if (!hidden) places.append(element("span", ` (seat ${seat + 1})`, { class: "quiet" }));
      });
      const remarks = [];
      if (notes & NO_REPLAY) remarks.push("cannot be played back");
      if (notes & NOT_RATED) remarks.push("not in the tables");
      const results = hidden ? [] : [won || "", look || ""].map((text) => element("td", text, { class: "text brief" }));
      row.append(head, element("td", bots.length), places, ...results, element("td", remarks.join(", "), { class: "text" }));
      [...row.cells].forEach((cell, i) => cell.setAttribute("data-label", this.columns[i]));
      return row;
    }
  }

  let lists = [];

  function begin() {
    cached.clear(); // the files may be newer now
    lists = [...document.querySelectorAll("[data-games]")].map((home) => new List(home));
    for (const list of lists) list.begin();
  }

  begin();
  document.addEventListener("arena:refreshed", begin);
  document.addEventListener("arena:results", () => lists.forEach((list) => list.redraw()));
})();
