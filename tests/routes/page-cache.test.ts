/** The first page and the times of a day are kept until what they say changes. */
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, dateInIndia, formatSlot, instantOf } from "#app/model/dates.ts";
import { book } from "#tests/support/admin.ts";
import { ASHA, addBlock, bookingBody } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

/** A morning in India, so that the day's first time is still ahead. */
let clock = instantOf("2027-03-01", "06:00");
const now = () => clock;
const app = sharedApp({ now, env: { WORKER_INTERVAL_MS: "60000" } });

const fetchPage = (headers: Record<string, string> = {}) => fetch(`${app.origin}/`, { headers });

// The page names the earliest time of all captains: here one is left.
beforeAll(() => void app.db.runRaw("UPDATE counselor SET active = 0 WHERE key = 'rohan'"));

/** The captain's next free time as the page states it. */
async function nextTime(): Promise<{ time: string; date: string; etag: string }> {
  const response = await fetchPage();
  const html = await response.text();
  const date = dateInIndia(clock);
  const { data } = await app.api(
    `/api/availability?${new URLSearchParams({ counselor: ASHA, from: date, to: addDays(date, 1), package: "30" })}`,
  );
  const [first] = data.next as { date: string; timeSlot: string }[];
  expect(html).toContain(formatSlot(first!.timeSlot));
  return { time: first!.timeSlot, date: first!.date, etag: response.headers.get("etag") ?? "" };
}

describe("the page for an unknown visitor", () => {
  it("is the same until something changes, and 304 when it is known", async () => {
    const br = { "Accept-Encoding": "br" };
    const one = await fetchPage(br);
    const two = await fetchPage(br);
    expect(two.headers.get("etag")).toBe(one.headers.get("etag"));
    const again = await fetchPage({ ...br, "If-None-Match": one.headers.get("etag")! });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await fetch(`${app.origin}/`, { method: "HEAD", headers: br });
    expect([head.status, head.headers.get("etag")]).toEqual([200, one.headers.get("etag")]);
    expect(one.headers.get("content-encoding")).toBe("br");
    const plain = await fetchPage({ "Accept-Encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(await two.text());
  });

  it("changes with a booking, a block by another process, an ended hold and a new day", async () => {
    const fresh = await nextTime();
    expect(fresh.time).toBe("09:00");

    await book(app, { date: fresh.date, timeSlot: "09:00", package: 60 });
    const booked = await nextTime();
    expect(booked.time).toBe("10:00");
    expect(booked.etag).not.toBe(fresh.etag);

    // The test's own connection stands for another process.
    addBlock(app.db, "asha", fresh.date, "10:00");
    expect((await nextTime()).time).toBe("11:00");

    clock += 31 * 60_000;
    expect((await nextTime()).time).toBe("09:00");

    clock = instantOf(fresh.date, "08:00") + 1;
    expect((await nextTime()).time).toBe("11:00");

    clock = instantOf(addDays(fresh.date, 1), "00:00");
    expect(await nextTime()).toMatchObject({ time: "09:00", date: addDays(fresh.date, 1) });
  });

  it("is the same for a link with a query and for other programs' cookies", async () => {
    const { etag } = await nextTime();
    const tracked = await fetch(`${app.origin}/?utm_source=instagram&fbclid=abc`);
    const counted = await fetchPage({ cookie: "_ga=GA1.1.123.456" });
    expect([tracked.headers.get("etag"), counted.headers.get("etag")]).toEqual([etag, etag]);
    expect(await tracked.text()).not.toContain("instagram");
  });

  it("holds nothing of the visitor who holds a time", async () => {
    const json = bookingBody({ date: addDays(dateInIndia(clock), 3) });
    const booked = await app.api("/api/appointments", { json });
    const { cookie } = booked;
    const own = await (await fetchPage({ cookie })).text();
    expect(own).toContain(booked.data.id);
    const strangers = await fetchPage();
    expect(await strangers.text()).not.toContain(booked.data.id);
  });
});

describe("the times of a day, asked again under one address", () => {
  it("change with a booking, a block by another process, an ended hold and the notice", async () => {
    clock = instantOf("2027-03-08", "06:00");
    const query = new URLSearchParams({ counselor: ASHA, date: "2027-03-08", package: "30" });
    const times = async () =>
      (await app.api(`/api/slots?${query}`)).data.availableSlots as string[];
    const fresh = await times();
    expect(await times()).toEqual(fresh);
    const without = (...gone: string[]) => fresh.filter((time) => !gone.includes(time));
    await book(app, { date: "2027-03-08", timeSlot: "11:00" });
    expect(await times()).toEqual(without("11:00"));
    addBlock(app.db, "asha", "2027-03-08", "14:00");
    expect(await times()).toEqual(without("11:00", "14:00"));
    clock += 31 * 60_000;
    expect(await times()).toEqual(without("14:00"));
    clock = instantOf("2027-03-08", "08:00") + 1;
    expect(await times()).toEqual(without("09:00", "14:00"));
  });

  it("carry the same headers kept and made, and a refusal is never kept", async () => {
    const url = `${app.origin}/api/slots?${new URLSearchParams({ counselor: ASHA, date: "2027-03-12" })}`;
    const headersOf = async () => {
      const { headers } = await fetch(url);
      return [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
    };
    expect(await headersOf()).toEqual(await headersOf());
    const wrong = `${app.origin}/api/slots?date=never`;
    expect([(await fetch(wrong)).status, (await fetch(wrong)).status]).toEqual([400, 400]);
  });
});
