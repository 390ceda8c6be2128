// Boards that a game without pictures draws in text, as pictures: chess (FEN), go and grids of stones. `share_image.py` reads
// the same texts.
"use strict";
arenaViewer.boards = (function () {
  const { draw } = arenaBoard.symbols;
  const { element } = arenaViewer.words;
  const FEN = /^((?:[pnbrqkPNBRQK1-8]{1,8}\/){7}[pnbrqkPNBRQK1-8]{1,8}) ([wb]) /;
  const GO = /^ *\d+ [+.XO]{3,}$/gm;
  const GRID = /^[.xoXO+]{3,}(\n[.xoXO+]{3,}){2,}$/;
  const PIECES = { p: ["♟", "pawn"], n: ["♞", "knight"], b: ["♝", "bishop"], r: ["♜", "rook"], q: ["♛", "queen"], k: ["♚", "king"] };
  const FILES = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // go has no I
  const TEXT_STYLE = "\ufe0e"; // a pawn as a letter, not as a coloured picture

  // The rows of the board that a text draws, its kind, and what else the text says; null if it draws none.
  function grid(text) {
    const fen = FEN.exec(text);
    const go = fen ? null : text.match(GO);
    const rows = fen ? fen[1].split("/").map((row) => row.replace(/\d/g, (free) => ".".repeat(Number(free)))) : go ? go.map((row) => row.trim().split(" ")[1]) : GRID.test(text) ? text.split("\n") : [];
    if (rows.length < 3 || rows.some((row) => row.length !== rows[0].length) || (fen && rows[0].length !== 8)) return null;
    const komi = /komi=([\d.]+)/.exec(text);
    const turn = fen ? fen[2] : (/to_play=([BW])/.exec(text) || [""])[1];
    const says = [turn && `${/b/i.test(turn) ? "black" : "white"} to move`, komi && `komi ${komi[1]}`].filter(Boolean).join(", ");
    return { rows, kind: fen ? "chess" : go ? "go" : "grid", says };
  }

  const isFree = (char) => char === "." || char === "+";

  // What stands on a square: its colour and name.
  function piece(kind, char) {
    if (kind !== "chess") return [/o/i.test(char) ? "white" : "black", "stone"];
    return [char === char.toLowerCase() ? "black" : "white", PIECES[char.toLowerCase()][1]];
  }

  // A text as a picture of the board that it draws, null if it draws none. What is not as it was in the text `before` is marked.
  function drawn(text, before) {
    const found = grid(text);
    if (!found) return null;
    const { rows, kind, says } = found;
    const old = before ? grid(before) : null;
    const [wide, high] = [rows[0].length, rows.length];
    const label = (x) => (kind === "go" ? FILES[x] : String.fromCharCode(97 + x));
    const made = [];
    const said = [];
    rows.forEach((row, y) => [...row].forEach((char, x) => {
      const fresh = old !== null && old.rows[y] && old.rows[y][x] !== char;
      const kinds = ["square", kind === "chess" && (x + y) % 2 ? "dark" : "", fresh ? "fresh" : ""].filter(Boolean).join(" ");
      made.push(draw("rect", { class: kinds, x: x * 10, y: y * 10, width: 10, height: 10 }));
      if (kind === "go") made.push(draw("path", { class: "lines", d: `M${x ? x * 10 : 5} ${y * 10 + 5}H${x < wide - 1 ? x * 10 + 10 : x * 10 + 5}M${x * 10 + 5} ${y ? y * 10 : 5}V${y < high - 1 ? y * 10 + 10 : y * 10 + 5}` }));
      if (isFree(char)) return;
      const [colour, name] = piece(kind, char);
      const at = { class: colour, [kind === "chess" ? "x" : "cx"]: x * 10 + 5, [kind === "chess" ? "y" : "cy"]: y * 10 + 5 };
      made.push(kind === "chess" ? draw("text", at, PIECES[char.toLowerCase()][0] + TEXT_STYLE) : draw("circle", { ...at, r: 4.4 }));
      said.push(`${colour} ${name} ${label(x)}${high - y}`);
    }));
    if (kind !== "grid") {
      for (let x = 0; x < wide; x += 1) made.push(draw("text", { class: "label", x: x * 10 + 5, y: high * 10 + 3 }, label(x)));
      for (let y = 0; y < high; y += 1) made.push(draw("text", { class: "label", x: -3, y: y * 10 + 5 }, high - y));
    }
    const edge = kind === "grid" ? 1 : 6;
    const picture = draw("svg", { class: kind, viewBox: `${-edge} -1 ${wide * 10 + edge + 1} ${high * 10 + edge + 1}`, role: "img", "aria-label": `Board: ${said.join(", ") || "empty"}` }, ...made);
    return element("figure", { class: "view" }, picture, ...(says ? [element("figcaption", {}, says)] : []));
  }

  return { drawn };
})();
