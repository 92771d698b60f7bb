// A list that is made piece by piece: a page with 20,000 attempts opens as fast as one with 20.
const feeds = [];

class Feed {
  constructor(list, step, shown) {
    Object.assign(this, { list, step, shown, items: [], made: 0 });
    this.button = make("button", { type: "button", class: "more" });
    this.button.addEventListener("click", () => {
      const first = this.made;
      this.more();
      this.list.children[first]?.querySelector(".item")?.focus();
    });
    list.after(this.button);
    feeds.push(this);
  }

  show(items) {
    this.items = items;
    this.made = 0;
    this.list.replaceChildren();
    this.more();
  }

  more(step = this.step) {
    const next = this.items.slice(this.made, this.made + step);
    this.list.append(...next.map((attempt) => make("li", {}, this.shown(attempt))));
    this.made += next.length;
    this.button.hidden = this.left === 0;
    this.button.textContent = `Show ${Math.min(this.step, this.left)} more of ${this.left.toLocaleString("en")}`;
  }

  get left() {
    return this.items.length - this.made;
  }
}

// One line, which opens the attempt below itself.
function row(attempt) {
  const own = caseOf(attempt);
  const last = (attempt.replies ?? []).at(-1);
  const excerpt = last ? last.text.slice(0, 160).replaceAll(/\s+/g, " ") : attempt.failure ?? "no reply";
  const cell = plan.cells.length > 1 ? ` · ${plan.cells[attempt.cell]}` : "";
  const button = make(
    "button",
    { type: "button", class: `item row ${attempt.verdict}`, "aria-expanded": "false" },
    verdictChip(attempt.verdict),
    make("span", { class: "what" }, make("b", {}, own.rule), ` ${own.id} · ${own.attack}${cell}`),
    make("span", { class: "excerpt", dir: "auto" }, excerpt),
  );
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) button.nextElementSibling.remove();
    else {
      const whole = card(attempt, "h3");
      whole.classList.remove("item"); // the keys step from row to row
      button.after(whole);
    }
  });
  return button;
}

const field = (name) => document.getElementById(`by-${name}`);
const FACETS = {
  verdict: (attempt) => attempt.verdict,
  rule: (attempt) => caseOf(attempt).rule,
  attack: (attempt) => caseOf(attempt).attack,
  cell: (attempt) => plan.cells[attempt.cell],
};

function filtered() {
  const wanted = Object.entries(FACETS).filter(([name]) => field(name).value !== "");
  const words = field("text").value.toLowerCase().trim();
  return attempts.filter(
    (attempt) =>
      wanted.every(([name, of]) => of(attempt) === field(name).value) && (!words || haystack(attempt).includes(words)),
  );
}

let everything;

function applyFilters() {
  const found = filtered();
  everything.show(found);
  const left = choice.left ? ` (${choice.left.toLocaleString("en")} more held and are not on this page)` : "";
  document.getElementById("found").textContent =
    `${found.length.toLocaleString("en")} of ${attempts.length.toLocaleString("en")} attempts${left}`;
}

function begin() {
  const brokenList = document.getElementById("broke-list");
  const sampleList = document.getElementById("sample-list");
  if (brokenList) new Feed(brokenList, 10, (attempt) => card(attempt, "h3")).show(broken());
  if (sampleList) {
    const drawn = choice.sample.map((n) => byNumber.get(n));
    new Feed(sampleList, 10, (attempt) => card(attempt, "h3")).show(drawn);
  }
  everything = new Feed(document.getElementById("every-list"), 100, row);
  for (const [name, of] of Object.entries(FACETS)) {
    const values = [...new Set(attempts.map(of))].sort();
    field(name).append(...values.map((value) => make("option", { value }, value)));
    field(name).addEventListener("change", applyFilters);
    if (name === "cell" && values.length < 2) field(name).closest("label").hidden = true;
  }
  let waiting;
  field("text").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(applyFilters, 120);
  });
  const form = document.getElementById("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(applyFilters));
  applyFilters();
}

// On paper, all that broke: a reader of paper cannot ask for more.
addEventListener("beforeprint", () => {
  for (const feed of feeds) if (feed !== everything) feed.more(200);
});
