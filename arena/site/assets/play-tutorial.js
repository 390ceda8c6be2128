// The tutorial: a recorded game, seen from one of its seats, that stops where there is something to learn. The page points at what
// matters; at some stops the person chooses what was chosen in the game. Nothing of it is sent to the arena.
"use strict";
arenaPlay.Tutorial = (function () {
  const { Replay, words } = arenaViewer;
  const STEP = 700; // milliseconds that a step between two lessons is shown
  const MOST = 6; // steps that are shown one by one
  const at = (id) => document.getElementById(id);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  class Tutorial {
    // `page`: { open(table), say(text), question(), table() }. Returns the tutorial that began.
    static async open(page) {
      const answer = await fetch("tutorial");
      if (!answer.ok) throw new Error(`the arena answered ${answer.status}`);
      return new Tutorial(page, await answer.json());
    }

    constructor(page, data) {
      this.page = page;
      this.data = data;
      this.timer = 0;
      this.number = 0;
      page.open(data.table);
      this.replay = new Replay(data.public);
      this.replay.addSeat(data.seat, data.own);
      document.documentElement.classList.add("learning");
      at("title").textContent = `Tutorial: ${data.title}`;
      at("about").textContent = data.about;
      at("lesson").hidden = false;
      at("lesson-next").onclick = () => this.go(1);
      at("lesson-back").onclick = () => this.go(-1);
      this.stop(0);
    }

    // Ends the tutorial.
    leave() {
      clearTimeout(this.timer);
      at("lesson").hidden = true;
      document.documentElement.classList.remove("learning");
    }

    get lesson() {
      return this.data.lessons[this.number];
    }

    hand(position) {
      const own = this.replay.known(this.data.seat, position);
      return (own && own.hand) || [];
    }

    go(way) {
      if (way > 0 && this.number === this.data.lessons.length - 1) {
        location.hash = ""; // the page begins anew, with the lobby
        return;
      }
      const from = this.lesson.step;
      this.number = Math.max(0, this.number + way);
      if (way < 0 || still.matches) this.stop();
      else this.travel(from);
    }

    // Shows the steps on the way to the next lesson one by one, the last of them if they are many.
    travel(from) {
      clearTimeout(this.timer);
      const positions = [];
      for (let position = this.replay.beside(from, 1); from < this.lesson.step && position < this.lesson.step; ) {
        positions.push(position);
        position = this.replay.beside(position, 1);
      }
      const shown = positions.slice(-MOST);
      const next = (place) => {
        if (place === shown.length) {
          this.stop();
          return;
        }
        this.page.table().show(this.replay, shown[place], this.data.seat, this.hand(shown[place]));
        this.page.question().close(this.replay.turn(shown[place]) || "The game begins", "");
        at("question").replaceChildren(...words.stepLines(this.replay, shown[place], [this.data.seat]));
        this.timer = setTimeout(next, STEP, place + 1);
      };
      next(0);
    }

    // Stops at the lesson.
    stop() {
      clearTimeout(this.timer);
      const { lesson } = this;
      const all = this.data.lessons.length;
      const heading = `${lesson.heading} (${this.number + 1} of ${all})`;
      const table = this.page.table();
      const question = this.page.question();
      table.show(this.replay, lesson.step, this.data.seat, this.hand(lesson.step));
      at("lesson-back").setAttribute("aria-disabled", String(this.number === 0));
      at("lesson-next").textContent = this.number === all - 1 ? "Play a game" : "Next";
      if (lesson.choices) {
        at("lesson-next").textContent = "Skip";
        question.ask({ heading, question: lesson.text, barred: lesson.barred, hand: this.hand(lesson.step), choices: lesson.choices }, (index) => this.answer(index));
        question.point(lesson.point);
      } else {
        question.close(heading, lesson.text);
        table.light({ lit: new Set(), picked: [], pointed: new Set(lesson.point), barred: {}, pick: null });
      }
      for (const panel of document.querySelectorAll("[data-panel]")) panel.classList.toggle("pointed", lesson.point.includes(`panel:${panel.dataset.panel}`));
      this.page.say(`${heading}. ${lesson.text}`);
      if (document.activeElement === document.body || document.activeElement === at("game")) at(lesson.choices ? "game" : "lesson-next").focus({ preventScroll: true });
    }

    answer(index) {
      const { lesson } = this;
      if (index === lesson.chosen) {
        this.go(1);
        return;
      }
      const text = `That may be done too. Here it was: ${lesson.choices[lesson.chosen].text}. ${lesson.why}`;
      const question = this.page.question();
      question.choices.clear();
      question.point([...question.choices.of(lesson.chosen)]);
      at("question").textContent = text;
      this.page.say(text);
    }
  }

  return Tutorial;
})();
