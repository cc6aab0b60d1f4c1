/** What the dashboard says before its list. */
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, DAY, dateInIndia, instantOf, MINUTE } from "#app/model/dates.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { readable } from "#tests/helpers/api-client.ts";
import { adminOf, bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { formsOf } from "#tests/support/filled-form.ts";
import { sharedApp } from "#tests/support/hooks.ts";

// Noon in India, so that a day has sessions over and to come.
let clock = instantOf(dateInIndia(Date.now()), "12:00");
const TODAY = dateInIndia(clock);

const app = sharedApp({ now: () => clock });

/** Signed in anew each time: the clock runs on for longer than a session lives. */
const read = async (search = "") =>
  readable((await (await adminOf(app)).page(`/admin${search}`)).html);
const part = async (id: string) => {
  const [, after = ""] = (await read()).split(`aria-labelledby="${id}"`);
  return after.split("</section>", 1)[0]!;
};
const paid = (name: string, counselor: string, date: string, timeSlot: string) =>
  bookConfirmed(app, { name, counselor, date, timeSlot });

describe("the captains' next sessions", () => {
  beforeAll(async () => {
    await paid("Later Today", ASHA, TODAY, "15:00");
    await paid("Next Today", ASHA, TODAY, "14:00");
    await paid("Tomorrow Rohan", ROHAN, addDays(TODAY, 1), "09:00");
  });

  it("name the next one of each, its minutes, and a number to call", async () => {
    const asha = await part("captain-0");
    expect(asha).toContain("Next, in 2 hours");
    expect(asha.match(/Next, in/g)).toHaveLength(1);
    expect(asha).toMatch(/aria-label="Call Next Today: \+91\d{10}"/);
    expect(asha.indexOf("Next Today")).toBeLessThan(asha.indexOf("Later Today"));
    const rohan = await part("captain-1");
    expect(rohan).toContain("Next, in 21 hours");
    expect(rohan).not.toContain("Next Today");
    expect(rohan).toContain("No sessions");
  });

  it("have for their captain the way in, a number to call, and WhatsApp", async () => {
    const { text } = await (await captainOf(app)).page("/admin");
    const [, after = ""] = text.split('aria-labelledby="next"');
    const card = after.split("</section>", 1)[0]!;
    const [, digits] = /aria-label="Call Next Today: \+(91\d{10})"/.exec(card)!;
    const links = [...card.matchAll(/href="((?:https|tel):[^"]*)"/g)].map(([, to]) => to);
    const room = "https://meet.example/captain-asha";
    expect(links).toEqual([room, `tel:+${digits}`, `https://wa.me/${digits}`]);
  });

  it("are on until their end, then the one after is next, and what is over is folded", async () => {
    clock += 2 * 60 * MINUTE;
    expect(await part("captain-0")).toContain("Now, until 2:30 PM");
    clock += 30 * MINUTE;
    const asha = await part("captain-0");
    expect(asha).toContain("1 over");
    expect(asha).toContain("Next, in 30 minutes");
    expect(asha).toContain('aria-label="Call Later Today');
  });
});

describe("sessions without attendance", () => {
  const link = (dates: string) =>
    `/admin?status=confirmed%2Crescheduled&attendance=none&${dates}#appointments`;

  it("are asked for once they are over, the latest first", async () => {
    const needs = await part("attention");
    expect(needs).toContain("1 session without attendance");
    expect(needs).toContain("Next Today: ");
    expect(needs).not.toContain("Later Today");
    expect(needs).toContain(link(`endDate=${TODAY}`));
    clock += 2 * DAY;
    const later = await part("attention");
    expect(later).toContain("3 sessions without attendance");
    const names = ["Tomorrow Rohan", "Later Today", "Next Today"];
    expect(names.map((name) => later.indexOf(name))).toEqual(
      names.map((name) => later.indexOf(name)).toSorted((a, b) => a - b),
    );
  });
});

it("says what is wrong with a filter, and keeps several states", async () => {
  const wrong = await read("?package=20&attendance=maybe&status=confirmed,lost");
  expect(wrong).toContain("Some filters were ignored");
  for (const name of ["Package “20”", "Attendance “maybe”", "Status “confirmed,lost”"]) {
    expect(wrong).toContain(name);
  }
  const several = await read("?status=confirmed,cancelled&package=30");
  expect(several).toContain(
    '<option value="confirmed,cancelled" selected="">Confirmed, Cancelled</option>',
  );
  expect(several).toMatch(/<form id="export" action="\/admin\/export">/);
  expect(several).toContain('<input type="hidden" name="status" value="confirmed,cancelled"/>');
  expect(several).toContain('<input type="hidden" name="package" value="30"/>');
});

it("a captain blocks the rest of today by one button, or from another time", async () => {
  const today = dateInIndia(clock);
  const captain = await captainOf(app);
  const blocked = () =>
    readDayPlan(app.db, "asha", today, clock)
      .blocked.map(({ timeSlot }) => timeSlot)
      .sort();
  const { html } = await captain.page("/admin");
  // With its button.
  const press = (id: string) => {
    const { fields } = formsOf(html).find((form) => form.id === id)!;
    const form = fields.map(({ name, value }) => [name, value]);
    return captain.page("/admin/slots", { form });
  };
  expect((await press("block-later")).status).toBe(303);
  expect(blocked()[0]).toBe("15:00");
  expect((await press("block-now")).status).toBe(303);
  expect(blocked()[0]).toBe("14:30");
});
