// Leads the keyboard over a board: it is one stop of the Tab key, from which the arrow keys go to whatever has words of its own in
// their direction, Home and End to the first and the last, and Enter chooses a place that is lit. Each shows its tip (board-tips.js).
"use strict";
arenaBoard.leadKeys = (function () {
  const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const ASIDE = 2.5; // how much farther it is to the side than straight on

  const items = (board) => [...board.picture.querySelectorAll("[role=img]:not([hidden])")];
  const words = (item) => item.querySelector("title").textContent;

  // Makes one item the stop of the Tab key.
  function rove(board, item) {
    const before = board.picture.querySelector("[tabindex]");
    if (before === item) return;
    if (before) before.removeAttribute("tabindex");
    item.setAttribute("tabindex", "0");
  }

  const middle = (item) => {
    const { left, right, top, bottom } = item.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };

  // The nearest item in a direction; null if there is none.
  function next(board, from, [right, down]) {
    const [x, y] = middle(from);
    let found = null;
    for (const item of items(board)) {
      const [u, v] = middle(item);
      const ahead = (u - x) * right + (v - y) * down;
      const aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
      if (item === from || ahead < 2 || aside > 4 * ahead) continue;
      const far = ahead + ASIDE * aside;
      if (!found || far < found.far) found = { item, far };
    }
    return found && found.item;
  }

  function pressed(board, event) {
    const from = event.target.closest(".board [role=img]");
    if (!from || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const all = items(board);
    const ends = { Home: all[0], End: all[all.length - 1] };
    const to = WAYS[event.key] ? next(board, from, WAYS[event.key]) : ends[event.key];
    if (to) {
      rove(board, to);
      to.focus({ preventScroll: true });
    }
    const chosen = event.key === "Enter" && board.choose(from);
    if (WAYS[event.key] || to || chosen) event.preventDefault(); // it is no step of a replay and no answer
  }

  // A press of the pointer leaves the keys to the page around the board.
  function leave(board, event) {
    if (!event.target.closest(".board")) return;
    event.preventDefault();
    const around = board.home.closest("[tabindex]");
    if (around) around.focus({ preventScroll: true });
  }

  // Leads the keys over a board until `close`. `keep(focused)` is called after each change: there is always one stop, and it has
  // the focus if something of the board had it before.
  return (board) => {
    let last = ""; // the words of the stop
    const focusin = ({ target }) => target.closest("[role=img]") && (last = words(target));
    const listeners = { keydown: (event) => pressed(board, event), mousedown: (event) => leave(board, event), focusin };
    for (const [name, listener] of Object.entries(listeners)) board.home.addEventListener(name, listener);
    const keep = (focused) => {
      const all = items(board);
      if (!board.picture.querySelector("[tabindex]") && all.length) rove(board, all.find((each) => words(each) === last) || all[0]);
      if (focused && !board.home.contains(document.activeElement) && all.length) board.picture.querySelector("[tabindex]").focus({ preventScroll: true });
    };
    const close = () => {
      for (const [name, listener] of Object.entries(listeners)) board.home.removeEventListener(name, listener);
    };
    return { keep, close };
  };
})();
