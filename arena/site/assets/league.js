// Sends what a submitter or an organiser wants, and renews what happens while the page is open.
"use strict";
(function () {
  const said = document.getElementById("said");
  const SOON = 200; // milliseconds within which several pieces of news renew the page once
  const LATER = 30000; // milliseconds between looks where too many pages wait for news
  const CLOCK = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  let waiting = 0;

  // Says moments by the reader's clock; as they are sent, they are in UTC.
  function localise(part) {
    for (const each of part.querySelectorAll("time[datetime]")) each.textContent = new Date(each.dateTime).toLocaleString([], CLOCK);
  }

  function say(text) {
    if (said) said.textContent = text;
  }

  async function send(path, type, body, more) {
    say("Sending …");
    try {
      const answer = await fetch(path, { method: "POST", headers: { "Content-Type": type, ...more }, body: body });
      const text = await answer.text();
      const found = (answer.headers.get("Content-Type") || "").startsWith("application/json") ? JSON.parse(text) : { error: text };
      if (!answer.ok) say(`Refused: ${found.error}`);
      else if (found.secret) say(`The new address, which is shown only now: ${location.origin}/enter/${found.secret}`);
      else say(found.submission ? `Submission ${found.submission} was received.` : "Done.");
      return answer.ok;
    } catch {
      say("The league did not answer. Try again.");
      return false;
    }
  }

  function submit(name, body, most) {
    if (body.size > most) return say(`Refused: it has more than ${(most / 1e6).toFixed(1)} MB.`);
    if (!body.size) return say(name ? "Refused: it is empty." : "Choose a file.");
    return send("/me/submissions", "application/octet-stream", body, { "X-File-Name": encodeURIComponent(name) });
  }

  async function renew() {
    waiting = 0;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer || !answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("news");
    const old = document.getElementById("news");
    if (!fresh) return;
    localise(fresh);
    if (fresh.innerHTML === old.innerHTML) return;
    const focused = document.activeElement && document.activeElement.dataset.wish;
    old.replaceWith(document.adoptNode(fresh));
    const again = focused && [...fresh.querySelectorAll("[data-wish]")].find((each) => each.dataset.wish === focused);
    if (again) again.focus();
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-wish]");
    if (!button || (button.dataset.ask && !confirm(button.dataset.ask)) || !(await send(button.dataset.to, "application/json", button.dataset.wish))) return;
    if (button.dataset.then) location.assign(button.dataset.then);
    else renew();
  });
  localise(document);
  const file = document.getElementById("file");
  if (file) {
    const most = Number(file.dataset.most);
    document.getElementById("send-file").addEventListener("click", () => {
      const chosen = file.files[0];
      submit(chosen ? chosen.name : "", chosen || new Blob(), most);
    });
    document.getElementById("send-text").addEventListener("click", () => {
      submit("bot.py", new Blob([document.getElementById("text").value]), most);
    });
  }
  if (document.querySelector("[data-events]")) {
    const source = new EventSource("/events");
    let first = true; // what the page has been made of
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) setInterval(renew, LATER);
    });
    source.addEventListener("all", () => {
      if (!first && !waiting) waiting = setTimeout(renew, SOON);
      first = false;
    });
    source.addEventListener("delta", () => {
      if (!waiting) waiting = setTimeout(renew, SOON);
    });
  }
})();
