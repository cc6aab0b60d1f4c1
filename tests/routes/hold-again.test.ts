/** `POST /api/admin/appointments/{id}/hold`: each refusal, and who comes first, the staff or the customer. */
import { beforeEach, expect, it } from "vitest";
import { book, endHold, makeOrder, pay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
beforeEach(() => app.sandbox.switches.clear());

let day = 10;
async function unpaid() {
  day += 1;
  return book(app, { date: dayAhead(day) });
}
const hold = (id: string, json: object = {}) =>
  admin(`/appointments/${id}/hold`, { method: "POST", json });

/** Nobody holds its time any more. */
function lapse(id: string) {
  endHold(app, id);
  app.db.runRaw("UPDATE appointment SET created_at = 0 WHERE id = ?", [id]);
}
const links = (id: string) =>
  app.db.allRaw(
    "SELECT 1 FROM message WHERE kind = 'payment_link' AND channel = 'email' AND appointment_id = ?",
    [id],
  ).length;
const refused = (httpStatus: number, code: string, more: object = {}) => ({
  ...{ httpStatus, status: "error", code, message: expect.stringMatching(/./) },
  ...more,
});

it("a lapsed hold is the customer's again for a day, and what they pay counts", async () => {
  const { id } = await unpaid();
  lapse(id);
  expect(await makeOrder(app, id)).toMatchObject(refused(409, "payment_window_over"));
  const held = await hold(id);
  expect(held).toMatchObject({
    httpStatus: 200,
    data: {
      appointment: { id, status: "pending_payment", source: "visitor" },
      payUrl: `${app.origin}/booking/${id}`,
    },
  });
  const until = Date.parse(held.data.appointment.payBefore) - Date.now();
  expect(Math.round(until / 3_600_000)).toBe(24);
  expect(links(id)).toBe(1);
  expect((await pay(app, id)).status).toBe("confirmed");
  expect(await hold(id)).toMatchObject(refused(409, "already_paid"));
  expect(links(id)).toBe(1);
});

it("whoever takes the time first has it, the staff's hold or another booking", async () => {
  const first = await unpaid();
  lapse(first.id);
  const { date, timeSlot } = first.body;
  const again = () => app.api("/api/appointments", { json: bookingBody({ date, timeSlot }) });
  await hold(first.id);
  expect(await again()).toMatchObject(refused(409, "slot_taken"));
  lapse(first.id);
  expect((await again()).httpStatus).toBe(201);
  expect(await hold(first.id)).toMatchObject(refused(409, "slot_taken"));
  expect(links(first.id)).toBe(1);
});

it("a blocked time is taken", async () => {
  const { id, body } = await unpaid();
  lapse(id);
  const { counselor, date, timeSlot } = body;
  await admin("/blocks", {
    json: { counselor, date, timeSlotsToBlock: [timeSlot], action: "block" },
  });
  expect(await hold(id)).toMatchObject(refused(409, "slot_taken"));
});

it("money that came unseen confirms it, lapsed or not, and money on its way waits", async () => {
  for (const isLapsed of [true, false]) {
    const { id } = await unpaid();
    const { data } = await makeOrder(app, id);
    app.sandbox.switches.set({ name: "webhook_off" });
    app.sandbox.pay(data.orderId, { outcome: "captured" });
    if (isLapsed) lapse(id);
    expect(await hold(id)).toMatchObject(refused(409, "already_paid"));
    expect((await admin(`/appointments/${id}`)).data.appointment.status).toBe("confirmed");
    expect(links(id)).toBe(0);
  }
  const { id } = await unpaid();
  const { data } = await makeOrder(app, id);
  app.sandbox.pay(data.orderId, { outcome: "authorized" });
  lapse(id);
  expect(await hold(id)).toMatchObject(refused(409, "payment_under_way"));
  expect(links(id)).toBe(0);
});

it("what is cancelled, not there, or nobody can look up is refused", async () => {
  const { id } = await unpaid();
  app.sandbox.switches.set({ name: "api_json_error", value: 503 });
  await makeOrder(app, id);
  const { data } = await makeOrder(app, (await unpaid()).id);
  expect(data).toBeUndefined();
  app.sandbox.switches.clear();
  await admin(`/appointments/${id}/cancel`, { json: {} });
  expect(await hold(id)).toMatchObject(refused(409, "already_cancelled"));
  for (const none of [UNKNOWN_ID, "x"]) {
    expect(await hold(none)).toMatchObject(refused(404, "not_found"));
  }
});

it("a wrong end of the hold is reported at its own field", async () => {
  const { id } = await unpaid();
  const now = Date.now();
  for (const payBefore of [
    "soon",
    7,
    new Date(now - 1000).toISOString(),
    new Date(now + 7 * 86_400_000 + 60_000).toISOString(),
  ]) {
    const errors = { payBefore: [expect.stringMatching(/./)] };
    expect(await hold(id, { payBefore })).toMatchObject(
      refused(400, "validation_failed", { errors }),
    );
  }
  expect(links(id)).toBe(0);
  const payBefore = new Date(now + 7 * 86_400_000 - 60_000).toISOString();
  expect((await hold(id, { payBefore })).data.appointment.payBefore).toBe(payBefore);
});

it("the page of the form, opened on its own, links back to the appointment and not to the list", async () => {
  const { id } = await unpaid();
  const backOf = async (path: string) =>
    /<a [^>]*href="([^"]*)"[^>]*>(Back[^<]*)<\/a>/.exec((await admin.page(path)).text)?.slice(1);
  const details = `/admin/appointments/${id}`;
  expect(await backOf(`${details}/hold`)).toEqual([details, "Back"]);
  expect(await backOf(details)).toEqual(["/admin", "Back to the list"]);
});
