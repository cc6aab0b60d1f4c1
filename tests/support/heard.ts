/** What a screen reader is told of a page. */
import type { Page } from "@playwright/test";

interface Said {
  text: string;
  /** The region that says it is in an open dialog. */
  inDialog: boolean;
}

/** Collects what live regions come to say from now on; each says a thing once until it changes. */
export async function listen(page: Page) {
  await page.evaluate(() => {
    const heard: Said[] = [];
    const last = new Map<Element, string>();
    const read = () => {
      for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
        if (region.matches("[aria-live=off]")) continue;
        const text = (region.textContent ?? "").trim();
        const inDialog = region.closest("dialog[open]") !== null;
        if (text && last.get(region) !== text) heard.push({ text, inDialog });
        last.set(region, text);
      }
    };
    read();
    heard.length = 0;
    const changes = { subtree: true, childList: true, characterData: true };
    new MutationObserver(read).observe(document, changes);
    Object.assign(window, { heard });
  });
  const said = () => page.evaluate(() => (window as unknown as { heard: Said[] }).heard);
  return { said, texts: async () => (await said()).map(({ text }) => text) };
}
