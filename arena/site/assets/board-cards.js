// Cards as small faces with a sign, a number and a name, and their rule as a tip: for the pointer, the focus and a tap. A tap on
// what else has words of its own, on the board or above a card, shows those as the same tip.
//   const cards = new arenaBoard.Cards(data.cards);   // by name: {title, symbol, value, text, rule}; a card without an entry is plain
//   cards.face("t5"), cards.face("t5", { choose: () => …, barred: "why not" }), cards.row(["t5", null])
"use strict";
arenaBoard.Cards = (function () {
  const { icon } = arenaBoard.symbols;
  let tip = null; // the one tip of the page

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const showTip = (face) => say(face, face.arenaCard, face.arenaRules);

  // Shows a tip at an element. `card`: { title, text, rule }; `rules`: the address of the page of the rules.
  function say(anchor, { title, text, rule }, rules) {
    tapped = false;
    if (!tip) {
      tip = element("div", { class: "card-tip", role: "tooltip", id: "card-tip" });
      tip.addEventListener("pointerenter", () => clearTimeout(leaving));
      tip.addEventListener("pointerleave", leave);
      document.body.append(tip);
    }
    clearTimeout(leaving);
    const parts = title ? [element("strong", {}, title), " ", text] : [text];
    if (rule) {
      const id = element(rules ? "a" : "span", { class: "rule-id" }, `Rule ${rule}`);
      if (rules) id.href = `${rules}#${rule}`;
      parts.push(" ", id);
    }
    tip.replaceChildren(...parts);
    tip.hidden = false;
    const at = anchor.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const left = Math.min(Math.max(at.left + at.width / 2 - size.width / 2, 6), document.documentElement.clientWidth - size.width - 6);
    const top = at.top - size.height - 6 > 0 ? at.top - size.height - 6 : at.bottom + 6;
    tip.style.left = `${left + window.scrollX}px`;
    tip.style.top = `${top + window.scrollY}px`;
  }

  let tapped = false; // whether the tip was asked for by a tap, and stays until the next one
  let leaving = 0; // the timer that hides the tip, unless the pointer has gone into it

  function hideTip() {
    clearTimeout(leaving);
    if (tip) tip.hidden = true;
  }

  function leave() {
    clearTimeout(leaving);
    leaving = setTimeout(hideTip, 250);
  }

  class Cards {
    // `rules`: the address of the page of the rules, to which tips lead.
    constructor(known, rules = "") {
      this.known = known || {};
      this.rules = rules;
      this.made = new Map(); // for whoever shows cards: what was made of them, by name
    }

    // What is known of a card.
    about(name) {
      if (Object.hasOwn(this.known, name)) return this.known[name];
      const found = /^(.*?)[-\s]*(\d+)$/.exec(name);
      return { title: name, symbol: found ? found[1] : name, value: found ? Number(found[2]) : null, text: "", rule: null };
    }

    // One card. With `choose` it is a button; `barred` greys it and says why, `rule` by which rule.
    face(name, { choose = null, barred = "", rule = "" } = {}) {
      const card = this.about(name);
      const kind = String(card.symbol).replace(/[^a-z0-9-]/gi, "");
      const number = card.value === null || card.value === undefined ? null : card.value;
      const made = element(choose ? "button" : "span", { class: `face f-${kind}${number === null ? " special" : ""}`, tabindex: "0", "data-card": name });
      if (choose) made.type = "button";
      else made.setAttribute("role", "note");
      const words = [card.title, card.text, barred].filter(Boolean).join(". ");
      made.setAttribute("aria-label", words);
      made.arenaCard = { ...card, text: [card.text, barred].filter(Boolean).join(" "), rule: rule || card.rule };
      made.arenaRules = this.rules;
      made.append(icon(card.symbol));
      if (number !== null) made.append(element("b", {}, String(number)));
      const short = card.short || (number === null ? card.title : card.title.replace(/\s*\d+$/, ""));
      made.append(element("i", short.length > 7 ? { class: "long" } : {}, short));
      if (barred) {
        made.classList.add("barred");
        made.setAttribute("aria-disabled", "true");
      } else if (choose) made.addEventListener("click", choose);
      made.addEventListener("pointerenter", () => showTip(made));
      made.addEventListener("pointerleave", leave);
      made.addEventListener("focus", () => showTip(made));
      made.addEventListener("blur", leave);
      return made;
    }

    // A list of cards; null stands for an empty place.
    row(cards, label) {
      const list = element("ul", { class: "faces" });
      if (label) list.setAttribute("aria-label", label);
      for (const card of cards) {
        list.append(element("li", {}, card === null ? element("span", { class: "gap" }, element("span", { class: "unseen" }, "none")) : this.face(card)));
      }
      return list;
    }
  }

  // Returns what has words of its own at a target of an event, and these words: [element, words]; null if nothing has.
  function worded(target) {
    const slot = target.closest(".slot[title], .chance[title]");
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
    if (!found) return;
    say(found[0], { title: "", text: found[1], rule: null }, "");
    tapped = true;
  }

  document.addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
  document.addEventListener("pointerdown", (event) => tapped && !tip.contains(event.target) && hideTip());
  document.addEventListener("click", explain);
  document.addEventListener("focusin", explain);
  document.addEventListener("focusout", () => tapped && hideTip());
  return Cards;
})();
