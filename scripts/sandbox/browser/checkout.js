/* Stand-in for the provider's browser script. The window is an iframe from this script's origin. */
(() => {
  const ORIGIN = new URL(document.currentScript.src).origin;
  let serial = 0;

  function fault(message) {
    throw new Error(message);
  }

  function checkOptions(options) {
    if (typeof options !== "object" || options === null) fault("Razorpay: options are missing");
    if (!options.key || typeof options.key !== "string") fault("No key passed");
    if (options.amount === undefined || options.amount === null || options.amount === "") {
      fault("Razorpay: amount is required");
    }
    if (!/^\d+$/.test(String(options.amount)))
      fault("Razorpay: amount must be an integer in paise");
    if (Number(options.amount) < 100) fault("Razorpay: amount must be at least 100");
    if (options.currency !== undefined && !/^[A-Z]{3}$/.test(String(options.currency))) {
      fault("Razorpay: currency is not valid");
    }
    if (options.description && !/^[A-Za-z0-9]/.test(options.description)) {
      fault("Razorpay: description must begin with a letter or digit");
    }
    if (options.notes && Object.keys(options.notes).length > 15) {
      fault("Razorpay: at most 15 notes are allowed");
    }
    if (options.handler !== undefined && typeof options.handler !== "function") {
      fault("Razorpay: handler must be a function");
    }
    if (options.callback_url && !/^https?:/.test(options.callback_url)) {
      fault("Razorpay: callback_url must be an absolute address");
    }
    if (options.timeout !== undefined && !(Number(options.timeout) > 0)) {
      fault("Razorpay: timeout must be a number of seconds");
    }
  }

  function frameAddress(options) {
    const url = new URL("/v1/checkout/frame", ORIGIN);
    const prefill = options.prefill || {};
    const fields = {
      key_id: options.key,
      order_id: options.order_id,
      amount: options.amount,
      currency: options.currency || "INR",
      name: options.name,
      description: options.description,
      callback_url: options.handler ? undefined : options.callback_url,
      parent: location.origin,
      retry: retryAllowed(options) ? "1" : "0",
    };
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    for (const name of ["name", "email", "contact", "method"]) {
      if (prefill[name]) url.searchParams.set(`prefill[${name}]`, String(prefill[name]));
    }
    for (const [name, value] of Object.entries(options.notes || {})) {
      url.searchParams.set(`notes[${name}]`, String(value));
    }
    return url.href;
  }

  function retryAllowed(options) {
    if (options.retry === false) return false;
    return !(options.retry && options.retry.enabled === false);
  }

  /** Styles are set through the object model: a strict policy of the page forbids style attributes. */
  function overlayFor(address, accent) {
    const overlay = document.createElement("div");
    overlay.className = "razorpay-container";
    overlay.setAttribute("role", "dialog");
    overlay.setAttribute("aria-modal", "true");
    overlay.setAttribute("aria-label", "Payment");
    Object.assign(overlay.style, {
      position: "fixed",
      inset: "0",
      zIndex: "2147483647",
      background: "rgba(0, 0, 0, 0.6)",
      display: "flex",
      alignItems: "center",
      justifyContent: "center",
    });
    const frame = document.createElement("iframe");
    serial += 1;
    frame.className = "razorpay-checkout-frame";
    frame.name = `razorpay-${serial}`;
    frame.title = "Payment window (sandbox)";
    frame.src = address;
    Object.assign(frame.style, {
      border: "0",
      borderTop: `4px solid ${accent}`,
      width: "min(440px, 100vw)",
      height: "min(720px, 100vh)",
      background: "#fff",
    });
    overlay.append(frame);
    return { overlay, frame };
  }

  /** The browser carries the answer to the callback address as a plain form post of the page. */
  function postForm(action, fields) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = action;
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  function errorFields(error) {
    const fields = {};
    for (const name of ["code", "description", "source", "step", "reason"]) {
      fields[`error[${name}]`] = String(error[name]);
    }
    fields["error[metadata]"] = JSON.stringify(error.metadata);
    return fields;
  }

  class Razorpay {
    #options;
    #listeners = new Map();
    #overlay = null;
    #frame = null;
    #timer = 0;
    #focused = null;
    #scroll = "";
    #onMessage = (event) => this.#receive(event);
    #onKey = (event) => {
      if (event.key === "Escape" && this.#modal().escape !== false) this.#askDismiss();
    };

    constructor(options) {
      checkOptions(options);
      this.#options = options;
    }

    on(name, listener) {
      if (typeof listener !== "function") fault("Razorpay: listener must be a function");
      const list = this.#listeners.get(name) || [];
      this.#listeners.set(name, [...list, listener]);
      return this;
    }

    open() {
      if (this.#overlay) return this;
      const accent = this.#options.theme?.color || "#3395ff";
      const { overlay, frame } = overlayFor(frameAddress(this.#options), accent);
      this.#overlay = overlay;
      this.#frame = frame;
      this.#focused = document.activeElement;
      this.#scroll = document.body.style.overflow;
      document.body.style.overflow = "hidden";
      window.addEventListener("message", this.#onMessage);
      window.addEventListener("keydown", this.#onKey);
      overlay.addEventListener("click", (event) => {
        if (event.target === overlay && this.#modal().backdropclose === true) this.#askDismiss();
      });
      frame.addEventListener("load", () => frame.focus());
      document.body.append(overlay);
      if (this.#options.timeout) {
        this.#timer = setTimeout(() => this.#dismiss(), Number(this.#options.timeout) * 1000);
      }
      return this;
    }

    close() {
      if (!this.#overlay) return;
      clearTimeout(this.#timer);
      window.removeEventListener("message", this.#onMessage);
      window.removeEventListener("keydown", this.#onKey);
      this.#overlay.remove();
      this.#overlay = null;
      this.#frame = null;
      document.body.style.overflow = this.#scroll;
      if (this.#focused?.focus) this.#focused.focus();
    }

    #modal() {
      return this.#options.modal || {};
    }

    #emit(name, value) {
      for (const listener of this.#listeners.get(name) || []) listener(value);
    }

    #askDismiss() {
      if (this.#modal().confirm_close && !window.confirm("Do you want to cancel this payment?")) {
        return;
      }
      this.#dismiss();
    }

    #dismiss() {
      if (!this.#overlay) return;
      this.close();
      const { ondismiss } = this.#modal();
      if (typeof ondismiss === "function") ondismiss();
    }

    #receive(event) {
      if (event.origin !== ORIGIN || !this.#frame || event.source !== this.#frame.contentWindow) {
        return;
      }
      const message = event.data || {};
      if (message.type === "submit") this.#emit("payment.submit", { method: message.method });
      if (message.type === "escape" && this.#modal().escape !== false) this.#askDismiss();
      if (message.type === "cancel") this.#askDismiss();
      if (message.type === "success") this.#succeed(message);
      if (message.type === "failed") this.#fail(message.error);
    }

    #succeed({ response, twice }) {
      const { handler, callback_url: callback } = this.#options;
      this.close();
      if (handler) {
        handler({ ...response });
        if (twice) handler({ ...response });
      } else if (callback) {
        postForm(callback, response);
      }
    }

    #fail(error) {
      const { handler, callback_url: callback, redirect } = this.#options;
      this.#emit("payment.failed", { error });
      if (!handler && callback && redirect) {
        this.close();
        postForm(callback, errorFields(error));
      } else if (!retryAllowed(this.#options)) {
        this.#dismiss();
      }
    }
  }

  window.Razorpay = Razorpay;
})();
