// Stands in for Google's api.js where apis.google.com cannot be reached: what Firebase's SDK and its frame use of gapi.iframes.
'use strict';
(() => {
  class Iframe {
    constructor(peer) {
      this.peer = peer; // the window at the other end
      this.handlers = new Map();
      this.waiting = new Map();
      this.met = new Promise((resolve) => (this.meet = resolve)); // the other end has loaded this script, too
      this.count = 0;
      window.addEventListener('message', ({ source, data }) => {
        if (source === this.peer() && data?.gapi) this.take(data);
      });
    }
    post(data) { this.peer().postMessage({ gapi: true, ...data }, '*'); }
    async take({ kind, id, name, data }) {
      if (kind === 'ready') { this.meet(); return this.post({ kind: 'met' }); }
      if (kind === 'met') return this.meet();
      if (kind === 'call') return this.post({ kind: 'answer', id, data: [await this.handlers.get(name)?.(data)] });
      this.waiting.get(id)(data);
    }
    register(name, handler) { this.handlers.set(name, handler); }
    async send(name, data, callback) {
      await this.met;
      const id = ++this.count;
      const answer = await new Promise((resolve) => { this.waiting.set(id, resolve); this.post({ kind: 'call', id, name, data }); });
      callback?.(answer);
    }
    async restyle() {}
    async ping(callback) { await this.met; callback?.(); }
  }
  const context = {
    async open({ url, where, attributes }, opened) {
      const frame = document.createElement('iframe');
      Object.assign(frame.style, attributes.style);
      frame.src = url;
      where.append(frame);
      return opened(new Iframe(() => frame.contentWindow));
    },
    getParentIframe() {
      const parent = new Iframe(() => window.parent);
      parent.post({ kind: 'ready' });
      return parent;
    },
  };
  window.gapi = {
    load: (_, { callback }) => callback(),
    iframes: { Iframe, CROSS_ORIGIN_IFRAMES_FILTER: () => true, getContext: () => context },
  };
  const onload = new URL(document.currentScript.src).searchParams.get('onload') ?? 'gapi_onload';
  setTimeout(() => window[onload]?.());
})();
