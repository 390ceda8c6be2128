// The one tip of a page: a card's rule, or what a sign, a chit or a square means. It stands where it covers as little as can be of
// what one wants to compare or to click. Escape closes it, and so does a press elsewhere if it was asked for by a tap.
//   arenaBoard.tips.show(element, { title, text, rule }, "rules.html"); arenaBoard.tips.leave();
"use strict";
arenaBoard.tips = (function () {
  const KEEP_FREE = ".face, .slot, .option, .dial, .target, .pawn, .seat-head, .turning, .bar button";
  const GAP = 6; // pixels between a tip and what it is about
  let tip = null;
  let about = null; // the element that it is about
  let pinned = false; // whether the tip was asked for by a tap, and stays until the next one
  let leaving = 0; // the timer that hides the tip, unless the pointer has gone into it

  function make() {
    tip = document.createElement("div");
    tip.className = "card-tip";
    tip.id = "card-tip";
    tip.setAttribute("role", "tooltip");
    tip.addEventListener("pointerenter", () => clearTimeout(leaving));
    tip.addEventListener("pointerleave", leave);
    document.body.append(tip);
    new MutationObserver(() => about.isConnected || hide()).observe(document.querySelector("main"), { childList: true, subtree: true });
  }

  // Shows a tip about an element. `rules`: the address of the page of the rules.
  function show(anchor, { title, text, rule }, rules) {
    [about, pinned] = [anchor, false];
    if (!tip) make();
    clearTimeout(leaving);
    const strong = document.createElement("strong");
    strong.textContent = title;
    const parts = title ? [strong, " ", text] : [text];
    if (rule) {
      const id = document.createElement(rules ? "a" : "span");
      id.className = "rule-id";
      id.textContent = `Rule ${rule}`;
      if (rules) id.href = `${rules}#${rule}`;
      parts.push(" ", id);
    }
    tip.replaceChildren(...parts);
    tip.hidden = false;
    const { left, top } = place(anchor);
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${top + window.scrollY}px`;
  }

  const boxOf = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left, y: top, w: width, h: height };
  };

  // Where the tip covers least: beside the element, the row that it is in, or the panel of that.
  function place(anchor) {
    const { width: w, height: h } = tip.getBoundingClientRect();
    const [wide, high] = [document.documentElement.clientWidth, document.documentElement.clientHeight];
    const at = boxOf(anchor);
    const around = [anchor, anchor.closest("li"), anchor.closest(".faces"), anchor.closest("section")].filter(Boolean).map(boxOf);
    const free = [...document.querySelectorAll(KEEP_FREE)].filter((each) => !each.contains(anchor)).map(boxOf);
    const [middle, centre] = [at.x + (at.w - w) / 2, at.y + (at.h - h) / 2];
    const tries = around.flatMap(({ x, y, w: width, h: height }) => [
      [middle, y - h - GAP],
      [middle, y + height + GAP],
      [x - w - GAP, centre],
      [x + width + GAP, centre],
    ]);
    const cost = (left, top) => {
      const box = { x: left, y: top, w, h };
      const covered = free.reduce((sum, each) => sum + arenaBoard.overlap(box, each), 0);
      return 40 * arenaBoard.overlap(box, at) + 4 * covered + Math.hypot(left - middle, top - centre);
    };
    const inside = tries.map(([x, y]) => [Math.max(GAP, Math.min(x, wide - w - GAP)), Math.max(GAP, Math.min(y, high - h - GAP))]);
    const [left, top] = inside.reduce((best, each) => (cost(...each) < cost(...best) ? each : best));
    return { left, top };
  }

  function hide() {
    clearTimeout(leaving);
    if (tip) tip.hidden = true;
  }

  function leave() {
    if (pinned) return;
    clearTimeout(leaving);
    leaving = setTimeout(hide, 250);
  }

  // Returns what has words of its own at a target of an event, and these words: [element, words]; null if nothing has.
  function worded(target) {
    const slot = target.closest(".slot[title], .chance[title], .legend [title], .term");
    if (slot) return [slot, slot.title];
    if (!target.closest(".board") || target.closest(".target")) return null;
    for (let each = target; each.localName !== "svg"; each = each.parentElement) {
      const title = [...each.children].find((child) => child.localName === "title");
      if (title) return [each, title.textContent];
    }
    return null;
  }

  function explain(event) {
    const found = event.target.closest && worded(event.target);
    if (found) show(found[0], { title: "", text: found[1], rule: null }, "");
    if (found || (event.type === "click" && event.target.closest && event.target.closest("span.face"))) pinned = true;
  }

  function escape(event) {
    if (event.key !== "Escape" || !tip || tip.hidden) return;
    hide();
    event.preventDefault(); // it closes nothing else
    event.stopPropagation();
  }

  document.addEventListener("keydown", escape, true);
  document.addEventListener("pointerdown", (event) => pinned && !tip.contains(event.target) && hide());
  document.addEventListener("click", explain);
  document.addEventListener("focusin", explain);
  document.addEventListener("focusout", () => pinned && hide());
  return { show, leave };
})();
