// Keeps a page up to date with the tournament, for `arena show --web` only. Once a second it is told what has changed. When
// the pages were published anew, the page is fetched again and its <main> replaces the old one, with scroll positions,
// focus, sorting and filters restored. Scripts that work on <main>
// listen to "arena:refreshed" on the document and start again. A replay, and a list that was opened beyond its first rows,
// are not replaced, so that readers do not lose their place.
"use strict";
(function () {
  const LIVE_SCRIPT = document.currentScript.src;
  const events = new URL("../events", LIVE_SCRIPT).href;
  const LONGEST = 30; // seconds between two attempts to reach the server
  const RESTORE_SECONDS = 5; // how long to wait for content that scripts load into a page
  const ROWS = 100; // rows that a list has at first
  const IS_LIVE = document.getElementById("live-page") !== null; // which is told everything, and renews itself
  const IS_REPLAY = /\/replay\.html$/.test(location.pathname);
  const bar = document.createElement("div");
  const state = document.createElement("span"); // read aloud when it changes
  const count = document.createElement("span"); // not read aloud: it changes all the time
  const watch = document.createElement("a"); // to the live page
  let delay = 1;
  let source = null;
  let retry = 0;
  let running = false;
  let waiting = false;

  // Elements by keys that stay the same whatever is added or removed around them.
  function keys(main, selector) {
    const seen = new Map();
    const found = new Map();
    for (const element of main.querySelectorAll(selector)) {
      const name = element.id
        ? `#${element.id}`
        : [element.tagName, element.getAttribute("href") || element.name || (element.caption || element).textContent.trim()]
            .join("|")
            .slice(0, 300);
      const number = seen.get(name) || 0;
      seen.set(name, number + 1);
      found.set(`${name}|${number}`, element);
    }
    return found;
  }

  const FIELDS = "input, select, textarea";
  const FOCUS = "a[href], button, summary, [tabindex], " + FIELDS;
  const REGIONS = "[tabindex]:not(.spot), .scroll"; // charts get more spots with every game

  function sorting(table) {
    const heads = [...table.querySelectorAll("thead th")];
    const column = heads.findIndex((head) => /^(a|de)scending$/.test(head.getAttribute("aria-sort") || ""));
    return column < 0 ? null : { column: column, order: heads[column].getAttribute("aria-sort") };
  }

  function remember(main) {
    const place = { x: window.scrollX, y: window.scrollY, focus: null, fields: new Map(), open: new Map() };
    for (const [key, field] of keys(main, FIELDS)) {
      place.fields.set(key, { value: field.value, checked: field.checked });
    }
    for (const [key, details] of keys(main, "details")) place.open.set(key, details.open);
    place.listed = main.querySelector("[data-games] table") !== null;
    place.sorted = [...main.querySelectorAll("table")].map(sorting);
    place.regions = [...main.querySelectorAll(REGIONS)].map((region) => [region.scrollLeft, region.scrollTop]);
    for (const [key, element] of keys(main, FOCUS)) {
      if (element !== document.activeElement) continue;
      let range = null;
      try {
        range = [element.selectionStart, element.selectionEnd];
      } catch {
        range = null; // a kind of field that has none
      }
      place.focus = { key: key, range: range };
    }
    return place;
  }

  function sortAgain(table, wanted) {
    const head = wanted && table.querySelectorAll("thead th")[wanted.column];
    const button = head && head.querySelector("button");
    for (let clicks = 0; button && clicks < 3 && head.getAttribute("aria-sort") !== wanted.order; clicks += 1) {
      button.click();
    }
  }

  function restore(main, place) {
    for (const [key, field] of keys(main, FIELDS)) {
      const before = place.fields.get(key);
      place.fields.delete(key); // a later choice is the reader's own
      if (!before || (before.value === field.value && before.checked === field.checked)) continue;
      field.value = before.value;
      field.checked = before.checked;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    for (const [key, details] of keys(main, "details")) {
      if (place.open.has(key)) details.open = place.open.get(key);
    }
    main.querySelectorAll("table").forEach((table, number) => sortAgain(table, place.sorted[number]));
    main.querySelectorAll(REGIONS).forEach((region, number) => {
      const scrolled = place.regions[number];
      if (scrolled) [region.scrollLeft, region.scrollTop] = scrolled;
    });
    const focused = place.focus && keys(main, FOCUS).get(place.focus.key);
    if (focused && focused !== document.activeElement) {
      focused.focus({ preventScroll: true });
      if (place.focus.range && place.focus.range[0] !== null && focused.setSelectionRange) {
        focused.setSelectionRange(...place.focus.range);
      }
    }
    window.scrollTo({ left: place.x, top: place.y, behavior: "instant" });
  }

  // Scripts load some content later: it is restored too, for some seconds or until the reader does something.
  function restoreLater(main, place) {
    const observer = new MutationObserver(() => {
      restore(main, place);
      observer.takeRecords();
    });
    const inputs = ["pointerdown", "keydown", "wheel", "touchstart"];
    const stop = () => {
      observer.disconnect();
      inputs.forEach((input) => window.removeEventListener(input, stop, true));
    };
    inputs.forEach((input) => window.addEventListener(input, stop, true));
    setTimeout(stop, 1000 * RESTORE_SECONDS);
    observer.observe(main, { childList: true, subtree: true });
    const closed = main.querySelector("[data-games] > button");
    if (place.listed && closed) closed.click();
  }

  function replace(page, number) {
    const old = document.querySelector("main");
    const fresh = page.querySelector("main");
    if (!old || !fresh) return;
    // The browser would take a picture of the same name from its cache.
    for (const picture of fresh.querySelectorAll("img[src]")) {
      picture.setAttribute("src", `${picture.getAttribute("src").split("?")[0]}?${number}`);
    }
    const place = remember(old);
    const main = document.importNode(fresh, true);
    old.replaceWith(main);
    document.title = page.title;
    document.dispatchEvent(new CustomEvent("arena:refreshed", { detail: { main: main } }));
    restore(main, place);
    if (main.querySelector("[data-games]")) restoreLater(main, place);
  }

  async function refresh(number) {
    if (IS_REPLAY || IS_LIVE) return;
    const list = document.querySelector("[data-games] tbody");
    if (list && list.rows.length > ROWS) {
      count.textContent += " The list below stays as it is: reload the page for the latest.";
      return;
    }
    if (running || document.hidden) {
      waiting = true;
      return;
    }
    running = true;
    waiting = false;
    try {
      const answer = await fetch(location.href.split("#")[0], { cache: "no-store" });
      if (answer.ok) replace(new DOMParser().parseFromString(await answer.text(), "text/html"), number);
      else count.textContent = " This page is not there any more.";
    } catch {
      waiting = true; // the server is gone: refresh at the next event
    } finally {
      running = false;
      if (waiting && source && source.readyState === EventSource.OPEN) setTimeout(() => refresh(number), 1000);
    }
  }

  function showState(text) {
    if (state.textContent !== text) state.textContent = text;
  }

  const STATES = {
    playing: "Live: the tournament is being played.",
    finished: "The tournament is over.",
    stopped: "The tournament is not over, but nobody is playing it now.",
  };

  // What the server has told, by key. Other scripts hear of it by "arena:news", whose detail has the keys that changed.
  const values = new Map();
  let published = null; // how often the pages had been published when this one was read

  function onNews(event) {
    const sent = JSON.parse(event.data);
    const changed = new Set(Object.keys(sent));
    if (event.type === "all") {
      for (const key of values.keys()) changed.add(key);
      values.clear();
    }
    for (const [key, value] of Object.entries(sent)) {
      if (value === null) values.delete(key);
      else values.set(key, value);
    }
    showFar();
    document.dispatchEvent(new CustomEvent("arena:news", { detail: { changed } }));
    const pages = values.get("pages");
    if (pages !== undefined && pages !== published) refresh(pages);
    published = pages;
  }

  // How far the tournament is, how fast it goes on, and how long it will take.
  function far() {
    const { played = 0, expected = null } = values.get("tournament") || {};
    const { per_second: rate = null, left = null } = values.get("pace") || {};
    const games = `${played}${expected === null ? "" : ` of ${expected}`} games played`;
    const pace = rate === null ? "" : rate >= 1 ? `${rate} a second` : `${Number((rate * 60).toPrecision(2))} a minute`;
    return { played, expected, games, pace: [pace, left === null ? "" : `about ${duration(left)} left`].filter(Boolean).join(", ") };
  }

  function duration(seconds) {
    if (seconds < 90) return `${seconds} s`;
    const minutes = Math.round(seconds / 60);
    return minutes < 90 ? `${minutes} min` : `${Math.trunc(minutes / 60)} h ${minutes % 60} min`;
  }

  function showFar() {
    const { state: now } = values.get("tournament") || {};
    const { games, pace } = far();
    bar.dataset.state = now;
    showState(STATES[now] || "");
    count.textContent = IS_LIVE ? "" : ` ${games}${pace ? `, ${pace}` : ""}.`;
    watch.hidden = IS_LIVE || now !== "playing";
  }

  function onLost() {
    if (source) source.close();
    source = null;
    published = null; // another server counts from 1 again
    clearTimeout(retry);
    bar.dataset.state = "gone";
    showState("The server is gone; this page stays as it is.");
    count.textContent = ` Trying again in ${delay} s.`;
    watch.hidden = true;
    retry = setTimeout(connect, 1000 * delay);
    delay = Math.min(2 * delay, LONGEST);
  }

  function connect() {
    if (source) source.close();
    clearTimeout(retry);
    source = new EventSource(`${events}${IS_LIVE ? `?live${game ? `&game=${encodeURIComponent(game)}` : ""}` : ""}`);
    source.addEventListener("open", () => (delay = 1));
    source.addEventListener("all", onNews);
    source.addEventListener("delta", onNews);
    source.addEventListener("gone", onLost);
    source.addEventListener("error", onLost);
  }

  let game = ""; // whose board is sent
  window.arenaLive = {
    values,
    far,
    watch(id) {
      if (id === game) return;
      game = id;
      connect();
    },
  };

  bar.id = "live";
  state.setAttribute("role", "status");
  watch.href = new URL("../games/live.html", LIVE_SCRIPT).href;
  watch.textContent = "Watch live";
  watch.hidden = true;
  bar.append(state, count, " ", watch);
  const main = document.querySelector("main");
  if (IS_LIVE) document.getElementById("live-head").append(bar);
  else if (main) main.after(bar);
  else document.body.prepend(bar);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && waiting) refresh(Date.now());
  });
  window.addEventListener("pagehide", () => source && source.close());
  window.addEventListener("pageshow", (event) => event.persisted && onLost());
  connect();
})();
