"use strict";

const at = (id) => document.getElementById(id);
let opened = "";

function say(text, bad = false) {
  at("said").textContent = text;
  at("said").classList.toggle("bad", bad);
}

async function ask(verb, path, body) {
  const how = { method: verb };
  if (body !== undefined) {
    how.headers = { "Content-Type": "application/json" };
    how.body = JSON.stringify(body);
  }
  const answer = await fetch(`/control${path}`, how);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error || `The simulator answered ${answer.status}.`);
  return found;
}

/* Runs what a person asked for; what went wrong is shown, not lost. */
function doing(work) {
  return async (event) => {
    event.preventDefault();
    try {
      await work(event);
    } catch (error) {
      say(error.message, true);
    }
    await refresh();
  };
}

function make(tag, text = "", kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function rowOf(cells) {
  const row = document.createElement("tr");
  for (const [content, kind] of cells) {
    const cell = make("td", typeof content === "object" ? "" : content, kind || "");
    if (typeof content === "object") cell.append(content);
    row.append(cell);
  }
  return row;
}

function showBoxes(boxes) {
  at("no-boxes").hidden = boxes.length > 0;
  at("boxes").replaceChildren(...boxes.slice(0, 200).map((box) => {
    const name = document.createElement("div");
    const open = make("button", box.address, "link");
    open.type = "button";
    open.addEventListener("click", doing(async () => { opened = opened === box.address ? "" : box.address; }));
    name.append(open, make("div", box.provider === "graph" ? `Outlook · ${box.name}` : `Gmail · ${box.name}`, "tag"));
    return rowOf([[name], [box.inbox, "n"], [box.unread, "n"], [box.drafts, "n"], [box.sent, "n"]]);
  }));
  const select = at("send").elements.to;
  const wanted = boxes.slice(0, 200).map((box) => box.address).join();
  if (select.dataset.known !== wanted) {
    const chosen = select.value;
    select.dataset.known = wanted;
    select.replaceChildren(...boxes.slice(0, 200).map((box) => new Option(box.address)));
    if (chosen) select.value = chosen;
  }
}

async function showInside() {
  at("inside").hidden = !opened;
  if (!opened) return;
  const { items } = await ask("GET", `/mailboxes/${encodeURIComponent(opened)}/messages?last=30`);
  at("inside-name").textContent = `Inside ${opened}`;
  at("messages").replaceChildren(...items.map((mail) => {
    const line = make("li");
    line.append(make("span", mail.subject || "(no subject)", mail.read ? "" : "unread"));
    line.append(make("small", `${mail.folder} · ${mail.from.join(", ")} · ${mail.at.replace("T", " ").slice(0, 16)}`));
    if (mail.labels.length) line.append(make("small", mail.labels.join(" · ")));
    return line;
  }));
}

function showFaults(switches) {
  const form = at("faults");
  if (form.contains(document.activeElement)) return;
  form.replaceChildren(...Object.entries(switches).map(([name, value]) => {
    const label = make("label", typeof value === "boolean" ? "" : name.replaceAll("_", " "));
    const input = document.createElement("input");
    input.name = name;
    if (typeof value === "boolean") {
      input.type = "checkbox";
      input.checked = value;
      label.className = "tick";
      label.append(input, name.replaceAll("_", " "));
    } else {
      input.type = "number";
      input.min = "0";
      input.step = "any";
      input.value = value;
      input.classList.toggle("on", value > 0 && name !== "retry_after");
      label.append(input);
    }
    input.addEventListener("change", doing(async () => {
      await ask("PUT", "/faults", { [name]: input.type === "checkbox" ? input.checked : Number(input.value) });
      say(`Turned ${name.replaceAll("_", " ")}.`);
      input.blur();
    }));
    return label;
  }));
}

const mood = (status) => (status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

function showRecord(record) {
  at("calls").replaceChildren(...record.calls.reverse().map((call) => rowOf([
    [new Date(call.at * 1000).toLocaleTimeString()],
    [call.api],
    [`${call.method} ${call.path}`],
    [call.status, `n ${mood(call.status)}`],
    [[call.mailbox, call.note].filter(Boolean).join(" · ")],
  ])));
  at("counts").replaceChildren(...record.counts.map((one) =>
    make("span", `${one.api} ${one.method} ${one.status}: ${one.times}`, `chip ${mood(one.status)}`)));
  at("mistakes").replaceChildren(...record.mistakes.slice(-20).map((text) => make("li", text)));
}

async function refresh() {
  try {
    const [boxes, switches, record, clock] = await Promise.all([
      ask("GET", "/mailboxes"), ask("GET", "/faults"), ask("GET", "/record?last=60"), ask("GET", "/clock"),
    ]);
    showBoxes(boxes.items);
    showFaults(switches);
    showRecord(record);
    at("now").textContent = clock.now.replace("T", " ").slice(0, 19) + " UTC";
    await showInside();
  } catch (error) {
    say(`The simulator does not answer: ${error.message}`, true);
  }
}

function base64(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

at("send").addEventListener("submit", doing(async () => {
  const form = at("send").elements;
  const attachments = [];
  for (const file of form.files.files) attachments.push({ filename: file.name, content: await base64(file) });
  await ask("POST", "/letters", {
    from: form.from.value, to: [form.to.value], subject: form.subject.value, text: form.text.value, attachments,
    verdict: form.forged.checked ? "fail" : "pass",
  });
  say(`Delivered to ${form.to.value}.`);
  form.subject.value = form.text.value = form.files.value = "";
}));

at("add").addEventListener("submit", doing(async () => {
  const form = at("add").elements;
  await ask("POST", "/mailboxes", { address: form.address.value, provider: form.provider.value });
  say(`Added ${form.address.value}.`);
  form.address.value = "";
}));

at("calm").addEventListener("click", doing(async () => {
  await ask("DELETE", "/faults");
  say("All faults are off.");
}));

at("forget").addEventListener("click", doing(async () => { await ask("DELETE", "/record"); }));

for (const button of document.querySelectorAll("[data-advance]")) {
  button.addEventListener("click", doing(async () => {
    await ask("POST", "/clock/advance", { seconds: Number(button.dataset.advance) });
    say("The clock moved on.");
  }));
}

async function begin() {
  const { items } = await ask("GET", "/scenarios");
  at("scenarios").replaceChildren(...items.map((name) => {
    const button = make("button", name.replaceAll("-", " "));
    button.type = "button";
    button.addEventListener("click", doing(async () => {
      const story = await ask("POST", `/scenarios/${name}`, { speed: Number(at("speed").value) });
      say(`${story.about} ${story.letters} letters are on their way.`);
    }));
    return button;
  }));
  await refresh();
  setInterval(() => { if (!document.hidden) refresh(); }, 2000);
}

begin().catch((error) => say(error.message, true));
