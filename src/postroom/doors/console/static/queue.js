// One item of work on the page: it stays live without losing what is being typed, sends only what was changed, and says
// who else is looking at it.
(() => {
  "use strict";
  const $ = (what, where = document) => where.querySelector(what);
  const $$ = (what, where = document) => [...where.querySelectorAll(what)];
  const BEAT_MILLISECONDS = 5000;

  // Only what was changed goes out: a field that a colleague corrected meanwhile is not sent back as it was.
  document.addEventListener("htmx:configRequest", (event) => {
    const form = event.detail.elt;
    if (!form.matches("form[data-changes]")) return;
    for (const input of form.elements)
      if (input.name && input.type !== "hidden" && input.value === input.defaultValue) event.detail.formData.delete(input.name);
  });

  // News about the item. Equal revision: only the parts around it are renewed. Else the item, unless somebody types in it
  // or reads words that a yes is said to: those never become others under their eyes.
  const inUse = (item) => $(".changed", item) || $("dialog[open]") || item.contains(document.activeElement?.closest("input:not([type=checkbox]), textarea, select"));
  const note = (item, text) => {
    const line = $("[data-stale]", item) || Object.assign(document.createElement("div"), { className: "note tone-warn stale" });
    line.dataset.stale = "";
    line.setAttribute("role", "status");
    const show = Object.assign(document.createElement("button"), { className: "button small", type: "button", textContent: "Show it" });
    show.onclick = () => window.htmx.ajax("GET", item.getAttribute("hx-get"), { target: item, swap: "outerHTML" });
    line.replaceChildren((text || "This was changed meanwhile.") + " ", show);
    item.prepend(line);
  };
  // While a decision is on its way its answer redraws the item: news that come first would leave that answer nowhere to go.
  const deciding = () => "busy" in document.body.dataset;
  const again = (item) => {
    if (deciding()) setTimeout(again, 100, item);
    else if (item.isConnected) window.htmx.ajax("GET", item.getAttribute("hx-get"), { source: item, target: item, swap: "outerHTML" });
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target: old, requestConfig: asked } = event.detail;
    if (!old.matches?.("[data-item]") || asked.elt !== old || asked.verb !== "get") return;
    if (deciding()) { event.detail.shouldSwap = false; again(old); return; }
    const fresh = $("[data-item]", new DOMParser().parseFromString(event.detail.serverResponse, "text/html"));
    if (!fresh || fresh.dataset.item !== old.dataset.item) return;
    const otherWords = "asks" in old.dataset && fresh.dataset.words !== old.dataset.words;
    if (fresh.dataset.revision !== old.dataset.revision && !otherWords && !inUse(old)) return;
    event.detail.shouldSwap = false;
    if (fresh.dataset.revision !== old.dataset.revision) { note(old, fresh.dataset.changed); return; }
    for (const part of $$("[data-part]", fresh)) {
      const held = $(`[data-part="${part.dataset.part}"]`, old);
      if (held && held.outerHTML !== part.outerHTML) held.replaceWith(part);
    }
  });

  // Who else is looking.
  let at = "";
  let others = [];
  const post = (path, item) => fetch(path, {
    method: "POST", keepalive: true, body: new URLSearchParams({ item }),
    headers: JSON.parse(document.body.getAttribute("hx-headers") || "{}"),
  });
  const show = () => {
    const place = $("[data-looking]");
    if (!place) return;
    place.hidden = !others.length;
    const names = others.length > 2 ? others.slice(0, 2).join(", ") + " and " + (others.length - 2) + " more" : others.join(" and ");
    place.textContent = others.length ? names + (others.length > 1 ? " are" : " is") + " looking at this too." : "";
  };
  const beat = async () => {
    const item = $("[data-looking]")?.dataset.looking || "";
    if (at && at !== item) { post("/looking/away", at).catch(() => {}); others = []; }
    at = item;
    if (!item || document.hidden) return;
    try {
      const answer = await post("/looking", item);
      if (answer.ok && at === item) { others = (await answer.json()).others; show(); }
    } catch { /* the next beat tries again */ }
  };
  document.addEventListener("htmx:afterSettle", () => { if (($("[data-looking]")?.dataset.looking || "") !== at) beat(); else show(); });
  document.addEventListener("visibilitychange", beat);
  addEventListener("pagehide", () => { if (at) post("/looking/away", at).catch(() => {}); });
  setInterval(beat, BEAT_MILLISECONDS);
  beat();
})();
