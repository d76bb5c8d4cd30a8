// What happens is added as it comes, what is said is sent; everything else is plain HTML.
"use strict";

const body = document.body;
const talk = document.getElementById("talk");
const newer = document.getElementById("newer");
let seen = Number(body.dataset.seq || 0);

// A place inside of something folded is unfolded.
function unfold() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (place) place.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

function atEnd() {
  return innerHeight + scrollY >= document.documentElement.scrollHeight - 120;
}
function toEnd() {
  scrollTo(0, document.documentElement.scrollHeight);
  newer.hidden = true;
}

// Only what differs is put in, and what was begun in a form goes on in the new one.
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

// A browser has six connections to a server: a page that nobody sees gives its own back, and
// goes on where it was when it is seen again.
let events = null;
function listen() {
  if (events) events.close();
  events = null;
  if (document.hidden || !body.dataset.events) return;
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
    delete body.dataset.events;
    listen();
    body.classList.remove("lost");
  });
  events.onopen = () => body.classList.remove("lost");
  events.onerror = () => body.classList.add("lost");
}
if (body.dataset.events) {
  listen();
  document.addEventListener("visibilitychange", listen);
  newer.addEventListener("click", toEnd);
  addEventListener("scroll", () => { if (atEnd()) newer.hidden = true; }, { passive: true });
  if (!location.hash) toEnd();
}

async function send(form, button) {
  const told = form.querySelector(".told");
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
    told.textContent = said_back.told;
    told.classList.toggle("wrong", !answer.ok);
    if (answer.ok) {
      if (field) field.value = "";
      if (said_back.go && said_back.go !== location.pathname) location.assign(said_back.go);
      if (form.dataset.question) for (const part of form.elements) part.disabled = true;
    }
    if (button && !(answer.ok && form.dataset.question)) button.disabled = false;
  } catch {
    told.textContent = body.dataset.unsent;
    told.classList.add("wrong");
    if (button) button.disabled = false;
  }
}
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.post) return;
  event.preventDefault();
  const button = event.submitter || form.querySelector("button");
  if (button && button.disabled) return;
  // What cannot be taken back is asked for twice.
  if (button && button.dataset.sure && !button.dataset.asked) {
    button.dataset.asked = "1";
    setTimeout(() => delete button.dataset.asked, 5000);
    form.querySelector(".told").textContent = button.dataset.sure;
    return;
  }
  send(form, button);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) event.target.form.requestSubmit();
});
