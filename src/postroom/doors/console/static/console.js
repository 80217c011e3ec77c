// Keys, rows, toasts, dialogs, files: what pages share. No page has a script of its own.
(() => {
  "use strict";
  const $ = (what, where = document) => where.querySelector(what);
  const $$ = (what, where = document) => [...where.querySelectorAll(what)];
  const typing = (node) => node.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

  // Toasts.
  // An open dialog shuts off all that stands outside of it: there they stand in it.
  const toasts = $("#toasts");
  const stage = () => {
    const place = $$("dialog[open]").at(-1) || document.body;
    if (toasts && toasts.parentNode !== place) place.append(toasts);
  };
  document.addEventListener("close", stage, { capture: true });
  document.addEventListener("htmx:beforeSwap", (event) => { if (event.detail.target.contains?.(toasts)) document.body.append(toasts); });
  document.addEventListener("htmx:afterSettle", stage);
  document.addEventListener("htmx:afterRequest", stage);
  const toast = (text, kind = "good", undo = null) => {
    const box = toasts;
    const line = document.createElement("div");
    line.className = "toast " + kind;
    line.append(Object.assign(document.createElement("span"), { textContent: text }));
    const close = Object.assign(document.createElement("button"), { textContent: "✕", type: "button" });
    close.setAttribute("aria-label", "Dismiss");
    close.onclick = () => line.remove();
    if (undo) {  // only the last decision is taken back with a key
      $$("[data-undo]", box).forEach((each) => each.remove());
      const back = Object.assign(document.createElement("button"), { className: "button small", type: "button" });
      back.append("Undo ", Object.assign(document.createElement("kbd"), { textContent: "z" }));
      Object.assign(back.dataset, { key: "z", also: "u", undo: undo.path, says: "Undo: " + text });
      back.onclick = () => {
        line.remove();
        const item = $("[data-item]");
        const values = { revision: String(undo.revision) };
        window.htmx.ajax("POST", undo.path, item ? { target: item, swap: "outerHTML", values } : { swap: "none", values });
      };
      line.append(back);
    }
    line.append(close);
    box.append(line);
    stage();
    while (box.children.length > 4) box.firstChild.remove();
    setTimeout(() => line.remove(), kind === "bad" || undo ? 15000 : 5000);
  };
  // Read from the answer itself: news may have replaced the button before its answer came.
  document.addEventListener("htmx:beforeSend", (event) => {
    event.detail.xhr.addEventListener("load", () => {
      const said = JSON.parse(event.detail.xhr.getResponseHeader("HX-Trigger") || "{}").toast;
      if (said) toast(said.text, said.kind, said.undo);
    });
  });
  // A morning is the morning where the person sits.
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["Postroom-Zone"] = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  });
  document.addEventListener("htmx:sendError", () => toast("The house does not answer. Check the connection and try again.", "bad"));
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.target?.id === "sheet") return;  // says so in its own place
    if (!event.detail.xhr.getResponseHeader("HX-Trigger")) toast("That did not work. Reload the page and try again.", "bad");
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (xhr.status >= 400 && target.id === "sheet") event.detail.shouldSwap = true;
    if (xhr.status === 422 && xhr.getResponseHeader("Postroom-Fresh")) event.detail.shouldSwap = true;
    if (xhr.status === 409 && xhr.getResponseHeader("Postroom-Fresh")) { event.detail.shouldSwap = true; event.detail.isError = false; }
  });

  // Asking before what cannot be undone.
  document.addEventListener("htmx:confirm", (event) => {
    if (!event.detail.question) return;
    event.preventDefault();
    const dialog = $("#ask");
    $("[data-question]", dialog).textContent = event.detail.question;
    dialog.returnValue = "";
    dialog.onclose = () => { if (dialog.returnValue === "yes") event.detail.issueRequest(true); };
    dialog.showModal();
    stage();
  });

  // Rows that are walked with j and k.
  const rows = () => $$("[data-row]").filter((row) => row.offsetParent !== null);
  let chosen = null;
  let place = 0;  // of the chosen row: once it is gone, j goes to what stands there now
  let follows = true;  // the page follows the chosen field, until somebody turns it by hand
  const choose = (row, { quietly = false, turn = !quietly } = {}) => {
    $$("[data-row].on").forEach((each) => each.classList.remove("on"));
    $$(".spot.on").forEach((each) => each.classList.remove("on"));
    chosen = row ? row.dataset.row : null;
    if (!row) return;
    place = rows().indexOf(row);
    row.classList.add("on");
    const page = Number(row.dataset.page), paper = $("#sheet svg");
    if (turn) follows = true;
    if (turn && page && paper && page !== Number(paper.dataset.shown)) turnTo(page);
    $$(".spot").filter((spot) => spot.dataset.spot === chosen).forEach((spot) => {
      spot.classList.add("on");
      if (!quietly) spot.scrollIntoView({ block: "nearest" });
    });
    if (!quietly) row.scrollIntoView({ block: "nearest" });
  };
  // The page that is shown, and how large.
  const turnTo = (page) => {
    const tools = $("[data-pages]");
    if (!tools || page < 1 || page > Number(tools.dataset.pages)) return;
    window.htmx.ajax("GET", tools.dataset.pagesAt + page, { target: "#sheet", swap: "innerHTML" });
  };
  const zoom = (step) => {
    const paper = $("#sheet"), now = Number(paper.style.getPropertyValue("--zoom") || 1);
    paper.style.setProperty("--zoom", step ? Math.min(4, Math.max(1, now + step * 0.5)) : 1);
  };
  document.addEventListener("click", (event) => {
    const turner = event.target.closest("[data-turn]"), zoomer = event.target.closest("[data-zoom]");
    if (turner) follows = false;
    if (turner) turnTo(Number($("#sheet svg")?.dataset.shown || 1) + Number(turner.dataset.turn));
    if (zoomer) zoom(Number(zoomer.dataset.zoom));
    const folder = event.target.closest("[data-unfold]");
    if (folder) { const part = $("#" + folder.dataset.unfold); part.open = true; $("input:not([type=hidden]), select", part).focus(); }
  });
  const unfold = (row, shown = true) => {
    const part = $("#" + row.dataset.opens);
    part.hidden = !shown;
    if (shown) choose($("[data-row].weak", part) || $("[data-row]", part));
  };
  const move = (by) => {
    const all = rows();
    const at = all.findIndex((row) => row.dataset.row === chosen);
    const goal = at >= 0 ? at + by : chosen === null ? 0 : place + Math.min(by, 0);
    choose(all[Math.min(Math.max(goal, 0), all.length - 1)] || all[0]);
  };
  const open = () => {
    const row = rows().find((each) => each.dataset.row === chosen);
    const input = row && $("input:not([type=checkbox])", row);
    if (row && row.dataset.href) location.href = row.dataset.href;
    else if (row && row.dataset.opens) unfold(row, $("#" + row.dataset.opens).hidden);
    else if (input) { input.focus(); input.select(); }
    else return false;
    return true;
  };
  document.addEventListener("click", (event) => {
    const spot = event.target.closest(".spot");
    if (spot) {
      const row = rows().find((each) => each.dataset.row === spot.dataset.spot);
      choose(row); $("input", row)?.focus(); return;
    }
    const row = event.target.closest("[data-row][data-href]");
    if (row && !event.target.closest("a, button, input, label, select") && !String(getSelection())) location.href = row.dataset.href;
    const parted = event.target.closest("tr[data-opens]");
    if (parted && !event.target.closest("a, button, input")) { choose(parted, { quietly: true }); unfold(parted, $("#" + parted.dataset.opens).hidden); }
    const pointer = event.target.closest("[data-focus]");
    if (pointer) $("#" + pointer.dataset.focus)?.focus();
    const opener = event.target.closest("[data-open]");
    const dialog = opener && $("#" + opener.dataset.open);  // a colleague may have made it pointless meanwhile
    if (dialog) { dialog.showModal(); stage(); $("input:not([type=hidden]), textarea, select", dialog)?.focus(); }
    const closer = event.target.closest("[data-close]");
    if (closer) closer.closest("dialog").close();
    if (event.target.closest("[data-edit]")) {
      let row = rows().find((each) => each.dataset.row === chosen) || rows()[0];
      if (row?.dataset.opens) { unfold(row); row = rows().find((each) => each.dataset.row === chosen); }
      const input = row && $("input", row);
      if (input) { input.focus(); input.select(); }
    }
    const taker = event.target.closest("[data-take]");
    if (taker) {
      const input = document.getElementById(taker.dataset.take);
      input.value = taker.textContent;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.focus();
    }
    const toggler = event.target.closest("[data-toggle]");
    if (toggler) { const on = $("#" + toggler.dataset.toggle).classList.toggle("open"); toggler.setAttribute("aria-expanded", on); }
    const ticker = event.target.closest("[data-tick]");
    if (ticker) $$(ticker.dataset.tick).forEach((box) => { box.checked = ticker.checked; });
    const copier = event.target.closest("[data-copy]");
    if (copier) navigator.clipboard.writeText($(copier.dataset.copy).textContent.trim()).then(() => toast("Copied."));
    if (event.target.closest("[data-theme-toggle]")) theme();
    if (event.target.closest("[data-help]")) help();
  });
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest("[data-row]");
    if (row && event.target.matches(".fieldrow input")) choose(row, { quietly: true, turn: true });
  });

  // Light and dark.
  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    document.cookie = "theme=" + root.dataset.theme + "; path=/; max-age=31536000; samesite=lax" + (location.protocol === "https:" ? "; secure" : "");
  };

  // Keys. `data-key` on a button or link names the key that presses it, `data-also` another one.
  let going = 0;
  const press = (key, tries = 10) => {
    const button = $$(".toast [data-key], [data-key]").filter((each) => [each.dataset.key, each.dataset.also].includes(key) && each.offsetParent !== null && !each.disabled)
      .sort((one, other) => Boolean(other.closest(".toast")) - Boolean(one.closest(".toast")))[0];
    if (!button) return false;
    // What was swapped in just now hears nothing until htmx has been through it, a few milliseconds later.
    if (!button.closest(".htmx-added")) button.click();
    else if (tries) setTimeout(() => press(key, tries - 1), 20);
    return true;
  };
  const help = () => {
    const box = $("#keys-here");
    box.replaceChildren(...$$("[data-key]").filter((each) => each.offsetParent !== null && !each.closest(".side")).map((each) => {
      const line = document.createElement("div");
      line.append(Object.assign(document.createElement("span"), { textContent: each.dataset.says || each.textContent.replace(/\s+\S$/, "").trim() }));
      line.append(Object.assign(document.createElement("kbd"), { textContent: [each.dataset.key, each.dataset.also].filter(Boolean).join(" or ") }));
      return line;
    }));
    $("#keys").showModal();
    stage();
  };
  // A key that comes while the last one is still answered would be meant for what is not shown yet.
  const posts = new Set();
  document.addEventListener("htmx:beforeSend", (event) => {
    if (event.detail.requestConfig.verb !== "post") return;
    posts.add(event.detail.xhr);
    document.body.dataset.busy = "";
    const over = () => setTimeout(() => { posts.delete(event.detail.xhr); if (!posts.size) delete document.body.dataset.busy; }, 60);
    event.detail.xhr.addEventListener("loadend", over);
  });
  const changed = () => $$(".fieldrow.changed").length > 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ($("dialog[open]") || posts.size) return;
    if (event.key === "Escape" && typing(event.target)) {
      const row = event.target.closest(".fieldrow");
      if (row) { event.target.value = event.target.defaultValue; row.classList.remove("changed"); }
      event.target.blur(); return;
    }
    if (typing(event.target)) return;
    if (going && Date.now() - going < 1500) {
      going = 0;
      const place = $(`.nav [data-go="${CSS.escape(event.key)}"]`);
      if (place) { event.preventDefault(); location.href = place.href; }
      return;
    }
    const acts = {
      g: () => { going = Date.now(); }, "?": help,
      j: () => move(1), k: () => move(-1), ArrowDown: () => chosen !== null && move(1), ArrowUp: () => chosen !== null && move(-1),
      "/": () => ($("input[type=search]") || $("[data-search]"))?.[$("input[type=search]") ? "focus" : "click"](),
      x: () => { const box = $(".on input[type=checkbox]"); if (box) box.click(); },
      Escape: () => {
        const part = $("tr.opened:not([hidden])");
        if (!part) { $("[data-back]")?.click(); return; }
        part.hidden = true;
        choose($(`[data-opens="${part.id}"]`));
      },
    };
    if (event.key === "c" && changed()) { event.preventDefault(); $(".fieldrow.changed").closest("form").requestSubmit(); return; }
    if (event.key === "Enter") {
      if (!event.target.closest("a, button, summary, [role=button]") && open()) event.preventDefault();
    } else if (press(event.key)) event.preventDefault();
    else if (acts[event.key]) { if (event.key.length === 1) event.preventDefault(); acts[event.key](); }
  });
  document.addEventListener("input", (event) => {
    const row = event.target.closest(".fieldrow");
    if (row) row.classList.toggle("changed", event.target.value !== event.target.defaultValue);
  });

  // What a refresh must not lose: the chosen row, ticked boxes, the place of the keyboard.
  let ticked = [];
  let reviewed = $("#document")?.dataset.id;
  document.addEventListener("htmx:beforeSwap", (event) => {
    ticked = $$("input[type=checkbox]:checked", event.detail.target).map((box) => box.value);
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    ready(document);
    $$("input[type=checkbox]", event.detail.elt).forEach((box) => { if (ticked.includes(box.value)) box.checked = true; });
    const shown = $("#document")?.dataset.id;
    if (["document", "mapping"].includes(event.target.id)) document.activeElement?.blur();  // the keys are for the page again
    if (shown !== reviewed) { reviewed = shown; chosen = null; first(); scrollTo(0, 0); return; }
    const drawn = $("#sheet svg"), number = $("[data-page-number]");
    if (drawn && number) number.textContent = drawn.dataset.shown;
    const row = chosen && rows().find((each) => each.dataset.row === chosen);
    if (row) choose(row, { quietly: true, turn: follows && event.target.id === "sheet" });
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (event.detail.successful && form.matches("form[data-once]")) { form.reset(); form.closest("dialog")?.close(); }
  });

  // A browser cuts what is pasted at the end of a field: say so.
  document.addEventListener("paste", (event) => {
    const field = event.target.closest("input, textarea");
    if (!field || field.maxLength < 0) return;
    const marked = field.selectionEnd - field.selectionStart || 0;
    const letters = field.value.length - marked + (event.clipboardData?.getData("text") || "").length;
    if (letters > field.maxLength) toast(`Up to ${field.maxLength} letters go in here: what came after them was left out.`, "bad");
  });

  // Files dropped anywhere on a page that takes them.
  let carried = 0;
  addEventListener("dragenter", (event) => { if ($("[data-drop]") && event.dataTransfer?.types.includes("Files")) { carried++; $("[data-drop]").classList.add("over"); } });
  addEventListener("dragleave", () => { if (carried && !--carried) $("[data-drop]")?.classList.remove("over"); });
  addEventListener("dragover", (event) => { if ($("[data-drop]")) event.preventDefault(); });
  addEventListener("drop", (event) => {
    const place = $("[data-drop]");
    if (!place || !event.dataTransfer.files.length) return;
    event.preventDefault(); carried = 0; place.classList.remove("over");
    const input = $("input[type=file]", place);
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  const first = () => { if ($(".item [data-row]")) choose(rows().find((row) => row.matches(".weak, .doubtful")) || rows()[0], { quietly: true, turn: true }); };
  // Times in the reader's own zone; the tooltip keeps UTC.
  const two = (number) => String(number).padStart(2, "0");
  const dayOf = (at) => at.getFullYear() + "-" + two(at.getMonth() + 1) + "-" + two(at.getDate());
  const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  const local = (where) => $$("time[data-time]", where).forEach((each) => {
    const at = new Date(each.dateTime), now = new Date(), time = two(at.getHours()) + ":" + two(at.getMinutes());
    const day = dayOf(at);
    if (each.dataset.time === "full") each.textContent = day + " " + time + ":" + two(at.getSeconds());
    else if (each.dataset.time === "minute") each.textContent = at.getDate() + " " + MONTHS[at.getMonth()] + " " + time;
    else if (now - at < 20 * 3600e3 || at.toDateString() === now.toDateString()) each.textContent = time;
    else each.textContent = at.getFullYear() === now.getFullYear() ? at.getDate() + " " + MONTHS[at.getMonth()] : day;
    each.removeAttribute("data-time");
  });
  const fromTomorrow = (where) => $$("input[data-from-tomorrow]", where).forEach((each) => {
    const now = new Date();
    each.min = dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1));
  });
  const ready = (where) => {
    local(where);
    fromTomorrow(where);
    $$("form[data-submit-now]", where).forEach((form) => { form.removeAttribute("data-submit-now"); form.requestSubmit(); });
  };
  ready(document); first();
  if (new URLSearchParams(location.search).has("search")) $("input[type=search]")?.focus();
  const greeting = $("[data-greeting]");
  if (greeting) { toast(greeting.dataset.greeting); history.replaceState(null, "", location.pathname); }
})();
