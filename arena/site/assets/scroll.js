// Says of every region that scrolls sideways that there is more of it: a button before it names how many columns are out of
// sight and leads to them. Without this file a shadow at the region's edge says the same.
"use strict";
(function () {
  const SLACK = 2; // pixels that hide nothing
  let waiting = false;

  // The columns, or null if it shows no table, whose right ends lie beyond the region.
  function hidden(region) {
    const table = region.querySelector("table");
    if (!table || !table.tHead) return null;
    const edge = region.getBoundingClientRect().right + SLACK;
    return [...table.tHead.rows[0].cells].filter((cell) => cell.getBoundingClientRect().right > edge).length;
  }

  function text(region) {
    const room = region.scrollWidth - region.clientWidth;
    if (room <= SLACK) return "";
    if (region.scrollLeft >= room - SLACK) return "← Back to the left";
    const columns = hidden(region);
    return columns === null ? "More to the right →" : `${columns} more column${columns === 1 ? "" : "s"} →`;
  }

  function go(region) {
    const atEnd = region.scrollLeft >= region.scrollWidth - region.clientWidth - SLACK;
    region.scrollLeft = atEnd ? 0 : region.scrollLeft + region.clientWidth / 2; // names of rows that stay cover the rest
  }

  // The region's button, which is made when it is first needed.
  function cueOf(region) {
    const before = region.previousElementSibling;
    if (before && before.classList.contains("cue")) return before;
    const cue = document.createElement("button");
    cue.type = "button";
    cue.className = "cue";
    cue.name = `cue ${region.getAttribute("aria-labelledby") || region.getAttribute("aria-label")}`; // stays, whatever it says
    cue.hidden = true;
    cue.addEventListener("click", () => go(region));
    region.before(cue);
    return cue;
  }

  function update() {
    waiting = false;
    for (const region of document.querySelectorAll(".scroll")) {
      const said = text(region);
      const cue = said ? cueOf(region) : region.previousElementSibling;
      if (!cue || !cue.classList.contains("cue")) continue;
      if (document.activeElement === cue && !said) region.focus();
      // Nothing is set to what it is: that too would be seen as a change, and come back here.
      if (cue.textContent !== said) cue.textContent = said;
      if (cue.hidden !== !said) cue.hidden = !said;
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
  document.addEventListener("arena:refreshed", update); // at once: the focus may have been on a button
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, attributeFilter: ["hidden", "class"] });
  soon();
})();
