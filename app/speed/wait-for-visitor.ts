/** The inline script of a page whose scripts are delayed, and the hook that ends its work. */
import { useEffect, useState } from "react";
import type { OFFLINE_WORDS } from "#app/model/wording.ts";

/** The window's event once React's handlers are in place. */
export const ALIVE = "page-alive";

/**
 * Runs in the browser from its source text, so it uses nothing from outside. Loads the scripts at the
 * first touch, key or focus, when the form comes into view, or if the browser has restored entries
 * (after Back). A click before they have loaded is repeated then; if they do not load although the
 * server answers, the form is submitted as without scripts.
 */
export function waitForVisitor(
  files: string[],
  { alive, words }: { alive: string; words: typeof OFFLINE_WORDS },
  load: () => Promise<unknown>,
): void {
  const longestWaitMs = 4_000;
  const askAgainMs = 3_000;
  const capture = true;
  // Shown only while no scripts are loading, so that they find the page as it was sent.
  const note = document.createElement("p");
  note.className = "basis-full p-2 text-sm font-semibold";
  note.setAttribute("role", "alert");
  let begun = false;
  let clicked: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(): void {
    if (begun) return;
    if (!navigator.onLine) {
      wait(words.waiting);
      return;
    }
    note.remove();
    begun = true;
    for (const href of files) {
      const link = document.createElement("link");
      document.head.append(Object.assign(link, { rel: "modulepreload", href }));
    }
    load().catch(async () => {
      begun = false;
      const { ok } = await fetch("/health").catch(() => ({ ok: false }));
      // Begun again meanwhile, by a key or a click.
      if (begun) return;
      if (ok) {
        goPlain();
        return;
      }
      wait(navigator.onLine ? words.unanswered : words.waiting);
      if (navigator.onLine) setTimeout(begin, askAgainMs);
    });
  }

  function wait(why: string): void {
    clearTimeout(timer);
    addEventListener("online", begin, { once: true });
    if (!clicked || isCaptain(clicked)) return;
    // Enter in a field clicks a hidden button.
    const place = clicked.hidden ? document.activeElement : clicked;
    place?.after(note);
    note.textContent = why;
  }

  function goPlain(): void {
    const target = clicked;
    release();
    if (target instanceof HTMLButtonElement) target.form?.requestSubmit(target);
  }

  /** Keeps the latest click. A captain's button leads to the form at once, and chooses later. */
  function keep(event: MouseEvent): void {
    const target = (event.target as Element).closest<HTMLElement>("[type=submit]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    release();
    clicked = target;
    begin();
    event.preventDefault();
    if (isCaptain(target)) {
      location.assign("#book");
      return;
    }
    event.stopImmediatePropagation();
    target.setAttribute("aria-busy", "true");
    if (begun) timer = setTimeout(() => navigator.onLine && goPlain(), longestWaitMs);
  }

  function isCaptain(target: HTMLElement | null): boolean {
    return target?.getAttribute("name") === "captain";
  }

  function release(): void {
    clearTimeout(timer);
    note.remove();
    clicked?.removeAttribute("aria-busy");
    clicked = null;
  }

  /** The button, or its like on a page that was drawn anew because it had been altered. */
  function sameNow(target: HTMLElement): HTMLElement | undefined {
    if (target.isConnected || !(target instanceof HTMLButtonElement)) return target;
    const buttons = [...document.querySelectorAll<HTMLButtonElement>("[type=submit]")];
    return buttons.find(({ name, value }) => name === target.name && value === target.value);
  }

  function beginIfFilled(): void {
    const fields = document.querySelectorAll<HTMLInputElement>("#booking input:not([type=hidden])");
    const isFilled = [...fields].some(
      ({ type, checked, defaultChecked, value, defaultValue }) =>
        checked !== defaultChecked || (type !== "checkbox" && value !== defaultValue),
    );
    if (isFilled) begin();
  }

  for (const type of ["pointerdown", "keydown", "focusin"]) {
    addEventListener(type, begin, { capture, passive: true });
  }
  addEventListener("click", keep, capture);
  // A choice made in the form replaces the captain clicked before.
  addEventListener("input", () => isCaptain(clicked) && release(), capture);
  addEventListener("pageshow", beginIfFilled);
  beginIfFilled();
  const form = document.getElementById("book");
  const inSight = new IntersectionObserver(
    (looks) => looks.some((at) => at.isIntersecting) && begin(),
  );
  if (form) inSight.observe(form);
  addEventListener(
    alive,
    () => {
      removeEventListener("click", keep, capture);
      inSight.disconnect();
      const target = clicked && sameNow(clicked);
      release();
      target?.click();
    },
    { once: true },
  );
}

/** To be called by the page. Sends the event after the second render, which knows earlier entries. */
export function useTellAlive(): void {
  const [isRendered, setRendered] = useState(false);
  useEffect(() => {
    if (isRendered) dispatchEvent(new Event(ALIVE));
    else setRendered(true);
  }, [isRendered]);
}
