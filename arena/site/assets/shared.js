// The page of a shared game: leads to its replay, at the position that stands behind "#" as <step>/<reader>.
"use strict";
(function () {
  const position = location.hash.slice(1);
  const safe = /^[\w-]+(\/[\w-]+)*$/.test(position) ? `/${position}` : "";
  location.replace(`${document.currentScript.dataset.replay}${safe}`);
})();
