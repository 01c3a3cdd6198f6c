// SPDX-License-Identifier: Apache-2.0
// Pages that are opened from a folder may not start workers, and the search of the site is one. In
// that case a hidden frame runs its script. The theme looks for a file of this name.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      this.inner = frame.contentWindow;
      this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inner.importScripts = (...urls) => Promise.all(urls.map((next) => this.load(next)));
      this.started = this.load(url);
      this.frame = frame;
    }
    load(url) {
      return new Promise((done, failed) => {
        const script = this.inner.document.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        this.inner.document.body.append(script);
      });
    }
    postMessage(data) {
      this.started.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
