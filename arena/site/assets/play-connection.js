// The connection of the page to the arena: a stream of events from it, and what the person does to it. A stream that breaks is
// opened again for as long as the arena may be there; each begins with all that holds now.
"use strict";
arenaPlay.Connection = (function () {
  const EVENTS = ["table", "lobby", "thinking", "curtain", "turn", "live", "hint", "fault", "over", "mistakes", "void", "gone"];
  const AGAIN = 2000; // milliseconds from a refused stream to the next try
  const TRIES = 5; // how often a stream that was refused is asked for again
  const UNKNOWN = "The arena does not know this page any more. Open the address that it prints in its terminal.";

  class Connection {
    // `on`: by event, what to do with its data. `lost(text)`: says that the connection is lost; "" when it is back.
    constructor(on, lost) {
      this.on = on;
      this.lost = lost;
      this.over = false;
      this.refused = 0;
      this.open();
    }

    open() {
      this.source = new EventSource("events");
      this.source.onopen = () => {
        this.refused = 0;
        this.lost("");
      };
      this.source.onerror = () => this.broken();
      for (const name of EVENTS) this.source.addEventListener(name, (event) => this.hear(name, event.data));
    }

    hear(name, text) {
      if (this.over) return;
      if (name === "gone") this.close();
      const act = this.on[name];
      if (act) act(JSON.parse(text));
    }

    // A stream that ended opens again by itself; one that was refused does not.
    broken() {
      if (this.over) return;
      if (this.source.readyState !== EventSource.CLOSED) {
        this.lost("The connection to the arena is lost. Trying again; your game waits for you.");
        return;
      }
      this.refused += 1;
      this.lost(UNKNOWN);
      if (this.refused <= TRIES) setTimeout(() => this.over || this.open(), AGAIN);
    }

    close() {
      this.over = true;
      this.source.close();
    }

    // Sends what the person did. Returns "" when the arena took it, else why not.
    async post(what, body) {
      try {
        const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body || {}) };
        const answer = await fetch(what, options);
        if (answer.ok) return "";
        const found = await answer.json().catch(() => ({}));
        return String(found.error || `The arena answered ${answer.status}.`);
      } catch {
        return "The arena did not answer. Your choice is not played yet: try again, or look whether the arena still runs.";
      }
    }
  }

  return Connection;
})();
