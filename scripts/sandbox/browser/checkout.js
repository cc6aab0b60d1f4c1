/* Stand-in for the provider's browser script. The window is an iframe from this script's origin. */
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  const OVERLAY = { position: "fixed", inset: "0", zIndex: "2147483647", background: "#0009" };
  const FRAME = { width: "min(440px, 100vw)", height: "100vh", margin: "0 auto", display: "block" };

  function check(options) {
    const faults = [
      [!options?.key, "No key passed"],
      [!/^\d{3,}$/.test(options?.amount), "amount must be paise, at least 100"],
      [/^[^A-Za-z0-9]/.test(options?.description), "description must begin with a letter or digit"],
      [typeof options?.handler !== "function", "handler must be a function"],
    ];
    const fault = faults.find(([isThere]) => isThere);
    if (fault) throw new Error(`Razorpay: ${fault[1]}`);
  }

  function frameAddress({ key, prefill = {}, ...options }) {
    const url = new URL("/v1/checkout/frame", ORIGIN);
    const fields = { key_id: key, parent: location.origin };
    for (const name of ["order_id", "amount", "currency", "name", "description"]) {
      fields[name] = options[name];
    }
    for (const [name, value] of Object.entries(prefill)) fields[`prefill[${name}]`] = value;
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url.href;
  }

  window.Razorpay = class {
    #options;
    #listeners = [];
    #overlay = null;
    #frame = null;
    #focused = null;
    #onMessage = (event) => {
      if (event.origin === ORIGIN && event.source === this.#frame.contentWindow) {
        this.#receive(event.data);
      }
    };
    #onKey = (event) => {
      if (event.key === "Escape" && this.#options.modal?.escape !== false) this.#dismiss();
    };

    constructor(options) {
      check(options);
      this.#options = options;
    }

    on(name, listener) {
      if (name === "payment.failed") this.#listeners.push(listener);
    }

    open() {
      if (this.#overlay) return;
      const overlay = document.createElement("div");
      overlay.setAttribute("role", "dialog");
      overlay.setAttribute("aria-modal", "true");
      overlay.setAttribute("aria-label", "Payment");
      const frame = document.createElement("iframe");
      frame.title = "Payment window (sandbox)";
      frame.src = frameAddress(this.#options);
      // Not as style attributes, which a strict policy of the page forbids.
      Object.assign(overlay.style, OVERLAY);
      const accent = this.#options.theme?.color ?? "#3395ff";
      Object.assign(frame.style, FRAME, {
        border: "0",
        borderTop: `4px solid ${accent}`,
      });
      frame.addEventListener("load", () => frame.focus());
      overlay.append(frame);
      this.#overlay = overlay;
      this.#frame = frame;
      this.#focused = document.activeElement;
      window.addEventListener("message", this.#onMessage);
      window.addEventListener("keydown", this.#onKey);
      document.body.style.overflow = "hidden";
      document.body.append(overlay);
    }

    close() {
      window.removeEventListener("message", this.#onMessage);
      window.removeEventListener("keydown", this.#onKey);
      this.#overlay?.remove();
      this.#overlay = null;
      document.body.style.overflow = "";
      this.#focused?.focus();
    }

    #dismiss() {
      this.close();
      this.#options.modal?.ondismiss?.();
    }

    #receive({ type, response, error }) {
      const { handler, retry } = this.#options;
      if (type === "cancel") this.#dismiss();
      if (type === "escape") this.#onKey({ key: "Escape" });
      if (type === "success") {
        this.close();
        handler(response);
      }
      if (type === "failed") {
        for (const listener of this.#listeners) listener({ error });
        if (retry === false || retry?.enabled === false) this.#dismiss();
      }
    }
  };
})();
