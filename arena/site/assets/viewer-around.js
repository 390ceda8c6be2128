// What is around a replay: the games before and after it, and the ways to share the position that is shown.
"use strict";
arenaViewer.around = (function () {
  const NO_REPLAY = 1;
  const at = (id) => document.getElementById(id);

  const ALL = { pages: [], names: [], words: "" };

  // The bots of these pages, whose games are looked through; all games if there is no such bot.
  async function among(pages) {
    if (!pages.length) return ALL;
    const { bots } = await arenaViewer.load("bots").catch(() => ({ bots: [] }));
    const numbers = pages.map((page) => bots.findIndex((each) => each[1] === page));
    if (numbers.includes(-1)) return ALL;
    const names = numbers.map((number) => bots[number][0]);
    return { pages, numbers, words: names.join(" against ") };
  }

  // Says of which bots the games are that one goes through, as a link to their list.
  function showAmong({ pages, words }) {
    const link = at("among");
    link.hidden = !pages.length;
    if (pages.length) link.href = `index.html#${pages.join("/")}`;
    link.textContent = words;
    link.title = words && `The games of ${words}`;
    at("previous-game").title = words ? `Previous game of ${words}` : "Previous game";
    at("next-game").title = words ? `Next game of ${words}` : "Next game";
  }

  // Finds the game before (-1) or after (1) one in the lists of games, among those of some bots. Returns null at either end.
  async function beside(id, way, lists, { numbers = [] }) {
    const games = [];
    const wanted = (game) => game[0] === id || (!(game[3] & NO_REPLAY) && numbers.every((bot) => game[1].includes(bot)));
    for (let number = 0; number < lists; number += 1) {
      const list = await arenaViewer.load(`list-${number}`);
      games.push(...list.games.filter(wanted));
      const place = games.findIndex((game) => game[0] === id);
      if (place >= 0 && (way < 0 || place + 1 < games.length || number + 1 === lists)) {
        const found = games[place + way];
        return found ? found[0] : null;
      }
      if (place < 0) games.splice(0, games.length - 1); // only the last one can be the one before
    }
    return null;
  }

  // Shows the addresses of a position, and copies the first. Where it is known at which address the site is published, the
  // game's own page is named, which chats show with a title and a picture.
  function share(id, position) {
    const { published } = at("heading").dataset;
    const page = location.href.split(/[?#]/)[0];
    const whole = published ? `${published}games/${id}/#${position}` : `${page}#${id}/${position}`;
    const small = `${published ? `${published}games/replay.html` : page}?embed#${id}/${position}`;
    at("share-address").value = whole;
    at("share-embed").value = `<iframe src="${small}" width="640" height="480" title="Replay" loading="lazy"></iframe>`;
    copy();
  }

  async function copy() {
    const field = at("share-address");
    at("share-done").textContent = "";
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      at("share-done").textContent = "Copied.";
    } catch {
      at("share-done").textContent = "Selected: copy it with your keys.";
    }
  }

  // Closes the addresses, and gives the focus back to their button if it was inside.
  function closeShare() {
    const inside = at("share").contains(document.activeElement);
    at("share").open = false;
    if (inside) at("share").querySelector("summary").focus({ preventScroll: true });
  }

  // Closes the addresses on Escape and at a press of the pointer elsewhere.
  function closeShareByItself() {
    document.addEventListener("keydown", (event) => event.key === "Escape" && at("share").open && closeShare());
    document.addEventListener("pointerdown", (event) => at("share").contains(event.target) || (at("share").open = false));
  }

  return { ALL, among, showAmong, beside, share, copy, closeShareByItself };
})();
