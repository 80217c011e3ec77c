// One item of work on the page: it sends only what was changed, and says who else is looking at it.
(() => {
  "use strict";
  const $ = (what, where = document) => where.querySelector(what);
  const BEAT_MILLISECONDS = 5000;

  // Only what was changed goes out: a field that a colleague corrected meanwhile is not sent back as it was.
  document.addEventListener("htmx:configRequest", (event) => {
    const form = event.detail.elt;
    if (!form.matches("form[data-changes]")) return;
    for (const input of form.elements)
      if (input.name && input.type !== "hidden" && input.value === input.defaultValue) event.detail.formData.delete(input.name);
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
