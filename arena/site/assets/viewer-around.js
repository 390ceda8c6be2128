// What is around a replay: the games before and after it, and the ways to share the position that is shown.
"use strict";
arenaViewer.around = (function () {
  const NO_REPLAY = 1;
  const at = (id) => document.getElementById(id);

  // Finds the game before (-1) or after (1) one in the lists of games. Returns null at either end.
  async function beside(id, way, lists) {
    const games = [];
    for (let number = 0; number < lists; number += 1) {
      const list = await arenaViewer.load(`list-${number}`);
      games.push(...list.games.filter((game) => !(game[3] & NO_REPLAY)));
      const place = games.findIndex((game) => game[0] === id);
      if (place >= 0 && (way < 0 || place + 1 < games.length || number + 1 === lists)) {
        const found = games[place + way];
        return found ? found[0] : null;
      }
      if (place < 0) games.splice(0, games.length - 1); // only the last one can be the one before
    }
    return null;
  }

  async function share(address) {
    at("share-address").value = address;
    at("share-embed").value = `<iframe src="${address}" width="1000" height="700" title="Replay"></iframe>`;
    at("share-done").textContent = "";
  }

  async function copy() {
    const field = at("share-address");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      at("share-done").textContent = "Copied.";
    } catch {
      at("share-done").textContent = "Selected: copy it with your keys.";
    }
  }

  return { beside, share, copy };
})();
