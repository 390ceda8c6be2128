// Makes tables sortable by any column, by click or key, and lets readers filter bots by name. Without this file they are
// plain tables. Rows are sorted by `data-value`, the full number, or else by the text.
"use strict";
(function () {
  function value(cell) {
    const full = cell.dataset.value;
    if (full === undefined) return cell.textContent.trim().toLowerCase();
    return full === "" ? null : Number(full);
  }

  // Unknown values come last in either order; equal rows keep their order.
  function before(one, other, sign) {
    if (one === null || other === null) return (one === null) - (other === null);
    if (typeof one === "number" && typeof other === "number") return sign * (one - other);
    return sign * String(one).localeCompare(String(other), "en", { numeric: true });
  }

  function sort(table, column, order) {
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row.cells[column]), row]);
    rows.sort((one, other) => before(one[0], other[0], sign));
    body.append(...rows.map((row) => row[1]));
    [...table.tHead.rows[0].cells].forEach((head, number) => {
      if (number === column) head.setAttribute("aria-sort", order);
      else head.removeAttribute("aria-sort");
    });
  }

  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.querySelector("button") || head.classList.contains("bars")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const first = head.dataset.order === "up" || head.classList.contains("text") ? "ascending" : "descending";
      const second = first === "ascending" ? "descending" : "ascending";
      button.addEventListener("click", () => {
        sort(table, column, head.getAttribute("aria-sort") === first ? second : first);
      });
    });
  }

  function filter(main) {
    const field = main.querySelector("#filter");
    if (!field) return;
    const status = main.querySelector("#filtered");
    field.closest(".filter").hidden = false;
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      let seen = 0;
      let all = 0;
      main.querySelectorAll("table.sortable").forEach((table, number) => {
        for (const row of table.tBodies[0].rows) {
          const name = row.querySelector("th").textContent.toLowerCase();
          row.hidden = !name.includes(wanted);
          if (number === 0) {
            all += 1;
            seen += row.hidden ? 0 : 1;
          }
        }
      });
      status.textContent = wanted ? `${seen} of ${all} bots` : "";
    });
  }

  function begin() {
    const main = document.querySelector("main");
    main.querySelectorAll("table.sortable").forEach(sortable);
    filter(main);
  }

  begin();
  document.addEventListener("arena:refreshed", begin);
})();
