// Makes tabs of a list of links to parts of the page: one part is shown at a time, chosen by a click or by keys, and the page's
// address names it. Without this file the parts stand below each other.
"use strict";
(function () {
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  const partOf = (tab) => document.getElementById(tab.hash.slice(1));

  function choose(tabs, chosen) {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      partOf(tab).hidden = tab !== chosen;
    }
  }

  function begin() {
    for (const list of document.querySelectorAll("[data-tabs]")) {
      const tabs = [...list.querySelectorAll("a")];
      list.setAttribute("role", "tablist");
      for (const tab of tabs) {
        tab.removeAttribute("aria-current");
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-controls", tab.hash.slice(1));
        tab.id = `tab-${tab.hash.slice(1)}`;
        partOf(tab).setAttribute("role", "tabpanel");
        partOf(tab).setAttribute("aria-labelledby", tab.id);
      }
      choose(tabs, tabs.find((tab) => tab.hash === location.hash) || tabs[0]);
      list.addEventListener("click", (event) => {
        const tab = event.target.closest("a");
        if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault(); // so that the page does not jump to the part
        go(tabs, tab);
      });
      list.addEventListener("keydown", (event) => {
        const at = tabs.indexOf(document.activeElement);
        const ends = { Home: 0, End: tabs.length - 1 };
        if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.key === " ") return event.preventDefault();
        if (!(event.key in STEPS || event.key in ends)) return;
        event.preventDefault();
        const next = event.key in ends ? ends[event.key] : (at + STEPS[event.key] + tabs.length) % tabs.length;
        go(tabs, tabs[next]);
        tabs[next].focus();
      });
    }
  }

  function go(tabs, tab) {
    choose(tabs, tab);
    history.replaceState(null, "", tab.hash);
  }

  window.addEventListener("hashchange", () => {
    for (const list of document.querySelectorAll("[data-tabs]")) {
      const tabs = [...list.querySelectorAll("a")];
      const asked = tabs.find((tab) => tab.hash === location.hash);
      if (asked) choose(tabs, asked);
    }
  });
  begin();
  document.addEventListener("arena:refreshed", begin);
})();
