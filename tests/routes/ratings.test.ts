/** The rating's page by its link, and the owner's calls. */
import { expect, it } from "vitest";
import { sha256 } from "#app/core/secrets.server.ts";
import { formatSession } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { insertRating } from "#db/queries/ratings.server.ts";
import { adminOf, bookConfirmed, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const TOKEN = "abcdefghijkmnpqrstuvwxyz77";

/** By the forms of the owner's page, without scripts. */
async function hiddenOnThePage(captain: () => Promise<string>) {
  const admin = await adminOf(app);
  const page = async () => (await admin.page("/admin/ratings")).text;
  const submit = (fields: Record<string, string>) =>
    admin.page("/admin/ratings", { form: { rating: UNKNOWN_ID, ...fields } });
  expect(await page()).toContain("On the captain&#x27;s page.");
  const without = await submit({ intent: "hide", hidden: "" });
  expect([without.httpStatus, without.text.includes("Please choose a reason")]).toEqual([
    400,
    true,
  ]);
  expect((await submit({ intent: "hide", hidden: "private_data" })).httpStatus).toBe(303);
  expect(await page()).toContain("Hidden: Private data. The stars count.");
  expect(await captain()).not.toContain("Clear</p>");
  expect((await submit({ intent: "show" })).httpStatus).toBe(303);
  expect(await captain()).toContain("Clear</p>");
}

it("is sent by the link without scripts, listed for the owner, hidden and shown again", async () => {
  const { id } = await bookConfirmed(app, { date: dayAhead(12) });
  const { counselorKey } = findAppointment(app.db, id)!;
  const asked = { id: UNKNOWN_ID, appointmentId: id, counselorKey, tokenHash: sha256(TOKEN) };
  insertRating(app.db, { ...asked, askedAt: Date.now() });
  const send = (token: string, form: Record<string, string>) =>
    app.api(`/rating/${token}`, { form });
  expect((await app.api(`/rating/${UNKNOWN_ID}`)).httpStatus).toBe(404);
  expect((await send(UNKNOWN_ID, { stars: "1" })).httpStatus).toBe(404);
  const { headers, text } = await app.api(`/rating/${TOKEN}`);
  const { date, timeSlot, counselor } = findAppointment(app.db, id)!;
  for (const said of ["How was your session with", counselor, formatSession(date, timeSlot)]) {
    expect(text).toContain(said);
  }
  expect(headers.get("cache-control")).toContain("no-store");
  for (const stars of ["", "0", "6", "2.5"]) {
    expect((await send(TOKEN, { stars, text: "x" })).httpStatus).toBe(400);
  }
  expect((await send(TOKEN, { stars: "4", text: "Clear", shown: "yes" })).httpStatus).toBe(303);
  const again = (await app.api(`/rating/${TOKEN}`)).text;
  expect(again).toMatch(/<input(?=[^>]* value="4")[^>]* checked=""/);
  const admin = await adminOf(app);
  const { data } = await admin("/ratings");
  expect(data.ratings).toEqual([
    expect.objectContaining({ id: UNKNOWN_ID, stars: 4, text: "Clear", hidden: null }),
  ]);
  const captain = () => app.api(`/captains/${counselorKey}`).then((page) => page.text);
  expect(await captain()).toContain("Clear</p>");
  const hide = (hidden: unknown, of = UNKNOWN_ID) =>
    admin(`/ratings/${of}`, { method: "PUT", json: { hidden } });
  expect((await hide("low")).httpStatus).toBe(400);
  expect((await hide("abuse", "abcdefghijkmnpqrstuvwxyz24")).httpStatus).toBe(404);
  expect((await hide("abuse")).data.rating).toMatchObject({ hidden: "abuse", stars: 4 });
  expect(await captain()).not.toContain("Clear</p>");
  expect(await captain()).toContain("The text of 1 rating is hidden");
  expect((await app.api(`/rating/${TOKEN}`)).text).toContain("Reason: abuse.");
  expect((await hide(null)).data.rating).toMatchObject({ hidden: null });
  await hiddenOnThePage(captain);
  await hide("abuse");
  expect((await send(TOKEN, { intent: "withdraw" })).httpStatus).toBe(303);
  const withdrawn = (await app.api(`/rating/${TOKEN}?done=withdrawn`)).text;
  expect(withdrawn).toContain("you can rate again");
  expect(withdrawn).not.toContain("We do not show your words");
  expect((await admin("/ratings")).data.ratings).toEqual([]);
});

it.each(["Infinity", "1e300"])("the owner's list answers for the page %s", async (page) => {
  const admin = await adminOf(app);
  expect((await admin.page(`/admin/ratings?page=${page}`)).httpStatus).toBe(200);
});
