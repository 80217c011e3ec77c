// News from the house. One connection for all tabs of this browser, since a browser allows only a few per host: the tab
// that holds the lock listens and passes on what it hears; when it goes, the next one goes on where it stopped.
(() => {
  "use strict";
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("postroom-live") : null;
  const PLACE = "postroom-live-at";
  const waiting = new Set();
  let calm = null;

  const show = (state) => {
    for (const each of document.querySelectorAll("[data-live]")) {
      each.dataset.state = state;
      each.querySelector("[data-live-word]").textContent =
        state === "on" ? "Live" : state === "off" ? "Offline" : "Connecting";
    }
  };

  const flush = () => {
    if (document.hidden) return;
    const topics = [...waiting];
    waiting.clear();
    for (const topic of topics) window.htmx.trigger(document.body, "live:" + topic);
    if (topics.length && !calm) {
      calm = setTimeout(() => { calm = null; window.htmx.trigger(document.body, "live:calm"); }, 3000);
    }
  };

  const hear = (news) => {
    if (news.state) show(news.state);
    for (const topic of news.topics || []) waiting.add(topic);
    flush();
  };

  const tell = (news) => { hear(news); if (channel) channel.postMessage(news); };

  const listen = () => new Promise((ended) => {
    let source = null;
    const open = () => {
      const at = localStorage.getItem(PLACE);
      source = new EventSource("/live" + (at ? "?after=" + encodeURIComponent(at) : ""));
      source.addEventListener("open", () => tell({ state: "on" }));
      source.addEventListener("news", (event) => {
        localStorage.setItem(PLACE, event.lastEventId);
        tell({ state: "on", topics: Object.keys(JSON.parse(event.data)) });
      });
      source.onerror = () => {
        tell({ state: "off" });
        if (source.readyState === EventSource.CLOSED) {  // refused: the place may be unknown there, or nobody is signed in
          localStorage.removeItem(PLACE);
          setTimeout(open, 5000);
        }
      };
    };
    open();
    addEventListener("pagehide", () => { source.close(); ended(); }, { once: true });
  });

  const start = () => {
    show("wait");
    if (channel) channel.onmessage = (event) => {
      if (event.data.hello) { if (holding) channel.postMessage({ state: "on" }); } else hear(event.data);
    };
    if (channel) channel.postMessage({ hello: true });
    if (navigator.locks) navigator.locks.request("postroom-live", () => { holding = true; return listen(); });
    else listen();
  };
  let holding = false;

  document.addEventListener("visibilitychange", flush);
  // A page that the browser kept aside may be old: look at everything again.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  if (document.querySelector("[data-live]")) start();
})();
