// Puts a button before every region that scrolls sideways: it says how many columns are out of sight and scrolls to them.
// Without this file only a shadow at the region's edge shows that there is more.
"use strict";
(function () {
  const TOLERANCE = 2; // pixels that hide nothing
  let waiting = false;

  // The number of columns whose right ends lie beyond the region; null if it shows no table.
  function hidden(region) {
    const table = region.querySelector("table");
    if (!table || !table.tHead) return null;
    const edge = region.getBoundingClientRect().right + TOLERANCE;
    return [...table.tHead.rows[0].cells].filter((cell) => cell.getBoundingClientRect().right > edge).length;
  }

  function text(region) {
    const room = region.scrollWidth - region.clientWidth;
    if (room <= TOLERANCE) return "";
    if (region.scrollLeft >= room - TOLERANCE) return "← Back to the left";
    const columns = hidden(region);
    return columns === null ? "More to the right →" : `${columns} more column${columns === 1 ? "" : "s"} →`;
  }

  function go(region) {
    const atEnd = region.scrollLeft >= region.scrollWidth - region.clientWidth - TOLERANCE;
    region.scrollLeft = atEnd ? 0 : region.scrollLeft + region.clientWidth / 2; // fixed row names cover the other half
  }

  // Returns the region's button, which is made when it is first needed.
  function cueOf(region) {
    const before = region.previousElementSibling;
    if (before && before.classList.contains("cue")) return before;
    const cue = document.createElement("button");
    cue.type = "button";
    cue.className = "cue";
    cue.name = `cue ${region.getAttribute("aria-labelledby") || region.getAttribute("aria-label")}`; // the same whatever its text
    cue.hidden = true;
    cue.addEventListener("click", () => go(region));
    region.before(cue);
    return cue;
  }

  function update() {
    waiting = false;
    for (const region of document.querySelectorAll(".scroll")) {
      const label = text(region);
      const cue = label ? cueOf(region) : region.previousElementSibling;
      if (!cue || !cue.classList.contains("cue")) continue;
      if (document.activeElement === cue && !label) region.focus();
      // Never set a property to its present value: the observer would report a change and call this function again.
      if (cue.textContent !== label) cue.textContent = label;
      if (cue.hidden !== !label) cue.hidden = !label;
    }
  }

  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(update);
  }

  document.addEventListener("scroll", soon, { capture: true, passive: true });
  window.addEventListener("resize", soon);
  window.addEventListener("load", soon);
  document.addEventListener("change", soon); // a box that shows more columns
  document.addEventListener("arena:refreshed", update); // at once: the focus may have been on a button
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, attributeFilter: ["hidden", "class"] });
  soon();
})();
