/* Inside the payment window: presses go to this origin's server, the result goes to the page that opened it. */
(() => {
  const form = document.querySelector("form[data-parent]");
  const notice = document.querySelector("[data-notice]");
  if (!form) return;
  const parent = form.dataset.parent;
  const tell = (message) => window.parent.postMessage(message, parent);

  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tell({ type: "escape" });
  });

  let busy = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    const action = event.submitter ? event.submitter.value : "pay";
    if (action === "cancel") {
      tell({ type: "cancel" });
      return;
    }
    const body = new URLSearchParams(new FormData(form));
    body.set("action", action);
    busy = true;
    notice.textContent = "Working…";
    tell({ type: "submit", method: body.get("method") });
    try {
      const answer = await fetch("/v1/checkout/pay", { method: "POST", body });
      show(await answer.json());
    } catch {
      notice.textContent = "The payment service did not answer. Try again.";
    } finally {
      busy = false;
    }
  });

  // Off in the HTML: pressed before this script they would post the form.
  for (const button of form.querySelectorAll("button")) button.disabled = false;

  function show(result) {
    notice.textContent = result.notice;
    if (result.result === "success") {
      tell({ type: "success", response: result.response, twice: result.twice });
    } else if (result.result === "failed") {
      tell({ type: "failed", error: result.error });
    } else if (result.result === "silent") {
      for (const button of form.querySelectorAll("button")) {
        if (button.value !== "cancel") button.disabled = true;
      }
    }
  }
})();
