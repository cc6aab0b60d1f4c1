/** The booking's page as a pass: printed, small, without colours, and into a calendar. */
import { sessionTimeOf } from "#app/model/day-plan.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { expect } from "./fixtures.ts";
import { test, visit } from "./stage.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("one press puts the session into a calendar, which learns no address", async ({
  page,
  noJsPage,
  app,
  scenes,
}) => {
  const scene = scenes.find(({ name }) => name === "booking-confirmed")!;
  const id = scene.path.split("/").at(-1)!;
  const [row] = app.db.allRaw<{ on_date: string; email: string; phone: string; name: string }>(
    "SELECT * FROM appointment WHERE id = ?",
    [id],
  );
  const time = { counselorKey: "", date: row!.on_date, timeSlot: "11:00", minutes: 45 };
  const { startsAt, endsAt } = sessionTimeOf(time);
  const [start, end] = [startsAt, endsAt].map((at) =>
    new Date(at).toISOString().replace(".000", ""),
  );
  const bare = (text = "") => text.replace(/[-:]/g, "");
  for (const visitor of [page, noJsPage]) {
    const asked: { url: URL; referer: string | undefined }[] = [];
    await visitor.context().route(/google\.com|live\.com/, async (route) => {
      const request = route.request();
      const { referer } = await request.allHeaders();
      asked.push({ url: new URL(request.url()), referer });
      await route.fulfill({ body: "calendar" });
    });
    await visit(visitor, app, scene);
    for (const name of [/^Google Calendar/, /^Outlook Calendar/]) {
      const opened = visitor.context().waitForEvent("page");
      await visitor.getByRole("link", { name }).click();
      await (await opened).close();
    }
    const [google, outlook] = asked;
    expect(google!.url.searchParams.get("dates")).toBe(`${bare(start)}/${bare(end)}`);
    expect(outlook!.url.searchParams.get("startdt")).toBe(start);
    expect(outlook!.url.searchParams.get("enddt")).toBe(end);
    for (const { url, referer } of asked) {
      expect(decodeURIComponent(url.href)).toContain("session with Capt. Asha Sample");
      expect(referer).toBeUndefined();
      for (const secret of [id, id.slice(-8), row!.email, row!.phone, row!.name, app.origin]) {
        expect(decodeURIComponent(url.href)).not.toContain(secret);
      }
    }
    const download = visitor.waitForEvent("download");
    await visitor.getByRole("link", { name: /^File/ }).click();
    expect((await download).suggestedFilename()).toBe("session.ics");
  }
});

test("stands still when it is loaded again", async ({ page, app, scenes }) => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & {
        sources: { node: Element | null }[];
      })[])
        moved.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 99) ?? ""));
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const name of ["booking-held", "booking-checking", "booking-confirmed"]) {
    await visit(page, app, scenes.find((scene) => scene.name === name)!);
    await page.reload();
    if (name === "booking-held") await expect(page.getByRole("timer")).toHaveText(/left$/);
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
  }
});

test("prints on one sheet: the pass, and nothing to press", async ({ page, app, scenes }) => {
  for (const scene of scenes.filter(({ name }) => name.startsWith("booking-"))) {
    await visit(page, app, scene);
    const sheet = await page.pdf({ format: "A4" });
    const pages = sheet.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g);
    expect(pages, scene.name).toHaveLength(1);
    const text = await pdfText(sheet);
    for (const part of ["Session pass", "Departs", "Booking no.", "₹"]) {
      expect(text, scene.name).toContain(part);
    }
    expect(text, scene.name).not.toMatch(/Download|Pay ₹|Move the session|Find your booking/);
  }
});

test("cuts nothing off at a zoom of 400 % or in large text", async ({ page, app, scenes }) => {
  for (const scene of scenes.filter(({ name }) => name.startsWith("booking-"))) {
    await page.setViewportSize({ width: 320, height: 256 });
    await visit(page, app, scene);
    for (const size of ["100%", "200%"]) {
      const cut = await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
        const edge = document.querySelector(".pass")!.getBoundingClientRect();
        // The punched half circles and the turned stamp reach over their own boxes, not over the pass.
        return [...document.querySelectorAll<HTMLElement>(".pass dt, .pass dd, .stamp")]
          .filter((one) => !one.matches(".sr-only"))
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          .concat(
            [...document.querySelectorAll<HTMLElement>(".pass dd, .stamp")].filter(
              (one) => one.getBoundingClientRect().right > edge.right,
            ),
          )
          .map((one) => one.textContent);
      }, size);
      expect.soft(cut, `${scene.name}, ${size}`).toEqual([]);
    }
  }
});

test("keeps its edges where colours are the reader's own", async ({ page, app, scenes }) => {
  await page.emulateMedia({ forcedColors: "active" });
  for (const name of [
    "booking-held",
    "booking-checking",
    "booking-confirmed",
    "booking-cancelled",
  ]) {
    await visit(page, app, scenes.find((scene) => scene.name === name)!);
    const unseen = await page.evaluate(() => {
      const edged = [...document.querySelectorAll("main .button, .stamp, .stub, .pass > *")];
      return edged
        .filter((one) => {
          const { borderTopColor, borderLeftColor, borderTopStyle, borderLeftStyle } =
            getComputedStyle(one);
          const ground = getComputedStyle(document.body).backgroundColor;
          const top = borderTopStyle !== "none" && borderTopColor !== ground;
          const left = borderLeftStyle !== "none" && borderLeftColor !== ground;
          return !top && !left;
        })
        .map((one) => one.outerHTML.slice(0, 100));
    });
    expect.soft(unseen, name).toEqual([]);
  }
});
