/** The plan after a session: by call, by form, and on the booking's page for who may read it. */
import { beforeEach, describe, expect, it } from "vitest";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  type AdminApi,
  adminOf,
  bookAndPay,
  sessionCookie,
  UNKNOWN_ID,
} from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

let ahead = 0;
const app = sharedApp({ now: () => Date.now() + ahead });
let admin: AdminApi;
beforeEach(async () => {
  ahead = 0;
  admin = await adminOf(app);
});

let day = 10;

/** Its session is over, and an admin has signed in since. */
async function over(changes: object = {}): Promise<string> {
  const { id } = await bookAndPay(app, { date: dayAhead(day++), ...changes });
  ahead = findAppointment(app.db, id)!.endsAt - Date.now() + 1000;
  admin = await adminOf(app);
  return id;
}

const put = (id: string, json: object, by = admin) =>
  by(`/appointments/${id}/plan`, { method: "PUT", json });
const page = (id: string, cookie = "") =>
  app.api(`/booking/${id}`, { headers: { Cookie: cookie } });
const uidOf = (id: string) => findAppointment(app.db, id)!.calendarUid;

const TEXT = "First the medical.\n\n- [examiners](https://dgca.gov.in/)\n- <b>no markup</b>";

describe("by call", () => {
  it("is refused as the contract says, then saved, sent, and read in the detail", async () => {
    const { id: early } = await bookAndPay(app, { date: dayAhead(day++) });
    expect(await put(early, { text: TEXT })).toMatchObject({ httpStatus: 409, code: "too_early" });
    const id = await over();
    expect(await put(UNKNOWN_ID, { text: TEXT })).toMatchObject({ httpStatus: 404 });
    for (const json of [{}, { text: "" }, { text: "x".repeat(5001) }, { text: 1 }]) {
      const { httpStatus, errors } = await put(id, json);
      expect([httpStatus, Object.keys(errors ?? {})]).toEqual([400, ["text"]]);
    }
    expect((await put(id, { text: TEXT })).data).toEqual({ plan: { text: TEXT, sentAt: null } });
    const { data } = await put(id, { text: TEXT, send: true });
    expect(data.plan).toEqual({ text: TEXT, sentAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    const detail = (await admin(`/appointments/${id}`)).data;
    expect([detail.plan, detail.appointment.plan]).toEqual([data.plan, data.plan]);
  });

  it("is the captain's by the address of their own session alone", async () => {
    const id = await over();
    const captain = await captainOf(app);
    const other = await captainOf(app, ROHAN);
    expect(await put(id, { text: TEXT }, captain)).toMatchObject({ httpStatus: 404 });
    expect(await put(uidOf(id), { text: TEXT }, other)).toMatchObject({ httpStatus: 404 });
    expect((await put(uidOf(id), { text: TEXT }, captain)).data.plan.text).toBe(TEXT);
    const { data } = await captain(`/appointments/${uidOf(id)}`);
    expect(data.plan).toEqual({ text: TEXT, sentAt: null });
  });
});

describe("by form", () => {
  it("is saved as a draft, then sent, by staff and by its captain", async () => {
    const id = await over();
    const captain = await captainOf(app);
    const send = (path: string, by: AdminApi, form: Record<string, string>) =>
      by.page(path, { form });
    const [mine, theirs] = [id, uidOf(id)].map((one) => `/admin/appointments/${one}/plan`);
    const shown = await captain.page(theirs!);
    const version = /name="version" value="([^"]*)"/.exec(shown.text)![1]!;
    const first = { intent: "draft", text: "A draft", version };
    const draft = await send(theirs!, captain, first);
    expect(draft.led).toEqual([303, theirs]);
    // Staff's page was made before there was any.
    expect((await send(mine!, admin, { ...first, text: "B" })).httpStatus).toBe(409);
    expect((await send(mine!, admin, { intent: "send", text: " " })).httpStatus).toBe(400);
    await send(mine!, admin, { intent: "send", text: TEXT, version: "1" });
    const { text } = await admin.page(mine!);
    expect(text).toContain("Mailed on");
    expect(text).toContain('<a class="link" href="https://dgca.gov.in/" rel="noopener nofollow">');
    expect(text).toContain("&lt;b&gt;no markup&lt;/b&gt;");
  });
});

it("by form is taken in Hindi as long as any other, also after the session has ended", async () => {
  const id = await over();
  const text = "\u0928".repeat(5_000);
  const path = `/admin/appointments/${id}/plan`;
  const post = (to: string, cookie: string) =>
    app.api(to, {
      headers: { Cookie: cookie },
      form: {
        account: "admin",
        intent: "draft",
        text,
        shown: JSON.stringify({ text }),
        version: "0",
      },
    });
  expect((await post(path, sessionCookie(admin.token))).httpStatus).toBe(303);
  const out = await post("/admin", "");
  expect([out.httpStatus, out.text.includes("is back in its form")]).toEqual([401, true]);
});

describe("on the booking's page", () => {
  it("is read by who knows the booking's e-mail address, in the browser where it was given", async () => {
    const id = await over();
    await put(id, { text: TEXT });
    expect((await page(id)).text).not.toContain("Your plan");
    await put(id, { text: TEXT, send: true });
    const shut = (await page(id)).text;
    expect([shut.includes("Show the plan"), shut.includes("First the medical")]).toEqual([
      true,
      false,
    ]);
    const open = (email: string) => app.api(`/booking/${id}/open`, { form: { email } });
    const wrong = await open("stranger@example.in");
    expect([wrong.httpStatus, wrong.headers.get("set-cookie")]).toEqual([400, null]);
    const right = await open(findAppointment(app.db, id)!.contact.email.toUpperCase());
    expect(right.httpStatus).toBe(303);
    const { cookie } = right;
    expect(cookie).not.toContain(id);
    const { text } = await page(id, cookie);
    expect(text).toContain("First the medical");
    // On a phone, before what the session was.
    expect(text.indexOf("First the medical")).toBeLessThan(text.indexOf("Session pass"));

    expect((await app.api(`/booking/${id}/plan.pdf`)).httpStatus).toBe(404);
    const pdf = await app.api(`/booking/${id}/plan.pdf`, { headers: { Cookie: cookie } });
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    const words = await pdfText(pdf.bytes);
    expect(words).toContain("First the medical.");
    expect(words).toContain("<b>no markup</b>");

    const other = await over();
    await put(other, { text: TEXT, send: true });
    expect((await page(other, cookie)).text).not.toContain("First the medical");
  });
});
