// An element with attributes and children. Children that are strings become text nodes.
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

// The text with every place marked where one of the words stands.
function marked(text, words) {
  const ranges = [];
  for (const word of words) {
    for (let at = text.indexOf(word); word && at >= 0; at = text.indexOf(word, at + word.length)) {
      ranges.push([at, at + word.length]);
    }
  }
  ranges.sort((one, other) => one[0] - other[0]);
  const parts = [];
  let from = 0;
  for (const [start, end] of ranges) {
    if (end <= from) continue;
    parts.push(text.slice(from, Math.max(from, start)), make("mark", {}, text.slice(Math.max(from, start), end)));
    from = end;
  }
  parts.push(text.slice(from));
  return parts;
}

const VERDICTS = {
  held: { sign: "✓", mood: "good" },
  broke: { sign: "✕", mood: "bad" },
  undecided: { sign: "?", mood: "open" },
};

function verdictChip(verdict) {
  const { sign, mood } = VERDICTS[verdict];
  return make("span", { class: `chip ${mood}` }, make("span", { "aria-hidden": "true" }, `${sign} `), verdict);
}
