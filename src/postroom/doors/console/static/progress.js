// How far things have come: files on their way to us, and work that was asked for again.
(() => {
  "use strict";
  const uploadOf = (event) => event.target.querySelector?.("[data-upload]");

  const show = (box, share, text) => {
    box.hidden = false;
    box.querySelector("progress").value = share;
    box.querySelector("span").textContent = text;
  };
  document.addEventListener("htmx:xhr:progress", (event) => {
    const box = uploadOf(event);
    if (!box || !event.detail.lengthComputable) return;
    const share = Math.floor((100 * event.detail.loaded) / event.detail.total);
    show(box, share, share < 100 ? "Sending, " + share + " %" : "Sent. Being taken in…");
  });
  document.addEventListener("htmx:beforeSend", (event) => { const box = uploadOf(event); if (box) show(box, 0, "Sending…"); });
  document.addEventListener("htmx:afterRequest", (event) => { const box = uploadOf(event); if (box) box.hidden = true; });

  const follow = (box) => {
    const source = new EventSource(box.dataset.progress);
    box.removeAttribute("data-progress");
    source.addEventListener("progress", (event) => {
      const seen = JSON.parse(event.data);
      if (!box.isConnected) { source.close(); return; }
      const bar = box.querySelector("progress");
      bar.max = seen.total;
      bar.value = seen.done + seen.failed;
      box.querySelector("[data-progress-text]").textContent = seen.text;
      box.classList.toggle("tone-bad", seen.failed > 0);
      window.htmx.trigger(document.body, "live:attempts");
      if (seen.over) { source.close(); box.classList.add("over"); }
    });
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) source.close(); };
    addEventListener("pagehide", () => source.close(), { once: true });
  };
  const ready = () => document.querySelectorAll("[data-progress]").forEach(follow);
  document.addEventListener("htmx:afterSettle", ready);
  document.addEventListener("click", (event) => {
    const closer = event.target.closest("[data-dismiss]");
    if (closer) closer.closest(closer.dataset.dismiss)?.remove();
  });
  ready();
})();
