// Words that somebody typed into a form marked data-typed: leaving asks, and a reload or the way back brings them again.
(() => {
  "use strict";
  const form = document.querySelector("form[data-typed]");
  if (!form) return;
  const key = "typed " + location.pathname + location.search;
  const fields = () => [...form.elements].filter((field) => field.name && field.type !== "hidden");
  const told = (field) => field.type === "checkbox" ? String(field.checked) : field.value;
  const before = (field) => {
    if (field.type === "checkbox") return String(field.defaultChecked);
    if (field.matches("select")) return ([...field.options].find((each) => each.defaultSelected) || field.options[0])?.value;
    return field.defaultValue;
  };
  const isTyped = () => fields().some((field) => told(field) !== before(field));
  const forget = () => sessionStorage.removeItem(key);
  const keep = () => isTyped() ? sessionStorage.setItem(key, JSON.stringify(fields().map(told))) : forget();

  const came = performance.getEntriesByType("navigation")[0]?.type;
  const kept = JSON.parse(sessionStorage.getItem(key) || "[]");
  if (!["reload", "back_forward"].includes(came)) forget();
  else if (kept.length === fields().length)
    fields().forEach((field, at) => { if (field.type === "checkbox") field.checked = kept[at] === "true"; else field.value = kept[at]; });

  let sent = false;
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  form.addEventListener("htmx:beforeOnLoad", (event) => {
    sent = event.detail.xhr.status < 400;
    if (sent) forget();
  });
  addEventListener("beforeunload", (event) => { if (!sent && isTyped()) event.preventDefault(); });
})();
