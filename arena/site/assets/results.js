// Whether a reader wishes to see the results of games before their ends; the browser remembers it, without a server.
"use strict";
window.arenaResults = (function () {
  const KEY = "arena-hide-results";
  let hidden = false;

  function read() {
    try {
      hidden = localStorage.getItem(KEY) === "yes";
    } catch {
      // a browser may keep nothing: then the wish holds for this page
    }
  }

  const changed = () => document.dispatchEvent(new Event("arena:results"));

  function hide(wish) {
    hidden = wish;
    try {
      if (wish) localStorage.setItem(KEY, "yes");
      else localStorage.removeItem(KEY);
    } catch {
      // as above
    }
    changed();
  }

  read();
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY && event.key !== null) return;
    read();
    changed();
  });
  return { hidden: () => hidden, hide };
})();
