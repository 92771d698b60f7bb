// What the page was given. Texts come from bots and attackers: they become text nodes and nothing else.
const given = (id) => JSON.parse(document.getElementById(id).textContent);
const plan = given("plan");
const attempts = given("attempts").sort((one, other) => one.n - other.n);
const choice = given("choice");
const byNumber = new Map(attempts.map((attempt) => [attempt.n, attempt]));

const caseOf = (attempt) => plan.cases[attempt.case];
const ruleOf = (attempt) => plan.rules[caseOf(attempt).rule];
const isHard = (attempt) => ruleOf(attempt).severity === "hard";
const turnsOf = (attempt) => attempt.sent ?? caseOf(attempt).turns;

// Hard rules first; among them the first break of each rule before the second of any.
function broken() {
  const met = new Map();
  const ranked = attempts
    .filter((attempt) => attempt.verdict === "broke")
    .map((attempt) => {
      const rule = caseOf(attempt).rule;
      met.set(rule, (met.get(rule) ?? 0) + 1);
      return { attempt, soft: isHard(attempt) ? 0 : 1, nth: met.get(rule) };
    });
  ranked.sort((one, other) => one.soft - other.soft || one.nth - other.nth || one.attempt.n - other.attempt.n);
  return ranked.map((one) => one.attempt);
}

// Everything that was said in an attempt, for the search. Made when it is first asked for.
const haystacks = new WeakMap();
function haystack(attempt) {
  let text = haystacks.get(attempt);
  if (text === undefined) {
    const own = caseOf(attempt);
    const replies = (attempt.replies ?? []).flatMap((reply) => [
      reply.text,
      ...(reply.tools ?? []).flatMap((call) => [call.name, call.arguments, call.result ?? ""]),
    ]);
    const reasons = (attempt.findings ?? []).flatMap((one) => [one.by, one.why ?? "", one.words ?? ""]);
    const whole = [`attempt ${attempt.n}`, own.id, own.rule, own.attack, ...turnsOf(attempt), ...replies, ...reasons];
    text = [...whole, ...(attempt.notes ?? []), attempt.failure ?? ""].join("\n").toLowerCase();
    haystacks.set(attempt, text);
  }
  return text;
}
