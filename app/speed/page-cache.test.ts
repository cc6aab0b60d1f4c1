import { expect, it } from "vitest";
import { setBlocks } from "#app/availability/set-availability.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { PageCache } from "./page-cache.ts";

const test = freshDeps();

function changeOffer(timeSlot: string): void {
  const block = { counselorKey: "asha", dates: [dayAhead(9)], timeSlots: [timeSlot] };
  expect(setBlocks(test.deps, ADMIN_ACTOR, { ...block, action: "block" }).ok).toBe(true);
}

it("renders a page once for all who wait, and gives it to nobody once the offer has changed", async () => {
  const pages = new PageCache(test.deps);
  let rendered = 0;
  const first = Promise.withResolvers<void>();
  const render = async () => {
    const text = `page ${++rendered}`;
    if (rendered === 1) await first.promise;
    return new Response(text);
  };
  const textOf = async (page: ReturnType<PageCache["read"]>) =>
    (await page)?.bodies.identity.toString();
  const waiting = [pages.read("", render), pages.read("", render)];
  changeOffer("10:00");
  expect(await textOf(pages.read("", render))).toBe("page 2");
  first.resolve();
  expect(await Promise.all(waiting.map(textOf))).toEqual(["page 1", "page 1"]);
  expect(pages.find("")?.bodies.identity.toString()).toBe("page 2");
  changeOffer("11:00");
  expect(pages.find("")).toBeNull();
});

it("tries again what could not be rendered, and keeps no refusal and no cookie", async () => {
  const pages = new PageCache(test.deps);
  await expect(pages.read("", () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
  const cookie = { headers: { "Set-Cookie": "a=b" } };
  for (const init of [{ status: 503 }, cookie]) {
    expect(await pages.read("", async () => new Response("x", init))).toBeNull();
    expect(pages.find("")).toBeNull();
  }
  expect(await pages.read("", async () => new Response("whole"))).toMatchObject({
    bodies: { identity: Buffer.from("whole") },
  });
});
