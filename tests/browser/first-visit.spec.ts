/** What a first visit of the booking page costs on the wire, and that it stands still. */
import { expect, test } from "./fixtures.ts";

/** Bytes on the wire, heads of the answers included. */
const HTML_AND_CSS = 30_000;
const WITH_SCRIPTS = 140_000;

test("stays within its budget, asks nobody else, and nothing moves", async ({ page, app }) => {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  const foreign: string[] = [];
  wire.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    kinds.set(requestId, type ?? "Other");
    if (!/^(data|blob):/.test(request.url) && new URL(request.url).origin !== app.origin)
      foreign.push(request.url);
  });
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)!;
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as LayoutShift).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/", { waitUntil: "networkidle" });
  // What loads by itself only after a while would count too.
  await page.waitForLoadState("networkidle");
  const of = (kind: string) => bytes.get(kind) ?? 0;
  const first = of("Document") + of("Stylesheet");
  console.log(`first visit: ${first} bytes of HTML and CSS, ${of("Script")} of scripts`);
  expect(of("Document")).toBeGreaterThan(5_000);
  expect(of("Script")).toBeGreaterThan(50_000);
  expect(first).toBeLessThanOrEqual(HTML_AND_CSS);
  expect(first + of("Script")).toBeLessThanOrEqual(WITH_SCRIPTS);
  expect(foreign).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

interface LayoutShift extends PerformanceEntry {
  value: number;
}
