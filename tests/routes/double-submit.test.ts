/** The page's form posted twice before its cookie has come: a double click without scripts. */
import { beforeEach, expect, it } from "vitest";
import { addDays, instantOf } from "#app/model/dates.ts";
import { bookingForm } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const MINUTE_MS = 60_000;
const MORNING = instantOf("2027-03-01", "06:00");
let clock = MORNING;
const app = sharedApp({
  now: () => clock,
  env: { WORKER_INTERVAL_MS: "60000", TRUSTED_PROXY_HEADER: "x-client" },
});
let day = 0;
let form: Record<string, string>;
beforeEach(() => {
  clock = MORNING;
  day += 1;
  form = bookingForm({ date: addDays("2027-03-02", day), notes: "Can I fly?" });
});

interface Post {
  address?: string;
  cookie?: string;
  changes?: Record<string, string>;
}

/** The status, the booking it leads to, and what the browser keeps of it. */
async function post({ address = "192.0.2.1", cookie, changes = {} }: Post = {}) {
  const answer = await app.api("/?index", {
    form: { ...form, ...changes },
    headers: { "X-Client": address, ...(cookie && { Cookie: cookie }) },
  });
  const [status, location] = answer.led;
  return { status, location, cookie: answer.cookie };
}

const orders = () =>
  app.db.allRaw(
    "SELECT 1 FROM payment_order WHERE appointment_id IN (SELECT id FROM appointment WHERE email = ?)",
    [form.email],
  );
const bookings = () =>
  app.db.allRaw<{ id: string }>("SELECT id FROM appointment WHERE email = ?", [form.email]);

it.each([
  ["one after the other", async () => [await post(), await post()]],
  ["at once", () => Promise.all([post(), post(), post()])],
])(
  "%s it is one booking, which both answers lead to and both cookies stand for",
  async (_, posts) => {
    const answers = await posts();
    const [booking, ...others] = bookings();
    expect([others, orders()]).toEqual([[], [expect.anything()]]);
    for (const { status, location, cookie } of answers) {
      expect([status, location]).toEqual([303, `/booking/${booking!.id}#pay`]);
      const moved = await post({ cookie, changes: { timeSlot: "14:00" } });
      expect(moved.location).toBe(`/booking/${booking!.id}#pay`);
      expect((await post({ cookie, changes: { timeSlot: "10:00" } })).status).toBe(303);
    }
  },
);

it.each<[string, Post]>([
  ["another address", { address: "192.0.2.2" }],
  ["another person", { changes: { email: "other@example.in" } }],
  ["another phone", { changes: { phone: "9811122299" } }],
  ["another name", { changes: { name: "Arun Nair" } }],
  ["another question", { changes: { notes: "Shall I fly?" } }],
  ["a longer session", { changes: { package: "60" } }],
  ["another time that overlaps", { changes: { package: "60", timeSlot: "09:30" } }],
])("from %s the time is taken", async (_, other) => {
  if (other.changes?.timeSlot) form.timeSlot = "10:00";
  const first = await post();
  app.db.runRaw(
    `INSERT OR REPLACE INTO availability (counselor_key, on_date, time_slots, updated_at)
     VALUES ('asha', ?, '["09:30","10:00"]', 1)`,
    [form.date],
  );
  expect([first.status, (await post(other)).status]).toEqual([303, 409]);
});

it("after two minutes, and by a call, the time is taken", async () => {
  const first = await post();
  clock += 2 * MINUTE_MS;
  expect((await post()).location).toBe(first.location);
  const headers = { "X-Client": "192.0.2.1" };
  expect((await app.api("/api/appointments", { json: form, headers })).code).toBe("slot_taken");
  clock += 1;
  expect((await post()).status).toBe(409);
});
