/** The call and the page of insights: what they say, and what they refuse. */
import { beforeAll, describe, expect, it } from "vitest";
import { monthOf } from "#app/model/month.ts";
import { book, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
let date: string;
beforeAll(async () => {
  date = dayAhead(15);
  await bookAndPay(app, { date, package: 60, packagePrice: 1499 });
  await book(app, { date, counselor: ROHAN, timeSlot: "15:00" });
  const { id } = await bookAndPay(app, { date, counselor: ROHAN, timeSlot: "11:00" });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
});

const ask = (query: Record<string, string>) => admin(`/insights?${new URLSearchParams(query)}`);
const pageAt = (search: string) =>
  admin.page(`/admin/insights${search}`, { headers: { Accept: "text/html" } });

const NONE = {
  booked: 0,
  paid: 0,
  cancelled: 0,
  completed: 0,
  noShow: 0,
  revenue: 0,
  refunded: 0,
  takenBack: 0,
};
const PAID = { ...NONE, booked: 1, paid: 1, revenue: 1769 };
const OTHERS = { ...NONE, booked: 2, cancelled: 1, refunded: 1179 };
const ALL = { ...NONE, booked: 3, paid: 1, cancelled: 1, revenue: 1769, refunded: 1179 };

describe("GET /api/admin/insights", () => {
  it("says the figures of each month, captain and package, in rupees", async () => {
    const { from, to, value } = monthOf(date);
    const { status, data } = await ask({ from, to });
    expect(status).toBe(200);
    expect(data).toEqual({
      months: [{ month: value, ...ALL }],
      byCounselor: [
        { counselor: ASHA, ...PAID },
        { counselor: ROHAN, ...OTHERS },
      ],
      byPackage: [
        { package: 30, ...OTHERS },
        { package: 45, ...NONE },
        { package: 60, ...PAID },
      ],
      leadDays: [{ days: expect.any(Number), count: 1 }],
    });
    // The day may have turned since.
    expect([14, 15]).toContain(data.leadDays[0].days);
  });

  it("is of one captain by name, also by a former name", async () => {
    app.db.runRaw("INSERT INTO counselor_name (name, counselor_key) VALUES ('Old Rohan', 'rohan')");
    const { data } = await ask({ from: date, to: date, counselor: "Old Rohan" });
    expect(data.byCounselor).toEqual([{ counselor: ROHAN, ...OTHERS }]);
    expect(data.months).toEqual([{ month: date.slice(0, 7), ...OTHERS }]);
    expect(data.leadDays).toEqual([]);
  });
});

describe("refusals", () => {
  it.each([
    [{ to: "2026-11-01" }, "from"],
    [{ from: "2026-11-01", to: "tomorrow" }, "to"],
    [{ from: "2026-11-02", to: "2026-11-01" }, "to"],
    [{ from: "2016-11-01", to: "2026-11-01" }, "to"],
    [{ from: "1999-12-31", to: "2005-11-01" }, "from"],
    [{ from: "2099-12-31", to: "2100-01-01" }, "to"],
    [{ from: "2026-11-01", to: "2026-11-01", counselor: "Nobody" }, "counselor"],
  ])("%j names %s, as a call and as a page with its form", async (query, field) => {
    const answer = await ask(query as unknown as Record<string, string>);
    expect([answer.status, answer.code]).toEqual([400, "validation_failed"]);
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);

    const page = await pageAt(
      `?${new URLSearchParams(query as unknown as Record<string, string>)}`,
    );
    expect(page.status).toBe(400);
    expect(page.text).toContain(answer.message);
    expect(page.text).toMatch(
      new RegExp(`<(input|select)(?=[^>]*name="${field}")[^>]*aria-invalid`),
    );
    for (const value of Object.values(query).filter((one) => one !== "Nobody")) {
      expect(page.text).toContain(`value="${value}"`);
    }
    expect(page.text).not.toContain("<svg role");
  });
});

describe("the page", () => {
  const plots = (text: string) => text.match(/<svg role="img" aria-label="[^"]{20,}"/g) ?? [];
  const openTables = (text: string) => text.match(/<details class="plot-table[^>]* open=""/g) ?? [];

  it("shows one month alone by its numbers, and no month by an empty plot", async () => {
    const one = (await pageAt(`?${new URLSearchParams({ from: date, to: date })}`)).text;
    expect(plots(one)).toHaveLength(2);
    expect(openTables(one)).toHaveLength(2);
    const none = (await pageAt("?from=2020-01-01&to=2020-02-29")).text;
    expect(plots(none)).toHaveLength(0);
    expect(none).toContain("No session stands in this range.");
    expect(none).not.toContain("with the first bookings");
    expect(openTables(none)).toHaveLength(4);
  });

  it("draws four plots with a text each, and no style of its own", async () => {
    const later = (await bookAndPay(app, { date: dayAhead(50), counselor: ROHAN })).id;
    const to = dayAhead(89);
    const { status, text } = await pageAt(`?${new URLSearchParams({ from: date, to })}`);
    await admin(`/appointments/${later}`, { method: "DELETE" });
    expect(status).toBe(200);
    expect(plots(text)).toHaveLength(4);
    expect(openTables(text)).toHaveLength(0);
    expect(text).not.toMatch(/<main[\s\S]*\sstyle=/);
    expect(text).toContain("No figure of five or more sessions changed compared with");
  });

  it("is of the captain asked for, in every link", async () => {
    const { text } = await pageAt(
      `?${new URLSearchParams({ from: date, to: date, counselor: ROHAN })}`,
    );
    const links = [...text.matchAll(/href="(\/admin\?[^"]*#[^"]*)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(40);
    for (const link of links)
      expect(link).toContain(`counselor=${new URLSearchParams({ n: ROHAN }).toString().slice(2)}`);
  });
});
