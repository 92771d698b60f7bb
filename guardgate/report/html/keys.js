// j and k step through the attempts, f keeps only what broke, / searches. Never while somebody writes.
let current = null;

function step(by) {
  const feed = feeds.find((one) => one.left && current && one.list.lastElementChild?.contains(current));
  if (by > 0 && feed) feed.more();
  const items = [...document.querySelectorAll(".item")];
  const focused = document.activeElement?.closest?.(".item");
  const at = items.indexOf(focused ?? current);
  const next = items[at < 0 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1)];
  if (next) goTo(next);
}

function goTo(item) {
  current?.classList.remove("current");
  current = item;
  item.classList.add("current");
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: item.classList.contains("card") ? "start" : "nearest" });
}

function onlyBroken() {
  field("verdict").value = field("verdict").value === "broke" ? "" : "broke";
  applyFilters();
  const first = document.querySelector("#every-list .item");
  if (first) goTo(first);
  else document.getElementById("every").scrollIntoView();
}

const KEYS = { j: () => step(1), k: () => step(-1), f: onlyBroken, "/": () => field("text").focus() };

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest?.("input, select, textarea");
  if (writing && event.key === "Escape") event.target.blur();
  if (writing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});

document.addEventListener("focusin", (event) => {
  const item = event.target.closest?.(".item");
  if (item && item !== current) {
    current?.classList.remove("current");
    current = item;
    item.classList.add("current");
  }
});

begin();
