// Adds events to the page as they arrive, and sends what the user types; the rest is plain HTML.
"use strict";

const body = document.body;
const talk = document.getElementById("talk");
const newer = document.getElementById("newer");
let seen = Number(body.dataset.seq || 0);

// Unfolds the parts around the linked place.
function unfold() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (place) place.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// The end of the page's main part; on a small screen the panel is below it.
const main = document.querySelector("main");
function atEnd() {
  return main.getBoundingClientRect().bottom <= innerHeight + 120;
}
function toEnd() {
  scrollBy(0, main.getBoundingClientRect().bottom - innerHeight);
  newer.hidden = true;
}

// Replaces a part of the page if it changed. Text begun in its forms is kept.
const shown = {};
function put(id, html) {
  const place = document.getElementById(id);
  if (!place || shown[id] === html) return;
  const begun = [...place.querySelectorAll("form[data-question]")].map((form) => {
    const field = form.querySelector("textarea");
    const option = form.querySelector("input:checked");
    const at = document.activeElement === field && [field.selectionStart, field.selectionEnd];
    return { question: form.dataset.question, text: field.value, option: option && option.value, at };
  });
  place.innerHTML = html;
  shown[id] = html;
  for (const { question, text, option, at } of begun) {
    const form = place.querySelector(`form[data-question="${question}"]`);
    if (!form) continue;
    const field = form.querySelector("textarea");
    field.value = text;
    for (const one of form.querySelectorAll("input")) one.checked = one.value === option;
    if (at) {
      field.focus();
      field.setSelectionRange(...at);
    }
  }
  tick();
}

function tick() {
  for (const time of document.querySelectorAll("time.since")) {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time.dateTime)) / 1000));
    time.textContent = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
}
setInterval(tick, 1000);
tick();

// A browser opens at most six connections to a server, so at most four pages listen at a time. A
// hidden page closes its connection, and so does the one that has listened longest if there are
// more than four. They continue where they stopped when the user looks at them again.
const MOST = 4;
const own = crypto.randomUUID();
const later = new Set();
const pages = new BroadcastChannel("listening");
pages.onmessage = ({ data: { page, listens } }) => {
  if (listens) later.add(page);
  else later.delete(page);
  if (events && later.size >= MOST) listen(false);
};
let events = null;
function listen(is_turn) {
  const listens = is_turn && !document.hidden && "going" in body.dataset;
  if (events) events.close();
  events = null;
  later.clear();
  pages.postMessage({ page: own, listens });
  body.classList.toggle("rests", !is_turn);
  body.classList.remove("lost");
  if (!listens) return;
  events = new EventSource(`/events/${seen}/${body.dataset.run}`);
  events.addEventListener("piece", (event) => {
    const number = Number(event.lastEventId);
    if (number <= seen) return;
    seen = number;
    const stay = !atEnd();
    talk.insertAdjacentHTML("beforeend", JSON.parse(event.data));
    if (stay) newer.hidden = false;
    else toEnd();
  });
  events.addEventListener("saying", (event) => {
    const stay = !atEnd();
    put("saying", JSON.parse(event.data));
    if (!stay) toEnd();
  });
  events.addEventListener("now", (event) => {
    const now = JSON.parse(event.data);
    put("board", now.board);
    put("ask", now.ask);
    const act = document.getElementById("act");
    if (act && now.over) act.hidden = true;
  });
  events.addEventListener("end", () => {
    delete body.dataset.going;
    listen(true);
  });
  events.onopen = () => body.classList.remove("lost");
  events.onerror = () => body.classList.add("lost");
}
if ("going" in body.dataset) {
  listen(true);
  document.addEventListener("visibilitychange", () => listen(true));
  addEventListener("focus", () => { if (!events) listen(true); });
  newer.addEventListener("click", toEnd);
  addEventListener("scroll", () => { if (atEnd()) newer.hidden = true; }, { passive: true });
  if (!location.hash) toEnd();
}

// Shows the result of sending a form, in the form or in the one that replaced it meanwhile.
function tell(form, text, is_wrong) {
  const same = `form[data-post="${form.dataset.post}"]:not([data-question])`;
  const at = form.isConnected ? form : document.querySelector(same) || document.getElementById("act");
  const told = (at || form).querySelector(".told");
  told.textContent = text;
  told.classList.toggle("wrong", is_wrong);
}

async function send(form, button) {
  const said = { run: body.dataset.run || "" };
  const option = form.querySelector("input[name=option]:checked");
  const field = form.querySelector("textarea");
  said.text = (field && field.value.trim()) || (option ? option.value : "");
  if (form.dataset.question) said.question = form.dataset.question;
  if (button && button.name !== "post" && button.name) said[button.name] = true;
  const to = button && button.name === "post" ? button.value : form.dataset.post;
  if (button) button.disabled = true;
  try {
    const answer = await fetch(to, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(said),
    });
    const said_back = await answer.json();
    tell(form, said_back.told, !answer.ok);
    if (answer.ok) {
      if (field) field.value = "";
      if (said_back.go && said_back.go !== location.pathname) location.assign(said_back.go);
      if (form.dataset.question) for (const part of form.elements) part.disabled = true;
    }
    if (button && !(answer.ok && form.dataset.question)) button.disabled = false;
  } catch {
    tell(form, body.dataset.unsent, true);
    if (button) button.disabled = false;
  }
}
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.post) return;
  event.preventDefault();
  const button = event.submitter || form.querySelector("button");
  if (button && button.disabled) return;
  // An action that cannot be undone needs a second click within 5 s.
  if (button && button.dataset.sure && !button.dataset.asked) {
    button.dataset.asked = "1";
    setTimeout(() => delete button.dataset.asked, 5000);
    tell(form, button.dataset.sure, false);
    return;
  }
  send(form, button);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) event.target.form.requestSubmit();
});
