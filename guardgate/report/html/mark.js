// Only on a page that `guardgate review` serves: a form below each attempt that a person may decide.
let signed = plan.review ? plan.review.by : "";

function markForm(attempt) {
  if (!attempt.may) return make("p", { class: "quiet" }, `No mark may decide this: ${attempt.mayNot}.`);
  const id = `mark-${attempt.n}-${(markForm.count = (markForm.count ?? 0) + 1)}`;
  const form = make("form", { class: "mark", "aria-label": `Mark attempt ${attempt.n}` });
  const verdicts = ["held", "broke"].map((verdict) =>
    make("label", {}, make("input", { type: "radio", name: "verdict", value: verdict, required: true }), ` ${verdict}`),
  );
  const status = make("p", { role: "status" });
  const by = make("input", { id: `${id}-by`, name: "by", required: true, maxlength: "200", autocomplete: "name", value: signed });
  const note = make("textarea", { id: `${id}-note`, name: "note", required: true, rows: "2", maxlength: "4000" });
  form.append(
    make("fieldset", {}, make("legend", {}, "Your verdict"), ...verdicts),
    ...criterionChoice(attempt, id),
    make("label", { for: `${id}-note` }, "Why"),
    note,
    make("label", { for: `${id}-by` }, "Your name"),
    by,
    make("button", { type: "submit" }, "Sign this mark"),
    status,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signed = by.value;
    send(attempt, new FormData(form), status);
  });
  return form;
}

// An anchor speaks of one criterion: where a case has several, the person says which one broke.
function criterionChoice(attempt, id) {
  const names = Object.keys(caseOf(attempt).floors ?? {});
  if (names.length < 2) return [];
  const options = names.map((name) => make("option", { value: name }, name));
  const select = make("select", { id: `${id}-criterion`, name: "criterion" }, make("option", { value: "" }, "not said"), ...options);
  return [make("label", { for: `${id}-criterion` }, "If it broke: which criterion"), select];
}

async function send(attempt, data, status) {
  const said = { attempt: attempt.n, ...Object.fromEntries(data) };
  status.textContent = "writing...";
  try {
    const answer = await fetch("marks", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error);
    replaced(attempt, told.attempt);
  } catch (problem) {
    status.textContent = `Not written: ${problem.message}`;
  }
}

// The attempt as it is decided now, everywhere on the page. The counts above are those of the time of loading.
function replaced(attempt, fresh) {
  for (const key of Object.keys(attempt)) delete attempt[key];
  Object.assign(attempt, fresh);
  haystacks.delete(attempt);
  for (const old of document.querySelectorAll(`article[data-n="${attempt.n}"]`)) {
    const again = card(attempt, old.querySelector("h3, h4").localName);
    const focused = old.contains(document.activeElement);
    old.replaceWith(again);
    if (focused) again.focus();
    again.append(make("p", { class: "done", role: "status" }, "The mark is written. Load the page again to count it."));
  }
}
