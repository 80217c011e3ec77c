// News from the house. One connection for all tabs of this browser, since a browser allows only a few per host: the tab
// that holds the lock listens and passes on what it hears; when it goes, the next one goes on where it stopped.
(() => {
  "use strict";
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("postroom-live") : null;
  const PLACE = "postroom-live-at";
  const ALL = (document.body.dataset.topics || "").split(" ");
  const waiting = new Set();
  const late = new Set();  // came while a part that listens was being fetched: what comes may be older
  let calm = null;

  const show = (state) => {
    for (const each of document.querySelectorAll("[data-live]")) {
      each.dataset.state = state;
      each.querySelector("[data-live-word]").textContent =
        state === "on" ? "Live" : state === "off" ? "Offline" : "Connecting";
    }
  };

  const fetching = (topic) => document.querySelector(`.htmx-request[hx-trigger*="live:${topic} "]`);

  const flush = () => {
    if (document.hidden) return;
    const topics = [...waiting];
    waiting.clear();
    for (const topic of topics) {
      if (fetching(topic)) late.add(topic);
      window.htmx.trigger(document.body, "live:" + topic);
    }
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

  // Positions look like 7412-93. A page knows the one it was made at.
  const made = document.body.dataset.at || "";
  const later = (one, other) => {
    const [a, b] = one.split("-").map(Number), [c, d] = other.split("-").map(Number);
    return a > c || (a === c && b > d);
  };
  let holding = false;
  let heard = "";

  const listen = () => new Promise((ended) => {
    let source = null;
    const open = () => {
      const kept = localStorage.getItem(PLACE) || made;
      const at = heard || (later(kept, made) ? made : kept);
      source = new EventSource("/live?after=" + encodeURIComponent(at));
      source.addEventListener("open", () => tell({ state: "on", at: heard || at }));
      source.addEventListener("news", (event) => {
        heard = event.lastEventId;
        localStorage.setItem(PLACE, heard);
        tell({ state: "on", at: heard, topics: Object.keys(JSON.parse(event.data)) });
      });
      source.onerror = () => {
        tell({ state: "off" });
        if (source.readyState === EventSource.CLOSED) {  // refused: the place may be unknown there, or nobody is signed in
          heard = "";
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
    if (channel) channel.onmessage = ({ data }) => {
      if (!data.hello) { hear(data); return; }
      if (!holding) return;  // the one who listens says what a new tab has missed since it was made
      channel.postMessage({ state: "on", topics: heard && later(heard, data.hello) ? ALL : [] });
    };
    if (channel) channel.postMessage({ hello: made });
    if (navigator.locks) navigator.locks.request("postroom-live", () => { holding = true; return listen(); });
    else listen();
  };

  document.addEventListener("visibilitychange", flush);
  // htmx forgets what waits behind a request when its answer takes the element's place: ask anew, once, when all parts
  // that listen are there. Each that asked while another was still on its way would set all of them off for ever.
  document.addEventListener("htmx:afterSettle", () => {
    for (const topic of [...late]) {
      if (fetching(topic)) continue;
      late.delete(topic);
      window.htmx.trigger(document.body, "live:" + topic);
    }
  });
  // News names a part once. One that could not be fetched then is asked for until it comes, without a word: nobody clicked.
  const again = (event) => {
    const topics = [...(event.detail.elt.getAttribute("hx-trigger") || "").matchAll(/live:(\w+)/g)].map(([, topic]) => topic);
    const unreachable = event.type === "htmx:sendError" || event.detail.xhr.status >= 500;
    if (!topics.length || !unreachable) return;
    event.stopImmediatePropagation();
    setTimeout(() => hear({ topics }), 2000);
  };
  for (const name of ["htmx:sendError", "htmx:responseError"]) document.addEventListener(name, again, { capture: true });
  // A page that the browser kept aside may be old: look at everything again.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  if (document.querySelector("[data-live]")) start();
})();
