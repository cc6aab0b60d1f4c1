/** What the panel and its dialogs offer and promise where little is left to do: a session over, a booking erased or cancelled. */
import { describe, expect, it } from "vitest";
import { HOUR } from "#app/model/dates.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { type AdminApi, beginAt, book, bookAndPay, endHold } from "#tests/support/admin.ts";
import { allSent } from "#tests/support/all-sent.ts";
import { bookingForm, daysFrom } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { staffOf } from "#tests/support/staff.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
const nextDay = daysFrom(20);

const said = async (path: string, by: AdminApi = admin) => (await by.page(path)).words;
const panelOf = (id: string, by?: AdminApi) => said(`/admin/appointments/${id}`, by);
const dialogOf = (id: string, dialog: string, by?: AdminApi) =>
  said(`/admin/appointments/${id}/${dialog}`, by);

async function unpaid(): Promise<string> {
  const { id } = await book(app, { date: nextDay() });
  endHold(app, id);
  return id;
}

async function erased(id: string): Promise<string> {
  await allSent(app);
  const { data } = await admin(`/appointments/${id}`);
  eraseCustomer(app.db, data.appointment.email, Date.now());
  return id;
}

/** Paid outside, and over. */
async function paidInCash(): Promise<string> {
  const form = bookingForm({ date: nextDay() });
  const fields = { ...form, email: form.email!, payBy: "offline", method: "cash", intent: "book" };
  const { to, text } = await admin.page("/admin/appointments/new", { form: fields });
  const id = /appointments\/(\w+)/.exec(to ?? "")?.[1];
  if (!id) throw new Error(`not booked: ${text}`);
  beginAt(app, id, Date.now() - HOUR);
  return id;
}

async function paidOnline(): Promise<string> {
  const { id } = await bookAndPay(app, { date: nextDay() });
  beginAt(app, id, Date.now() - HOUR);
  return id;
}

describe("holding an unpaid booking again", () => {
  const OFFER = "Hold again and send the link";
  const BEGUN = "The session has begun, so no payment link can be sent any more";

  it("is neither offered nor done once the session has begun, and the dialog says why", async () => {
    const id = await unpaid();
    const path = `/admin/appointments/${id}/hold`;
    expect(await panelOf(id)).toContain(OFFER);
    const version = /name="version" value="(\d+)"/.exec((await admin.page(path)).html)![1]!;
    beginAt(app, id, Date.now() - HOUR);
    expect(await panelOf(id)).not.toContain(OFFER);
    const dialog = await said(path);
    expect(dialog).toContain(BEGUN);
    expect(dialog).not.toContain(OFFER);
    const refused = await admin.page(path, { form: { version, payBefore: "" } });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain(BEGUN);
    expect(refused.words).not.toContain("starts too soon");
  });

  it("does not stand under a link that has ended, once the session has begun", async () => {
    const id = await unpaid();
    await admin(`/appointments/${id}/hold`, { json: {} });
    beginAt(app, id, Date.now() - HOUR);
    endHold(app, id);
    expect(await panelOf(id)).toContain("The time to pay has ended.");
    expect(await panelOf(id)).not.toContain("Hold the booking again");
  });
});

describe("an erased customer is promised no message", () => {
  const PROMISE =
    /customer (reads|gets|is notified)|Erased customer (and|is notified)|email address change it/;

  it.each([
    ["paid online", paidOnline],
    ["paid outside", paidInCash],
  ])("%s", async (_, make) => {
    const id = await make();
    for (const dialog of ["cancel", "refund"]) {
      expect(await dialogOf(id, dialog), dialog).toMatch(PROMISE);
    }
    expect(await panelOf(id)).toMatch(PROMISE);
    await erased(id);
    const staff = await staffOf(app, `desk-${id.slice(-4)}`);
    for (const words of [
      await dialogOf(id, "cancel"),
      await dialogOf(id, "cancel", staff),
      await dialogOf(id, "refund"),
    ]) {
      expect(words).toContain("the customer cannot be notified");
      expect(words).not.toMatch(PROMISE);
    }
    expect(await panelOf(id)).not.toMatch(PROMISE);
    const form = { share: "100.00", reason: "It began late" };
    const refunded = await admin.page(`/admin/appointments/${id}/refund`, { form });
    expect(refunded.status, refunded.words).toBe(303);
    expect((await admin.after(refunded, "/admin")).words).not.toMatch(PROMISE);
  });
});

it("money to be paid back by hand waits for an owner, whoever reads it", async () => {
  const id = await paidInCash();
  await admin(`/appointments/${id}/refund`, { json: { amount: 100, reason: "Late" } });
  for (const by of [admin, await staffOf(app, "desk-money")]) {
    expect(await panelOf(id, by)).toContain("Waits for an owner to pay it back by hand");
  }
});

describe("a refund that leaves the booking as it is", () => {
  const STAYS = "to give up its time too, cancel it instead";
  const BUTTON = "Refund without cancelling";

  it("says so of a session to come alone", async () => {
    const { id } = await bookAndPay(app, { date: nextDay() });
    expect(await dialogOf(id, "refund")).toContain(STAYS);
    expect(await panelOf(id)).toContain(BUTTON);
    beginAt(app, id, Date.now() - HOUR);
    expect(await dialogOf(id, "refund")).not.toContain(STAYS);
    // Of a cancellation that kept the money.
    const json = { by: "customer", refund: "none" };
    expect((await admin(`/appointments/${id}/cancel`, { json })).status).toBe(200);
    expect(await dialogOf(id, "refund")).not.toContain(STAYS);
    const panel = await panelOf(id);
    expect(panel).not.toContain(BUTTON);
    expect(panel).toMatch(/ Refund /);
  });
});

it("a dialog with nothing left to do keeps nothing: its link closes it", async () => {
  const { id } = await book(app, { date: nextDay() });
  expect(await dialogOf(id, "cancel")).toContain("Keep Appointment");
  await admin(`/appointments/${id}/cancel`, { json: {} });
  const dialog = await dialogOf(id, "cancel");
  expect(dialog).toContain("This appointment is cancelled already.");
  expect(dialog).not.toContain("Keep Appointment");
});
