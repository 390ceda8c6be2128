// What a person is asked, and all answers in words. Picking places and cards narrows the list; an entry of it, or the only one that
// is left, is chosen and then played. All of it can be done by keys, and is said aloud.
"use strict";
arenaPlay.Question = (function () {
  const { element } = arenaViewer.words;
  const PAGE = 9; // entries that have a key of their own
  const at = (id) => document.getElementById(id);
  const many = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

  class Question {
    // `table`: an `arenaPlay.Table`. `say(text)`: says something aloud.
    constructor(table, say) {
      this.table = table;
      this.say = say;
      this.choices = null;
      this.first = 0; // the first entry of the list that has a key now
    }

    // Asks. `asked`: { heading, question, barred, hand, choices: [{ action, text }] }; `play(index)` gets the answer.
    ask(asked, play) {
      this.asked = asked;
      this.play = play;
      this.hinted = null;
      this.pointed = [];
      this.choices = new arenaPlay.Choices(asked.choices, { board: this.table.data, hand: asked.hand });
      this.first = 0;
      at("asked").textContent = asked.heading;
      at("question").textContent = asked.question;
      at("answers").hidden = false;
      at("ask").classList.add("open");
      at("options").scrollTop = 0;
      this.render();
    }

    // Ends the question: `heading` and `text` stand in its place.
    close(heading, text) {
      this.choices = null;
      at("asked").textContent = heading;
      at("question").textContent = text;
      at("answers").hidden = true;
      at("ask").classList.remove("open");
      at("options").replaceChildren();
      this.table.light(null);
    }

    get open() {
      return this.choices !== null;
    }

    // Shows what a bot would choose. `note`: whose hint it is, in words.
    hint(index, note) {
      if (!this.open) return;
      this.hinted = index;
      at("hinted").textContent = note;
      if (index === null) {
        this.say(note);
      } else {
        this.say(`${note} ${this.asked.choices[index].text}`);
      }
      this.render();
      const entry = at("options").querySelector(".option:has(.tag)");
      if (entry) Question.reveal(entry);
    }

    // Points at marks, as the tutorial does.
    point(marks) {
      this.pointed = marks;
      this.render();
    }

    pick(mark) {
      if (!this.open) return;
      const before = this.choices.chosen();
      const undo = !this.choices.lit().has(mark);
      const finished = before !== null && this.choices.picked[this.choices.picked.length - 1] === mark && undo;
      if (finished && this.choices.left().length === 1) {
        this.answer(before); // what was chosen by a click is played by the same click again
        return;
      }
      this.choices.pick(mark);
      this.changed();
    }

    name(index) {
      if (this.choices.named === index) {
        this.answer(index);
        return;
      }
      this.choices.name(index);
      this.changed();
    }

    narrow(group) {
      this.choices.narrow(group);
      this.changed();
    }

    undo() {
      if (!this.open || !this.choices.undo()) return;
      this.changed();
    }

    changed() {
      const chosen = this.choices.chosen();
      if (chosen !== null && at("at-once").checked) {
        this.answer(chosen);
        return;
      }
      this.first = 0;
      this.render();
      const left = this.choices.left().length;
      if (chosen === null) this.say(this.choices.picked.length || this.choices.group ? `${many(left, "choice")} left.` : `All ${many(left, "choice")}.`);
      else this.say(`Chosen: ${this.asked.choices[chosen].text}. Enter plays it.`);
    }

    answer(index) {
      if (!this.open || index === null) return;
      this.play(index);
    }

    // Showing

    render() {
      const left = this.choices.left();
      const chosen = this.choices.chosen();
      const all = this.asked.choices.length;
      this.table.light({
        lit: this.choices.lit(),
        picked: chosen === null || this.choices.named === null ? this.choices.picked : this.choices.of(chosen),
        pointed: new Set(this.hinted === null ? this.pointed : this.choices.of(this.hinted)),
        barred: this.asked.barred || {},
        pick: (mark) => this.pick(mark),
      });
      at("count").textContent = left.length === all ? many(all, "choice") : `${left.length} of ${many(all, "choice")}`;
      if (this.hinted === null) at("hinted").textContent = "";
      const entries = this.choices.entries(PAGE);
      const shown = left.includes(chosen) || chosen === null ? entries : [...entries, chosen];
      const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.index : undefined;
      at("options").replaceChildren(...shown.map((each, place) => this.entry(each, place, chosen)));
      const again = focused === undefined ? null : at("options").querySelector(`[data-index="${focused}"]`);
      if (again) again.focus({ preventScroll: true });
      const marked = at("options").querySelector("[aria-pressed=true]");
      if (marked) Question.reveal(marked);
      at("undo").setAttribute("aria-disabled", String(!this.choices.picked.length && !this.choices.group && this.choices.named === null));
      at("play").setAttribute("aria-disabled", String(chosen === null));
      at("play").title = chosen === null ? "First choose: on the board, among the cards or in the list" : this.asked.choices[chosen].text;
    }

    // Scrolls the list, and nothing else, so that an entry of it is seen.
    static reveal(entry) {
      const list = at("options");
      const [top, bottom] = [entry.offsetTop, entry.offsetTop + entry.offsetHeight];
      if (top < list.scrollTop) list.scrollTop = top;
      else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    }

    // An entry of the list: a choice, or several that look alike, which it opens.
    entry(each, place, chosen) {
      const group = Array.isArray(each) ? each : null;
      const index = group ? group[0] : each;
      const key = place - this.first;
      const has = key >= 0 && key < PAGE;
      const button = element("button", { type: "button", class: "option", "data-index": index, "aria-pressed": String(index === chosen) });
      button.append(element("kbd", { "aria-hidden": "true" }, has ? String(key + 1) : ""), element("span", {}, group ? `${this.choices.stem(group)} … ${many(group.length, "way")}` : this.asked.choices[index].text));
      if (has) button.setAttribute("aria-keyshortcuts", String(key + 1));
      if ((group || [index]).includes(this.hinted)) button.append(element("span", { class: "tag" }, "hint"));
      button.addEventListener("click", () => (group ? this.narrow(group) : this.name(index)));
      if (!group) button.addEventListener("pointerenter", () => this.preview(index));
      button.addEventListener("pointerleave", () => this.preview(null));
      return element("li", {}, button);
    }

    // Shows on the board and in the hand what an entry under the pointer names.
    preview(index) {
      if (!this.open) return;
      const marks = index === null ? [] : this.choices.of(index);
      for (const face of document.querySelectorAll(".face[data-mark]")) face.classList.toggle("meant", marks.includes(face.dataset.mark));
    }

    // Keys

    // Handles a key. Returns whether it was one for the question.
    key(key, target) {
      if (!this.open) return false;
      if (/^[1-9]$/.test(key)) return this.number(Number(key));
      if (key === "0") return this.turnPage();
      if (key === "ArrowDown" || key === "ArrowUp") return this.step(key === "ArrowDown" ? 1 : -1, target);
      if (key === "Enter" && !target.closest("button, a, summary, input, select")) {
        this.answer(this.choices.chosen());
        return true;
      }
      if (key === "Backspace" || key === "Escape" || key === "u") {
        this.undo();
        return true;
      }
      return false;
    }

    number(key) {
      const entry = at("options").querySelectorAll(".option")[this.first + key - 1];
      if (!entry) return false;
      if (document.activeElement && document.activeElement.closest("#options")) at("game").focus({ preventScroll: true });
      entry.click();
      return true;
    }

    // Gives the keys to the next nine entries of the list.
    turnPage() {
      const all = at("options").querySelectorAll(".option");
      if (all.length <= PAGE) return false;
      this.first = this.first + PAGE < all.length ? this.first + PAGE : 0;
      this.render();
      const list = at("options");
      list.scrollTop = at("options").querySelectorAll(".option")[this.first].offsetTop;
      this.say(`Keys 1 to ${Math.min(PAGE, all.length - this.first)} are now for choices ${this.first + 1} to ${Math.min(this.first + PAGE, all.length)}.`);
      return true;
    }

    step(way, target) {
      const all = [...at("options").querySelectorAll(".option")];
      const now = all.indexOf(target.closest(".option"));
      if (now < 0 && target.closest("[role=tabpanel], .tabs")) return false;
      const next = all[now < 0 ? (way > 0 ? 0 : all.length - 1) : Math.min(Math.max(now + way, 0), all.length - 1)];
      if (!next) return false;
      next.focus({ preventScroll: true });
      Question.reveal(next);
      return true;
    }
  }

  return Question;
})();
