/** A calendar under pressure, as visitors, the owner and the operator see it. */
import { beforeAll, expect, it } from "vitest";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { addDays, formatClock, instantOf } from "#app/model/dates.ts";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, ROHAN, wish } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const TODAY = "2027-03-01";
const MINUTE = 60_000;
const METRICS_TOKEN = "a-token-of-tests";

/** A morning in India; the test moves it on. */
let clock = instantOf(TODAY, "06:00");
const app = sharedApp({
  now: () => clock,
  env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: "fly-client-ip", METRICS_TOKEN },
});
let desk: () => Promise<string>;
beforeAll(async () => {
  const admin = await adminOf(app);
  const session = await admin("/session", { method: "POST" });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  desk = async () => {
    const page = await fetch(`${app.origin}/admin`, { headers: { Cookie: cookie } });
    return (await page.text()).replaceAll("<!-- -->", "");
  };
});

const book = (address: string, day: number, timeSlot: string) =>
  app.api("/api/appointments", {
    json: wish({ date: addDays(TODAY, day), timeSlot }),
    headers: { "Fly-Client-IP": address },
  });

it("shows its true times everywhere, tells the owner, and ends by itself", async () => {
  await bookAndPay(app, { counselor: ROHAN, date: addDays(TODAY, 3), timeSlot: "10:00" });
  expect(await desk()).not.toContain("is under pressure");
  for (const day of [0, 1, 2]) {
    for (const timeSlot of DEFAULT_TIMES) {
      const booked = await book(`198.51.100.${day}`, day, timeSlot);
      expect(booked.httpStatus).toBe(201);
    }
  }
  // 18 of 42 are held: the 15th was the first beyond a third.
  const { data } = await book("203.0.113.9", 5, "10:00");
  expect(Date.parse(data.payBefore)).toBe(clock + 5 * MINUTE);
  expect(Date.parse(data.holdUntil)).toBe(clock + 20 * MINUTE);
  const order = await app.api("/api/payments/create-order", { json: { appointmentId: data.id } });
  expect(order.data.payBefore).toBe(data.payBefore);
  const page = await (await fetch(`${app.origin}/booking/${data.id}`)).text();
  expect(page).toContain(formatClock(clock + 5 * MINUTE));
  expect(page).not.toContain(formatClock(clock + 15 * MINUTE));

  const mails = await app.sandbox.mailbox.waitFor({ to: "hello@captains.example" });
  expect(mails.map(({ subject }) => subject)).toEqual([
    expect.stringContaining("Unusually many unpaid bookings"),
  ]);

  const html = await desk();
  expect(html).toContain("Needs you");
  expect(html).toContain("1 calendar is under pressure");
  expect(html).toContain(`${ASHA}: 19 of 42 times of the next seven days are held unpaid`);
  expect(html).not.toContain(`${ROHAN}: `);
  const links = [...html.matchAll(/href="(\/admin[^"]*)"/g)].map(([, to]) =>
    to!.replaceAll("&amp;", "&"),
  );
  const name = ASHA.replaceAll(" ", "+");
  expect(links).toContain(
    `/admin?counselor=${name}&status=pending_payment&startDate=${TODAY}&endDate=${addDays(TODAY, 7)}#appointments`,
  );

  const metrics = async () => (await app.api("/metrics", { token: METRICS_TOKEN })).text;
  expect(await metrics()).toContain('times_taken{kind="unpaid_hold"} 19');
  expect(await metrics()).toContain('times_taken{kind="paid"} 1');

  clock += 31 * MINUTE;
  expect(await desk()).not.toContain("is under pressure");
  expect(await metrics()).toContain('times_taken{kind="unpaid_hold"} 0');
  const after = await book("203.0.113.9", 6, "10:00");
  expect(Date.parse(after.data.payBefore)).toBe(clock + 15 * MINUTE);

  clock += 90 * 24 * 60 * MINUTE;
  expect(await metrics()).toContain('times_taken{kind="paid"} 0');
});
