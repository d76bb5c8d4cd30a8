// Comments on a plan's page: quotes the selected text and sends what the user types.
"use strict";

const review = document.getElementById("threads");
const report = document.getElementById("report");

// The item that a place on the page belongs to: the element's own id, an id in its row or list
// item, otherwise the first id that its row, list item or paragraph links to.
function itemAt(node) {
  const known = new Set([...document.querySelectorAll("#items option")].map((one) => one.value));
  const from = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  for (let at = from; at && at !== document.body; at = at.parentElement) {
    if (known.has(at.id)) return at.id;
    if (!["TR", "LI"].includes(at.tagName)) continue;
    const inside = [...at.querySelectorAll("[id]")].find((one) => known.has(one.id));
    if (inside) return inside.id;
  }
  for (let at = from; at && at !== document.body; at = at.parentElement) {
    if (!["TR", "LI", "P"].includes(at.tagName)) continue;
    const named = [...at.querySelectorAll("a[href^='#']")].find((one) => known.has(one.hash.slice(1)));
    if (named) return named.hash.slice(1);
  }
  return "";
}

function selected() {
  const words = getSelection();
  const node = words.rangeCount && words.anchorNode;
  const inside = node && document.querySelector("main").contains(node) && !review.contains(node);
  return inside ? { node, quote: words.toString().replace(/\s+/g, " ").trim().slice(0, 600) } : null;
}

// The field of a form by name, because `elements.item` would be the list's own method.
const field = (form, name) => form.elements.namedItem(name);

// Identifies a form by action and thread, also after the review part was replaced.
const kind = (form) => `${form.dataset.review}${form.dataset.thread || ""}`;

// Opens the form for the selected text, or for the item that has the focus.
function comment(item) {
  const form = document.getElementById("comment");
  const words = selected();
  const focused = document.activeElement !== document.body && document.activeElement;
  if (words && words.quote) field(form, "quote").value = words.quote;
  field(form, "item").value = item || (words ? itemAt(words.node) : focused ? itemAt(focused) : "");
  getSelection().removeAllRanges();
  form.scrollIntoView({ block: "center" });
  form.querySelector("textarea").focus();
}

// Shows the number of comments beside each item, and moves the answers that can be chosen into the
// rows of their decisions.
function mark() {
  for (const old of document.querySelectorAll(".has-threads")) old.remove();
  const counts = {};
  for (const thread of review.querySelectorAll(".thread")) {
    const { item } = thread.dataset;
    if (item) (counts[item] ||= []).push(thread.id);
  }
  for (const [item, ids] of Object.entries(counts)) {
    // The item itself, and the first link to it in a row of the report that is not folded.
    const named = [...report.querySelectorAll(`:is(li, tr) a[href="#${CSS.escape(item)}"]`)];
    const places = [document.getElementById(item), named.find((one) => !one.closest("details"))];
    for (const place of new Set(places.filter(Boolean))) {
      const link = document.createElement("a");
      link.className = "has-threads";
      link.href = `#${ids[0]}`;
      link.textContent = ids.length;
      link.setAttribute("aria-label", `${item}: ${review.querySelector("h2").textContent} ${ids.length}`);
      place.after(link);
    }
  }
  const table = [...report.querySelectorAll("table")].find((one) => one.rows[0].cells[0].textContent === "#");
  for (const choice of review.querySelectorAll(".choice")) {
    const rows = table ? [...table.rows] : [];
    const row = rows.find((one) => one.cells[0].textContent === choice.dataset.row);
    if (!row || row.querySelector(".choice")) choice.remove();
    else row.cells[3].append(choice);
  }
}

async function sendReview(form, button) {
  const said = { run: body.dataset.run, text: form.querySelector("textarea").value.trim() };
  if (form.dataset.thread) said.thread = form.dataset.thread;
  if (form.dataset.digest) said.digest = form.dataset.digest;
  for (const name of ["item", "quote"]) if (field(form, name)) said[name] = field(form, name).value;
  if (field(form, "blocking")) said.blocking = field(form, "blocking").checked;
  if (button && button.value) said.state = button.value;
  const same = () => [...review.querySelectorAll("form[data-review]")].find((one) => kind(one) === kind(form));
  const told = (text, is_wrong) => {
    const place = same() || document.getElementById("comment");
    place.querySelector(".told").textContent = text;
    place.querySelector(".told").classList.toggle("wrong", is_wrong);
  };
  if (button) button.disabled = true;
  try {
    const answer = await fetch(form.dataset.review, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });
    const back = await answer.json();
    if (answer.ok) {
      // Keep text that was begun in other forms.
      const begun = [...review.querySelectorAll("form[data-review]")].filter((one) => one !== form).map((one) => ({
        key: kind(one),
        values: [...one.querySelectorAll("textarea, input[name=item], input[name=quote]")].map((field) => field.value),
      }));
      for (const choice of report.querySelectorAll(".choice")) choice.remove();
      review.innerHTML = back.html;
      for (const one of review.querySelectorAll("form[data-review]")) {
        const old = begun.find(({ key }) => key === kind(one));
        if (old) [...one.querySelectorAll("textarea, input[name=item], input[name=quote]")].forEach((field, n) => { field.value = old.values[n]; });
      }
      mark();
      const made = document.getElementById(`thread-${back.thread}`);
      if (made) {
        made.tabIndex = -1;
        made.focus();
      } else same()?.querySelector("button").focus({ preventScroll: true });
    }
    told(back.told, !answer.ok);
  } catch {
    told(body.dataset.unsent, true);
  }
  if (button) button.disabled = false;
}

if (review && document.getElementById("comment")) {
  mark();
  const floating = document.createElement("button");
  floating.className = "comment-this";
  floating.textContent = body.dataset.comment;
  floating.hidden = true;
  // Otherwise pressing the button would clear the selection.
  floating.addEventListener("mousedown", (event) => event.preventDefault());
  floating.addEventListener("click", () => comment());
  body.append(floating);
  document.addEventListener("selectionchange", () => {
    const words = selected();
    floating.hidden = !(words && words.quote);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.dataset.review) return;
    event.preventDefault();
    if (!event.submitter || !event.submitter.disabled) sendReview(event.target, event.submitter);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (event.key !== "c" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    comment();
  });
}
