// The signs of boards and cards: silhouettes of 24 by 24 units. A game's board names them (see engine/picture.py); one that
// names a sign that is not here gets the plain one.
"use strict";
window.arenaBoard = { SVG: "http://www.w3.org/2000/svg" };
arenaBoard.symbols = (function () {
  const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  const ring = (x, y, r, inner) => disc(x, y, r) + disc(x, y, inner); // with the fill rule evenodd
  const PATHS = {
    plain: disc(12, 12, 7),
    train: `M2 9h3V4h3v5h5V3h9v3h-1v11H3v-3H1v-3h1zM15.5 6v4h3.5V6z${ring(6, 18.5, 3, 1)}${ring(12.5, 18.5, 3, 1)}${ring(18.5, 18.5, 3, 1)}`,
    ship: "M1.5 14h21l-3.5 6.5H5zM5 10.5h14v2.5H5zM7.5 4h3v5.5h-3zM13 4h3v5.5h-3zM19.5 4.5h1V13h-1z",
    steamer: "M1.5 14h21l-3.5 6.5H5zM5 10.5h14v2.5H5zM7.5 4h3v5.5h-3zM13 4h3v5.5h-3zM19.5 4.5h1V13h-1z",
    elephant: "M2 20V11.5C2 7 5 5 9 5h4c1.6 0 2.600.5 3.600 1.700C20 6.300 22.500 9 22.500 12.500V17c0 2.500-2.700 3-4 1.300l1-1.500c.6.6 1.200.5 1.200-.3v-2.300c-.8 1.200-1.900 1.800-3.200 1.900V20h-3.700v-3.500H8V20zM16.800 9.300a.9.900 0 1 0 1.800 0a.9.900 0 1 0-1.800 0z",
    coach: `M5 5h13l1.500 7.500H22V14h-3v1.500H3.500L4.500 9zM7 7v4h4V7zM13 7v4h3.700L16 7z${ring(7, 18, 3.5, 1.6)}${ring(17.500, 18, 3.5, 1.6)}`,
    rose: `M12 .5l2.600 8.900 8.900 2.600-8.900 2.600-2.600 8.900-2.600-8.900L.5 12l8.900-2.600zM5 5l4 2.200-1.800 1.800zM19 5l-2.200 4L15 7.200zM19 19l-4-2.200 1.800-1.800zM5 19l2.200-4L9 16.800z`,
    handcuffs: `${ring(6.5, 14.500, 5.5, 3.2)}${ring(17.500, 14.500, 5.5, 3.2)}M9 5h2v2h2V5h2v4h-2v2h-2V9H9z`,
    purse: "M8 2.500h8L14.300 7C18.500 8.700 21 12.600 21 16.300 21 20.300 17.800 21.500 12 21.500S3 20.300 3 16.300C3 12.600 5.500 8.700 9.700 7zM11 10v1.300c-3 .8-2.600 3.900 1 4.500 1.300.3 1.200 1.200 0 1.200h-2.700v1.800H11V20h2v-1.200c3-.7 2.700-4-.9-4.600-1.200-.3-1.100-1.200.100-1.200h2.300v-1.800H13V10z",
    balloon: "M12 1.500c4.500 0 7.500 3.300 7.500 7.300 0 3.500-3 6-4.700 8.200H9.200C7.500 14.800 4.500 12.300 4.500 8.800c0-4 3-7.300 7.500-7.300zM9.700 18.500h4.600v4H9.700z",
    detective: "M7 9.500C7 5 8.800 2.500 12 2.500s5 2.500 5 7zM2.500 10.500h19l-2 2.200h-15zM7 14h10c0 4.800-2 8-5 8s-5-3.200-5-8zM8.700 17c1.200 1.100 2.300 1.100 3.300.2 1 .9 2.100.9 3.300-.2-.5 2-2.300 2.400-3.300 1.300-1 1.100-2.800.7-3.300-1.300z",
    coin: `${ring(12, 12, 10, 8.3)}${disc(12, 12, 6.8)}M11 7.500h2v9h-2z`,
    delay: `${ring(12, 12, 10, 7.8)}M11 6.500h2v5l3.500 2.200-1 1.700L11 12.600z`,
    storm: "M6.500 14C3.700 14 2 12.300 2 10c0-2.200 1.700-3.800 3.900-3.900C6.700 3.600 8.800 2 11.500 2c3.200 0 5.600 2.100 6 5 2.600.1 4.500 1.500 4.500 3.600 0 2-1.700 3.400-4.200 3.400h-3l1.200-2.500H12L9.500 14zM12.500 12.800h2.300l-1.500 3.400h2.700L9.500 23l1.500-5H8.800z",
    swap: "M2 7.500h13V3.500l7 5.500-7 5.500v-4H2zM22 19.500H9v3l-6-4.500 6-4.500v3h13z",
    exchange: "M12 3a9 9 0 0 1 8.500 6l2-.6-3 5.600-4.700-4.200 2.300-.6A5.800 5.800 0 0 0 6.500 10L3.700 8.500A9 9 0 0 1 12 3zM12 21a9 9 0 0 1-8.500-6l-2 .6 3-5.600 4.700 4.200-2.300.6a5.800 5.800 0 0 0 10.600-.8l2.800 1.500A9 9 0 0 1 12 21z",
    princess: `M3.500 17L1.500 7l5.500 4L12 3l5 8 5.500-4-2 10zM4 18.500h16V21H4z`,
    connections: "M2 5h20v14H2zM4.200 7L12 13l7.800-6zM4 9.300V17h16V9.300L12 15.500z",
    submarine: `M2 14c0-3 3-5 8-5h1V6h-1V4h5v5c4.500.3 7.500 2.300 7.500 5s-3.300 5-9 5H10c-5 0-8-2-8-5z${disc(8, 14, 1.6)}${disc(13, 14, 1.6)}${disc(18, 14, 1.6)}`,
    propeller: `${disc(12, 12, 2.2)}M11 9.500C8 7 8.500 2.500 12 1.500c3.500 1 4 5.500 1 8zM14.300 11.700c3.600-1.400 7.300 1.300 6.600 5-2.600 2.500-6.700.7-7.400-3zM10.500 14.500c-.7 3.800-4.900 5.200-7.400 2.600-.8-3.500 2.600-6.500 6.200-5.400z`,
    offer: `M2.500 12.500v-9h9l10 10-9 9zM5.500 7.500a1.800 1.800 0 1 0 3.600 0a1.800 1.800 0 1 0-3.600 0z`,
    opportunity: "M12 1.500l3 7 7.500.7-5.700 5 1.700 7.500-6.500-4-6.500 4 1.700-7.500-5.700-5 7.500-.7z",
    distraction: "M2 4h16v13.500c0 1 1.500 1 1.500 0V7H22v11a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3zM4.500 6.500v2.700h11V6.500zM4.500 11v1.500h5V11zM4.500 14v1.500h5V14zM11 11v5h4.500v-5z",
    event: "M5 1.500h14v21H5zM11 5.500v8h2.400v-8zM11 15.700v2.500h2.400v-2.500z",
    travel: "M1.500 6h21v4a2 2 0 0 0 0 4v4h-21v-4a2 2 0 0 0 0-4zM15 8v2h1.500V8zM15 11v2h1.500v-2zM15 14v2h1.500v-2zM4.500 10.500v3h8v-3z",
    first: "M5 2h2v20H5zM8 3h13l-4 5 4 5H8z",
    stage: "M5 2h2v20H5zM8 3h13l-4 5 4 5H8z",
    spyglass: `${ring(10, 10, 7.5, 5.2)}M15 17l2-2 5.500 5.500-2 2z`,
    forward: "M2 4l9 8-9 8zM12 4l9 8-9 8z",
    back: "M22 4l-9 8 9 8zM12 4l-9 8 9 8z",
    draw: "M3 5l9-3 2 1v3h7v16H8v-3l-1 .4zM9.500 8v12.500h10V8zM14 10.500h1.500V13H18v1.500h-2.500V17H14v-2.500h-2.500V13H14z",
    unknown: "M5 1.500h14v21H5zM7 3.500v17h10v-17zM9.500 9c0-4 6-3.800 6-.300 0 2-2.300 2.200-2.300 4.300h-2c0-3 2.200-3 2.200-4.300 0-1.200-1.800-1.200-1.900.3zM11.200 14.500h2v2h-2z",
    start: "M4 10L12 2l8 8v12h-5v-7H9v7H4z",
    goal: "M10.500 1h3v3h2v18h-7V4h2zM2 13h5v9H2zM17 13h5v9h-5zM10.300 7v3.500h3.400V7z",
  };

  // Draws an element of SVG.
  function draw(name, attributes, ...children) {
    const made = document.createElementNS(arenaBoard.SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children.map((each) => (typeof each === "number" ? String(each) : each)));
    return made;
  }

  const path = (name) => (Object.hasOwn(PATHS, name) ? PATHS[name] : PATHS.plain);

  // The sign as part of a picture, its middle at x, y.
  function mark(name, x, y, size, kind) {
    const scale = size / 24;
    const place = `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`;
    return draw("path", { d: path(name), transform: place, "fill-rule": "evenodd", class: `sign ${kind || ""}` });
  }

  // The sign as a picture of its own.
  function icon(name) {
    const made = draw("svg", { viewBox: "0 0 24 24", class: `icon i-${Object.hasOwn(PATHS, name) ? name : "plain"}` });
    made.setAttribute("aria-hidden", "true");
    made.setAttribute("focusable", "false");
    made.append(draw("path", { d: path(name), "fill-rule": "evenodd" }));
    return made;
  }

  return { draw, mark, icon, known: (name) => Object.hasOwn(PATHS, name) };
})();
