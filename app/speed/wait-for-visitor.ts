/** What stands in a page whose scripts are late, and how the page says that they have taken it over. */
import { useEffect, useState } from "react";

/** The window's event once the page's own handlers answer. */
export const ALIVE = "page-alive";

/**
 * Runs in the browser from its own text, so it uses nothing from outside. Loads the scripts at the
 * first touch, key or focus, when the form comes near, or when something was put back into it (after
 * Back). A button that is pressed before they are there is pressed again then; if they do not
 * come, its form is sent as it is without scripts.
 */
export function waitForVisitor(files: string[], alive: string, load: () => Promise<unknown>): void {
  const longestWaitMs = 4_000;
  const capture = true;
  let begun = false;
  let pressed: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(): void {
    if (begun) return;
    begun = true;
    if (!navigator.onLine) {
      begun = false;
      addEventListener("online", begin, { once: true });
      return;
    }
    for (const href of files) {
      const link = document.createElement("link");
      document.head.append(Object.assign(link, { rel: "modulepreload", href }));
    }
    load().catch(() => {
      begun = false;
      sendPlain();
    });
  }

  function sendPlain(): void {
    const button = pressed;
    if (!(button instanceof HTMLButtonElement) || !navigator.onLine) return;
    release();
    button.form?.requestSubmit(button);
  }

  /** The latest press; a link is followed at once, and what it chooses is chosen later. */
  function keep(event: MouseEvent): void {
    const target = (event.target as Element).closest<HTMLElement>('a[href="#book"],[type=submit]');
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    begin();
    release();
    pressed = target;
    if (target.localName === "a") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    target.setAttribute("aria-busy", "true");
    timer = setTimeout(sendPlain, longestWaitMs);
  }

  function release(): void {
    clearTimeout(timer);
    pressed?.removeAttribute("aria-busy");
    pressed = null;
  }

  function beginIfFilled(): void {
    const fields = document.querySelectorAll<HTMLInputElement>("#booking input:not([type=hidden])");
    const isFilled = [...fields].some((field) =>
      field.type === "checkbox" || field.type === "radio"
        ? field.checked !== field.defaultChecked
        : field.value !== field.defaultValue,
    );
    if (isFilled) begin();
  }

  for (const type of ["pointerdown", "keydown", "focusin"]) {
    addEventListener(type, begin, { capture, passive: true });
  }
  addEventListener("click", keep, capture);
  // Who goes on to choose by hand means that, and not the captain of the link before.
  addEventListener("input", () => pressed?.localName === "a" && release(), capture);
  addEventListener("pageshow", beginIfFilled);
  beginIfFilled();
  const form = document.getElementById("book");
  const near = new IntersectionObserver(
    (looks) => looks.some((at) => at.isIntersecting) && begin(),
    {
      rootMargin: "400px 0px",
    },
  );
  if (form) near.observe(form);
  addEventListener(
    alive,
    () => {
      removeEventListener("click", keep, capture);
      near.disconnect();
      const target = pressed;
      release();
      if (target?.localName === "a") {
        target.addEventListener("click", (event) => event.preventDefault(), { once: true });
      }
      target?.click();
    },
    { once: true },
  );
}

/** To be called by the page: tells it a render after the first, which knows what was entered before. */
export function useTellAlive(): void {
  const [isRendered, setRendered] = useState(false);
  useEffect(() => {
    if (isRendered) dispatchEvent(new Event(ALIVE));
    else setRendered(true);
  }, [isRendered]);
}
