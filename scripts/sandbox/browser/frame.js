/* Inside the payment window: the form goes to this origin's server, the result to the page that opened the window. */
(() => {
  const form = document.querySelector("form[data-parent]");
  const notice = document.querySelector("[data-notice]");
  const buttons = [...form.querySelectorAll("button")];
  const notifyParent = (message) => window.parent.postMessage(message, form.dataset.parent);
  let busy = false;

  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape") notifyParent({ type: "escape" });
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    if (body.get("action") === "cancel") notifyParent({ type: "cancel" });
    if (busy || body.get("action") === "cancel") return;
    busy = true;
    notice.textContent = "Working…";
    try {
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body });
      show(await answer.json());
    } catch {
      notice.textContent = "The payment service did not answer. Try again.";
    }
    busy = false;
  });

  function show({ notice: words, response, error, over }) {
    notice.textContent = words;
    if (response) notifyParent({ type: "success", response });
    if (error) notifyParent({ type: "failed", error });
    for (const button of buttons) button.disabled = over === true && button.value !== "cancel";
  }

  for (const button of buttons) button.disabled = false;
})();
