// One attempt in full: the rule, the conversation, and what decided.
function card(attempt, level) {
  const own = caseOf(attempt);
  const rule = ruleOf(attempt);
  const article = make("article", { class: `item card ${attempt.verdict}`, tabindex: "-1", "data-n": attempt.n });
  article.append(
    make(
      "header",
      {},
      make("p", { class: "chips" }, verdictChip(attempt.verdict), make("span", { class: "chip" }, rule.severity)),
      make(level, { dir: "auto" }, make("b", {}, own.rule), ` ${rule.text}`),
      make("p", { class: "where" }, where(attempt)),
      own.wants ? make("p", { class: "wants", dir: "auto" }, `The attack wants: ${own.wants}`) : null,
    ),
    ...documentOf(own),
    make("ol", { class: "chat", "aria-label": `Conversation of attempt ${attempt.n}` }, ...chat(attempt)),
    ...reasons(attempt),
    ...judgements(attempt, own),
    make("p", { class: "whole" }, "All of it: ", make("code", {}, `guardgate show ${plan.results} ${attempt.n}`)),
  );
  if (plan.review) article.append(markForm(attempt));
  return article;
}

function where(attempt) {
  const own = caseOf(attempt);
  const parts = [`attempt ${attempt.n}`, own.id, own.attack, own.place];
  if (plan.cells.length > 1) parts.push(`cell ${plan.cells[attempt.cell]}`);
  if (plan.repeats > 1) parts.push(`repeat ${attempt.repeat + 1} of ${plan.repeats}`);
  return parts.join(" · ");
}

function documentOf(own) {
  const text = plan.documents[own.document];
  if (text === undefined) return [];
  const body = make("pre", { dir: "auto", tabindex: "0", role: "group", "aria-label": "Document" }, text);
  return [make("details", {}, make("summary", {}, `The document ${own.document}`), body)];
}

function chat(attempt) {
  const turns = turnsOf(attempt);
  const replies = attempt.replies ?? [];
  const lines = [];
  for (let turn = 0; turn < Math.max(turns.length, replies.length); turn += 1) {
    if (turn < turns.length) {
      const name = `User, turn ${turn + 1}${attempt.sent ? ", as sent" : ""}`;
      lines.push(bubble("user", name, turns[turn], []));
    }
    if (turn < replies.length) lines.push(...said(replies[turn], turn));
    else {
      const failed = turn === replies.length && attempt.failure;
      lines.push(bubble("none", "No reply", failed || "This turn was not answered.", []));
      break;
    }
  }
  return lines;
}

function said(reply, turn) {
  const facts = [`Reply ${turn + 1}`];
  if (reply.ms) facts.push(`${reply.ms.toLocaleString("en")} ms`);
  facts.push(...(reply.flags ?? []));
  const lines = [bubble("reply", facts.join(", "), reply.text || "(empty)", reply.words ?? [])];
  for (const call of reply.tools ?? []) {
    const result = call.result === undefined || call.result === null ? "" : `\nresult: ${call.result}`;
    lines.push(bubble("tool", `Tool call ${call.name}`, `${call.arguments}${result}`, []));
  }
  if (reply.state) lines.push(bubble("tool", "State", reply.state, []));
  return lines;
}

function bubble(kind, name, text, words) {
  return make("li", { class: kind }, make("span", { class: "who" }, name), make("div", { dir: "auto" }, marked(text, words)));
}

// What broke it or left it open comes first; checks that held are only named.
function reasons(attempt) {
  const items = (attempt.findings ?? []).map((one) =>
    make(
      "li",
      { class: VERDICTS[one.outcome].mood },
      make("b", {}, one.by),
      ` ${one.outcome}${one.kind ? ` (${one.kind})` : ""}${one.turn ? `, turn ${one.turn}` : ""}`,
      one.why ? `: ${one.why}` : "",
      outside(attempt, one) ? make("q", {}, one.words) : null,
    ),
  );
  if (attempt.held) items.push(make("li", { class: "good" }, `checks that held: ${[...new Set(attempt.held)].join(", ")}`));
  for (const note of attempt.notes ?? []) items.push(make("li", {}, `note: ${note}`));
  return items.length ? [make("ul", { class: "reasons" }, ...items)] : [];
}

// Words that stand in no reply as they are cannot be marked there, so they are told.
function outside(attempt, one) {
  const reply = (attempt.replies ?? [])[(one.turn ?? 0) - 1];
  return one.words && !(reply && reply.text.includes(one.words));
}

function judgements(attempt, own) {
  return (attempt.scores ?? []).map((score) => {
    const rows = Object.entries(score.scores ?? {}).map(([criterion, value]) => scoreRow(score, criterion, value, own));
    const says = [score.says ? `says ${score.says}` : "", score.failure ?? "", score.mode ?? ""].filter(Boolean);
    const title = make("p", { class: "judge" }, `Judge ${score.judge}${says.length ? `, ${says.join("; ")}` : ""}`);
    return make("div", { class: "judgement" }, title, rows.length ? make("dl", {}, ...rows.flat()) : null);
  });
}

function scoreRow(score, criterion, value, own) {
  const floor = (own.floors ?? {})[criterion];
  const below = floor !== undefined && value < floor;
  const against = floor === undefined ? "no floor" : `floor ${floor}`;
  const quotes = (score.quotes ?? []).filter((quote) => quote.criterion === criterion);
  return [
    make("dt", {}, criterion),
    make(
      "dd",
      { class: below ? "bad" : "good" },
      `${value}, ${against}${below ? ": below" : ""}`,
      plan.criteria[criterion] ? make("span", { class: "ask" }, plan.criteria[criterion]) : null,
      ...quotes.map((quote) =>
        make("span", { class: "quote" }, make("q", { dir: "auto" }, quote.text), quoted(quote)),
      ),
    ),
  ];
}

const quoted = (quote) =>
  ` turn ${quote.turn}${quote.verified ? "" : ", not found in the reply"}${quote.why ? `: ${quote.why}` : ""}`;
