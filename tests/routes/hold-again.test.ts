/** `POST /api/admin/appointments/{id}/hold`: what it answers, and the page of its form. */
import { expect, it } from "vitest";
import { book, endHold, makeOrder, pay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const hold = (id: string, json: object = {}) =>
  admin(`/appointments/${id}/hold`, { method: "POST", json });
const refused = (httpStatus: number, code: string, more: object = {}) => ({
  ...{ httpStatus, status: "error", code, message: expect.stringMatching(/./) },
  ...more,
});

it("a lapsed hold is the customer's again for a day, and what they pay counts", async () => {
  const { id } = await book(app, { date: dayAhead(11) });
  endHold(app, id);
  app.db.runRaw("UPDATE appointment SET created_at = 0 WHERE id = ?", [id]);
  expect(await makeOrder(app, id)).toMatchObject(refused(409, "payment_window_over"));
  for (const payBefore of ["soon", 7, new Date(Date.now() - 1000).toISOString()]) {
    const errors = { payBefore: [expect.stringMatching(/./)] };
    expect(await hold(id, { payBefore })).toMatchObject(
      refused(400, "validation_failed", { errors }),
    );
  }
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
  const payBefore = new Date(Date.now() + 7 * 86_400_000 - 60_000).toISOString();
  expect((await hold(id, { payBefore })).data.appointment.payBefore).toBe(payBefore);
  expect((await pay(app, id)).status).toBe("confirmed");
  expect(await hold(id)).toMatchObject(refused(409, "already_paid"));
  for (const none of [UNKNOWN_ID, "x"]) {
    expect(await hold(none)).toMatchObject(refused(404, "not_found"));
  }
});

it("the page of the form, opened on its own, links back to the appointment and not to the list", async () => {
  const { id } = await book(app, { date: dayAhead(12) });
  const backOf = async (path: string) =>
    /<a [^>]*href="([^"]*)"[^>]*>(Back[^<]*)<\/a>/.exec((await admin.page(path)).text)?.slice(1);
  const details = `/admin/appointments/${id}`;
  expect(await backOf(`${details}/hold`)).toEqual([details, "Back"]);
  expect(await backOf(details)).toEqual(["/admin", "Back to the list"]);
});
