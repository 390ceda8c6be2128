// Cards as small faces with a sign, a number and a name, and their rule as a tip: for the pointer, the focus and a tap.
//   const cards = new arenaBoard.Cards(data.cards);   // by name: {title, symbol, value, text, rule}; a card without an entry is plain
//   cards.face("t5"), cards.face("t5", { choose: () => …, barred: "why not" }), cards.row(["t5", null])
"use strict";
arenaBoard.Cards = (function () {
  const { icon } = arenaBoard.symbols;
  const { tips } = arenaBoard;

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const showTip = (face) => tips.show(face, face.arenaCard, face.arenaRules);

  class Cards {
    // `rules`: the address of the page of the rules, to which tips lead.
    constructor(known, rules = "") {
      this.known = known || {};
      this.rules = rules;
      this.made = new Map(); // for all that shows cards: what was made of them, by name
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
      const below = element("i", {}, short);
      below.style.setProperty("--letters", Math.max(...short.split(" ").map((word) => word.length))); // so that the longest word fits
      made.append(below);
      if (barred) {
        made.classList.add("barred");
        made.setAttribute("aria-disabled", "true");
      } else if (choose) made.addEventListener("click", choose);
      made.addEventListener("pointerenter", () => showTip(made));
      made.addEventListener("pointerleave", tips.leave);
      made.addEventListener("focus", () => showTip(made));
      made.addEventListener("blur", tips.leave);
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

  return Cards;
})();
