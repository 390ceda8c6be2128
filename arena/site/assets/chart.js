// Lets readers reach the tips of charts by touch and by arrow keys. Without this file they are shown by pointing at a spot
// and by the tab key, which then stops at every spot.
"use strict";
(function () {
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  function spots(chart) {
    return [...chart.querySelectorAll(".spot")];
  }

  // Lets the tab key stop at only one of a chart's spots, the one that had the focus last.
  function stopAt(spot) {
    for (const each of spots(spot.closest(".chart"))) each.setAttribute("tabindex", each === spot ? "0" : "-1");
  }

  function target(chart, spot, key) {
    const all = spots(chart);
    if (key === "Home") return all[0];
    if (key === "End") return all[all.length - 1];
    return key in STEPS ? all[all.indexOf(spot) + STEPS[key]] : undefined;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Escape") {
      for (const chart of document.querySelectorAll(".chart")) chart.classList.add("tips-hidden");
      return;
    }
    const spot = event.target.closest(".spot");
    if (!spot || !(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
    event.preventDefault(); // at the ends too, so that the page does not scroll
    const next = target(spot.closest(".chart"), spot, event.key);
    if (next) next.focus();
  });

  function wake(event) {
    const spot = event.target.closest && event.target.closest(".spot");
    if (spot) spot.closest(".chart").classList.remove("tips-hidden");
    return spot;
  }

  document.addEventListener("focusin", (event) => {
    const spot = wake(event);
    if (spot) stopAt(spot);
  });
  document.addEventListener("pointerover", wake);
  document.addEventListener("pointerdown", (event) => {
    const spot = wake(event);
    if (spot) spot.focus({ preventScroll: true }); // not every browser focuses what is touched
  });

  function begin() {
    for (const chart of document.querySelectorAll(".chart")) {
      const first = chart.querySelector(".spot");
      if (first) stopAt(first);
    }
  }

  begin();
  document.addEventListener("arena:refreshed", begin);
})();
