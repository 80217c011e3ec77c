// Forms in parts of a page that go live: what is being typed or chosen stays, a note says when a colleague changed what is
// kept, and "Show it" sets what was typed beside it.
(() => {
  "use strict";
  const $ = (what, where = document) => where.querySelector(what);
  const $$ = (what, where = document) => [...where.querySelectorAll(what)];
  const TYPING = "input:not([type=checkbox]):not([type=radio]), textarea, select";
  const make = (tag, about, ...inside) => { const made = Object.assign(document.createElement(tag), about); made.append(...inside); return made; };

  // What a field says, and what it said when the page came.
  const ticks = (field) => field.type === "checkbox" || field.type === "radio";
  const chosen = (field, is) => [...field.options].filter(is).map((each) => each.value).join("\n");
  const typed = (field) => ticks(field) ? field.checked : field.matches("select") ? chosen(field, (each) => each.selected) : field.value;
  const kept = (field) => {
    if (ticks(field)) return field.defaultChecked;
    if (!field.matches("select")) return field.type === "file" ? "" : field.defaultValue;
    return chosen(field, (each) => each.defaultSelected) || (field.multiple ? "" : field.options[0]?.value || "");
  };
  const fields = (form) => [...form.elements].filter((each) => each.name && each.matches("input, textarea, select"));
  const changed = (field) => field.type !== "hidden" && typed(field) !== kept(field);
  const version = (form) => JSON.stringify(fields(form).map((each) => [each.name, ticks(each) && each.value, kept(each)]));
  const settle = (form) => {
    for (const field of fields(form)) {
      if (ticks(field)) field.defaultChecked = field.checked;
      else if (field.matches("select")) for (const each of field.options) each.defaultSelected = each.selected;
      else if (field.type !== "hidden" && field.type !== "file") field.defaultValue = field.value;
    }
    $$(".typed", form).forEach((each) => each.remove());
    form.dataset.sent = "";
  };

  // A form and what belongs to it: the dialog it stands in, or a part that holds its answer too.
  const LIVE = "[hx-trigger*='live:']";
  const all = (where) => $$("form[hx-post], dialog form", where).filter((form) => !$("[data-row]", form));
  const name = (form) => form.closest("dialog")?.id || form.getAttribute("hx-post");
  const whole = (form) => form.closest("dialog, [data-kept]") || form;
  const mate = (form, where) => all(where).find((each) => name(each) === name(form));
  const inUse = (form) => {
    const dialog = form.closest("dialog");
    if ("sent" in form.dataset || (dialog && !dialog.open)) return false;
    return Boolean(dialog) || form.contains(document.activeElement?.closest(TYPING)) || fields(form).some(changed);
  };
  for (const kind of ["input", "change"])
    document.addEventListener(kind, (event) => { const form = event.target.closest("form"); if (form) delete form.dataset.sent; }, { capture: true });

  // What was typed and not sent goes along to the form that takes the place of its own.
  let carried = [];
  const offers = new WeakMap();
  const collect = (where, except = () => false) => {
    if (carried.length) return;
    for (const form of all(where)) {
      if ("sent" in form.dataset || except(form)) continue;
      const words = fields(form).filter((each) => changed(each) && each.type !== "file")
        .map((each) => ({ field: each, value: typed(each), before: kept(each), label: label(each) }));
      words.push(...$$(".typed", form).map((each) => offers.get(each)));
      const open = form.closest("dialog")?.open;
      if (words.length || open) carried.push({ called: name(form), open, words });
    }
  };
  const label = (field) => (field.getAttribute("aria-label") || $("span", field.closest("label") || field)?.textContent || field.closest("label")?.textContent || field.name).trim();
  const setTo = (field, value) => {
    if (ticks(field)) field.checked = value;
    else if (field.matches("select")) for (const each of field.options) each.selected = value.split("\n").includes(each.value);
    else field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const shown = ({ field, value }) => {
    if (ticks(field)) return value ? "ticked" : "not ticked";
    return field.matches("select") ? [...field.options].filter((each) => value.split("\n").includes(each.value)).map((each) => each.textContent.trim()).join(", ") : value;
  };
  const offer = (field, word) => {
    const take = make("button", { className: "button small", type: "button", textContent: "Take it" });
    const block = make("div", { className: "typed" }, make("span", { className: "muted small", textContent: "You typed" }), make("div", { className: "plain", textContent: shown(word) }), take);
    offers.set(block, word);
    take.onclick = () => { setTo(field, word.value); block.remove(); field.focus(); };
    (field.closest("label") || field).after(block);
  };
  const homeless = (words) => {
    const gone = make("button", { className: "button small", type: "button", textContent: "Dismiss" });
    const note = make("div", { className: "note tone-warn typed" }, make("p", { textContent: "The form is not there any more. What you had typed in it:" }));
    for (const word of words) note.append(make("span", { className: "muted small", textContent: word.label }), make("div", { className: "plain", textContent: shown(word) }));
    note.append(gone);
    note.setAttribute("role", "status");
    gone.onclick = () => note.remove();
    $("#main").prepend(note);
  };
  const restore = () => {
    for (const { called, open, words } of carried.splice(0)) {
      const form = all(document).find((each) => name(each) === called);
      const dialog = form?.closest("dialog");
      const left = [];
      for (const word of words) {
        const field = form && fields(form).find((each) => each.name === word.field.name && (!ticks(each) || each.value === word.field.value));
        if (!field && word.field.type !== "password") left.push(word);
        if (!field || typed(field) === word.value) continue;
        if (field.type === "password" || (kept(field) === word.before && (open || !dialog))) setTo(field, word.value);
        else offer(field, word);
      }
      if (left.length) homeless(left);
      if (open && dialog && !dialog.open) dialog.showModal();
    }
  };

  // The note, once for each part that tells of something: in the dialog, if one is open.
  const look = (part) => window.htmx.ajax("GET", part.getAttribute("hx-get"), { source: part, target: part, swap: "outerHTML" });
  const note = (place, part, text) => {
    const stands = place.matches("dialog") ? $("form", place) || place : place;
    const line = $$("[data-stale]", stands).find((each) => each.dataset.stale === part.id) || make("div", { className: "note tone-warn stale" });
    line.dataset.stale = part.id;
    line.setAttribute("role", "status");
    const show = make("button", { className: "button small", type: "button", textContent: "Show it" });
    show.onclick = () => { part.dataset.shows = ""; look(part); };
    line.replaceChildren((text || "This was changed meanwhile.") + " ", show);
    stands.prepend(line);
  };

  // All of a live part but the forms in use: around them it is renewed in place.
  const childWith = (place, node) => { while (node.parentNode !== place) node = node.parentNode; return node; };
  const renew = (old, fresh, pairs) => {
    const mates = new Map();
    for (const [mine, theirs] of pairs) {
      const at = childWith(old, mine), to = childWith(fresh, theirs);
      if ((mates.get(at) || to) !== to) return;
      mates.set(at, to);
    }
    const order = [...fresh.childNodes], stay = [...old.childNodes].filter((node) => mates.has(node));
    if (stay.some((node, at) => at && order.indexOf(mates.get(node)) <= order.indexOf(mates.get(stay[at - 1])))) return;
    const back = new Map(stay.map((node) => [mates.get(node), node]));
    for (const node of [...old.childNodes]) if (!mates.has(node)) node.remove();
    let next = old.firstChild;
    for (const node of order) {
      if (back.has(node)) { next = back.get(node).nextSibling; continue; }
      old.insertBefore(node, next);
      if (node.nodeType === Node.ELEMENT_NODE) window.htmx.process(node);
    }
    for (const [at, to] of mates) {
      const inside = pairs.filter(([mine]) => at.contains(mine) && at !== mine);
      if (inside.length) renew(at, to, inside);
    }
  };
  const around = (old, fresh) => {
    const stays = $$("[hx-preserve]", old).map((each) => [each, fresh.querySelector(`[id="${each.id}"]`)]);
    const pairs = new Map(stays.filter(([, theirs]) => theirs));
    let gone = false;
    for (const form of all(old).filter(inUse)) {
      const theirs = mate(form, fresh);
      const place = whole(form);
      if (!theirs) { gone = true; note(place, old, "This is not there any more."); continue; }
      if (version(form) !== version(theirs)) note(place, old, "");
      else $$("[data-stale]", place).forEach((each) => each.remove());
      pairs.set(place, whole(theirs));
    }
    if (gone) return;
    collect(old, inUse);
    renew(old, fresh, [...pairs]);
    window.htmx.trigger(old, "htmx:afterSettle", { elt: old });
  };

  // An item of work. Equal revision: only the parts around it are renewed. Else the item, unless somebody types in it or
  // reads words that a yes is said to: those never become others under their eyes.
  const typingIn = (item) => $(".changed", item) || $("dialog[open]") || item.contains(document.activeElement?.closest(TYPING)) || all(item).some(inUse);
  const decide = (event, old, fresh) => {
    const another = fresh.dataset.revision !== old.dataset.revision;
    const otherWords = "asks" in old.dataset && fresh.dataset.words !== old.dataset.words;
    if (fresh.dataset.item !== old.dataset.item || (another && !otherWords && !typingIn(old))) return;
    event.detail.shouldSwap = false;
    if (another) { note($("dialog[open]", old) || old, old, fresh.dataset.changed); return; }
    for (const part of $$("[data-part]", fresh)) {
      const held = $(`[data-part="${part.dataset.part}"]`, old);
      if (held && held.outerHTML !== part.outerHTML) held.replaceWith(part);
    }
  };

  // While an answer is on its way it redraws the part: news that come first would leave that answer nowhere to go.
  const deciding = () => "busy" in document.body.dataset;
  const again = (part) => {
    if (deciding()) setTimeout(again, 100, part);
    else if (part.isConnected) look(part);
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target: old, requestConfig: asked, xhr } = event.detail;
    if (!event.detail.shouldSwap || !old.matches?.(LIVE)) return;
    const news = asked.verb === "get" && asked.elt === old;
    if (!news) { collect(old, (form) => xhr.status < 400 && form === asked.elt.closest?.("form")); return; }
    if (deciding()) { event.detail.shouldSwap = false; again(old); return; }
    if ("shows" in old.dataset) { collect(old); return; }
    const fresh = new DOMParser().parseFromString(event.detail.serverResponse, "text/html").getElementById(old.id);
    if (!fresh) return;
    if ("item" in old.dataset) decide(event, old, fresh);
    else if (all(old).some(inUse)) { event.detail.shouldSwap = false; around(old, fresh); return; }
    if (event.detail.shouldSwap) collect(old);
  });
  document.addEventListener("htmx:afterSettle", () => { if (carried.length) restore(); });

  // Sent and kept: the form says what is kept now. Refused because somebody was quicker: look at once what they did.
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr, successful, requestConfig: asked } = event.detail;
    const form = elt.closest("form");
    if (!form || asked.verb !== "post") return;
    const part = form.closest(LIVE);
    if (xhr.status === 409 && part && !xhr.getResponseHeader("Postroom-Fresh")) again(part);
    const said = successful && JSON.parse(xhr.getResponseHeader("HX-Trigger") || "{}").toast;
    if (!said || said.kind === "bad") return;
    const place = whole(form);
    for (const each of place === form ? [form] : $$("form", place)) settle(each);
    if (form.matches("[data-closes]")) form.closest("dialog").close();
  });

  // What a form would do was said of other words: it goes as soon as one of them changes, also when it is still on its way.
  const edits = new WeakMap(), askedAt = new WeakMap();
  const times = (form) => edits.get(form) || 0;
  for (const kind of ["input", "change"]) document.addEventListener(kind, (event) => {
    const form = event.target.closest("form[data-preview]");
    if (!form) return;
    edits.set(form, times(form) + 1);
    $(form.dataset.preview)?.replaceChildren();
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    const form = event.detail.elt.closest("form[data-preview]");
    if (form) askedAt.set(event.detail.xhr, times(form));
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = event.detail.requestConfig.elt.closest?.("form[data-preview]");
    if (form && event.detail.target.matches(form.dataset.preview) && askedAt.get(event.detail.xhr) !== times(form)) event.detail.shouldSwap = false;
  });
})();
