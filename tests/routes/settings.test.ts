/** The owner's settings by call and by form: what is saved wins, is checked, is logged, and lasts. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { MINUTE } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { insertMessage } from "#db/queries/messages.server.ts";
import { readSavedSettings } from "#db/queries/settings.server.ts";
import { sessionCookie } from "#tests/support/admin.ts";
import { bookingBody, bookingForm, dayAhead } from "#tests/support/bookings.ts";
import { filledForm } from "#tests/support/filled-form.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { png } from "#tests/support/png.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const read = async () => (await admin("/settings")).data.settings;
const patch = (json: object) => admin("/settings", { method: "PATCH", json });
const page = async (path = "/") => (await app.api(path)).text;
const logged = async () => (await admin("/activity-logs")).data.logs[0];

it("are those of the environment until they are saved", async () => {
  expect(await read()).toMatchObject({
    brand: "Captain's Briefing",
    accent: "#005bbf",
    logo: null,
    version: 1,
    businessName: app.env.BUSINESS_NAME,
    businessCin: null,
    minNoticeMinutes: 60,
    faq: expect.arrayContaining([
      {
        question: "What if I have to move or cancel?",
        answer: expect.stringContaining("Until 24 hours"),
      },
    ]),
  });
});

describe("a change", () => {
  it("is on the kept page at the next request, in the log, and only once per version", async () => {
    expect(await page()).not.toContain("Renamed Aviation");
    const { version } = await read();
    const answer = await patch({ businessName: "Renamed Aviation LLP", version });
    expect(answer.data.settings).toMatchObject({ businessName: "Renamed Aviation LLP" });
    expect(answer.data.settings.version).toBeGreaterThan(version);
    expect(await page()).toContain("Renamed Aviation LLP");
    expect(await page("/terms")).toContain("Renamed Aviation LLP");
    expect(await logged()).toMatchObject({
      action: "settings_edit",
      actor: "admin",
      before: { businessName: app.env.BUSINESS_NAME },
      after: { businessName: "Renamed Aviation LLP" },
    });
    expect((await patch({})).data.settings.version).toBe(answer.data.settings.version);
    const late = await patch({ businessName: "Too Late", version });
    expect(late).toMatchObject({ status: 409, code: "stale" });
    expect((await read()).businessName).toBe("Renamed Aviation LLP");
  });
});

it("has its brand in titles and its colour in styles", async () => {
  await patch({ brand: "Wings & Co", accent: "#7A1F5C" });
  expect(await page()).toContain("<title>Wings &amp; Co: talk to a captain");
  const styles = await app.api("/brand/7a1f5c.css");
  expect([styles.headers.get("Content-Type"), styles.text]).toEqual([
    "text/css; charset=utf-8",
    expect.stringContaining("--color-action:#7a1f5c"),
  ]);
  expect((await app.api("/brand/red.css")).status).toBe(404);
  expect(await page("/terms")).toContain("· Wings &amp; Co</title>");
  expect(await page("/admin")).toContain("Wings &amp; Co");
});

it("takes a logo as portraits are taken, whole, and keeps it when a portrait goes", async () => {
  const put = (body: Uint8Array<ArrayBuffer>, path = "/settings/logo") =>
    admin(path, { method: "PUT", body, headers: { "Content-Type": "image/png" } });
  const { data, status } = await put(await png(200, 40));
  const { logo } = data.settings;
  expect([status, logo]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  const shown = () => app.api(`/portraits/${logo}/96.webp`);
  const { data: pixels } = await sharp((await shown()).bytes)
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Nothing above, the logo in the middle.
  expect([pixels[3], pixels[(48 * 96 + 2) * 4 + 3]]).toEqual([0, 255]);
  expect(await put(new Uint8Array(9))).toMatchObject({
    status: 400,
    errors: { logo: [expect.stringContaining("cannot be read as a picture")] },
  });
  await put(await png(80, 40), "/counselors/asha/portrait");
  await admin("/counselors/asha", { method: "PUT", json: { portrait: null } });
  expect((await shown()).status).toBe(200);
  // As it was answered; another one is uploaded, and not when it was read before.
  expect(await patch(await read())).toMatchObject({ status: 200, data: { settings: { logo } } });
  const other = { logo: "0".repeat(32) };
  const errors = { logo: ["Please upload the logo, or send null to remove it"] };
  for (const json of [other, { logo: "" }, { logo: 7 }]) {
    expect(await patch(json)).toMatchObject({ status: 400, errors });
  }
  expect(await patch({ ...other, version: 1 })).toMatchObject({ status: 409, code: "stale" });
  expect((await read()).logo).toBe(logo);
  await patch({ logo: null });
  const form = new FormData();
  form.set("logo", new File([await png(80, 40)], "logo.png"));
  const headers = { Cookie: sessionCookie(admin.token) };
  await fetch(`${app.origin}/admin/settings/logo`, { method: "POST", body: form, headers });
  const byForm = (await admin("/settings")).data.settings.logo;
  expect((await fetch(`${app.origin}/portraits/${byForm}/96.webp`)).status).toBe(200);
  await patch({ logo: null });
  expect((await shown()).status).toBe(404);
});

it("asks for the state in the page's form where the owner wants it, never in a call", async () => {
  await patch({ askState: "required" });
  const form = bookingForm({ date: dayAhead(16) });
  const refused = await app.api("/?index", { form });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("Please choose your state: your invoice shows its GST"),
  ]);
  expect((await app.api("/?index", { form: { ...form, state: "29" } })).status).toBe(303);
  const json = bookingBody({ date: dayAhead(17) });
  expect((await app.api("/api/appointments", { json })).status).toBe(201);
  await patch({ askState: "optional" });
});

it("lets the visitor agree first to another rule for changes than the page showed", async () => {
  const form = { ...bookingForm({ date: dayAhead(18) }), shownTotal: "" };
  const submit = (shownCutoff: string) => app.api("/?index", { form: { ...form, shownCutoff } });
  await patch({ selfServiceCutoffHours: 24 });
  expect((await app.api("/")).text).toMatch(/name="shownCutoff" value="24"/);
  await patch({ selfServiceCutoffHours: 100 });
  const again = await submit("24");
  expect([again.status, again.text]).toEqual([
    409,
    expect.stringContaining("until 100 hours before the start, not as this page said before"),
  ]);
  expect(again.text).toMatch(/name="shownCutoff" value="100"/);
  const call = (shownCutoff?: number) =>
    app.api("/api/appointments", { json: { ...bookingBody({ date: dayAhead(19) }), shownCutoff } });
  // As the page sends it with scripts; other programs show no rule.
  expect(await call(24)).toMatchObject({ status: 409, code: "stale" });
  expect((await call()).status).toBe(201);
  expect((await submit("100")).status).toBe(303);
});

it("gives a held booking the rule that its form shows when it is sent again", async () => {
  await patch({ selfServiceCutoffHours: 24 });
  const json = bookingBody({ date: dayAhead(20) });
  const send = (shownCutoff: number, headers = {}) =>
    app.api("/api/appointments", { json: { ...json, shownCutoff }, headers });
  const held = await send(24);
  const cutoff = () => findAppointment(app.db, held.data.id)?.cutoffHours;
  const Cookie = held.cookie;
  await patch({ selfServiceCutoffHours: 6 });
  expect((await send(24, { Cookie })).data.id).toBe(held.data.id);
  expect(cutoff()).toBe(24);
  expect((await send(6, { Cookie })).data.id).toBe(held.data.id);
  expect(cutoff()).toBe(6);
});

it("sends waiting alerts to a corrected business email, and nothing else that went to the one before", async () => {
  const before = (await read()).businessEmail;
  for (const kind of ["admin_alert", "reset_code"] as const) {
    insertMessage(app.db, {
      id: newId(),
      cause: `wrong address of ${kind}`,
      kind,
      channel: "email",
      audience: "admin",
      recipient: before,
      appointmentId: null,
      data: {},
      notAfter: null,
      heldBack: null,
      // Not sent meanwhile.
      now: Date.now() + MINUTE,
    });
  }
  await patch({ businessEmail: "corrected@captains.example" });
  const waiting = app.db.allRaw(
    "SELECT kind, recipient FROM message WHERE cause LIKE 'wrong address%' ORDER BY kind",
  );
  expect(waiting).toEqual([
    { kind: "admin_alert", recipient: "corrected@captains.example" },
    { kind: "reset_code", recipient: before },
  ]);
  await patch({ businessEmail: before });
});

it("saves together what is checked together, so that a variable that changes later breaks no pair", async () => {
  app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
  await patch({ paymentWindowSeconds: 1200 });
  const together = { paymentWindowSeconds: 1200, holdSeconds: 1800 };
  expect(readSavedSettings(app.db).saved).toMatchObject(together);
});

it("promises no more time to pay than there is", async () => {
  await patch({ paymentWindowSeconds: 100, holdSeconds: 1800 });
  expect((await app.api("/")).words).toContain("hold your time for up to 1 minute while you pay");
  expect((await app.api("/terms")).words).toContain("you have up to 1 minute to start paying");
  await patch({ paymentWindowSeconds: 1200 });
});

describe("the page", () => {
  const submit = (form: Record<string, string>) => admin.page("/admin/settings", { form });
  const html = async () => (await admin.page("/admin/settings")).text;
  const filled = (text: string) => filledForm(text, "settings");
  const open = async () => filled(await html());

  it("saves all of its parts at once without scripts, and gives back all that was typed", async () => {
    await patch({ faq: [{ question: "Is it far?", answer: "No." }] });
    const form = await open();
    expect(form).toMatchObject({ questionA: "Is it far?", answerA: "No.", questionB: "" });
    const changes = {
      brand: "Wings & Sons",
      businessName: "Typed LLP",
      minNoticeMinutes: "soon",
      questionA: "One?",
      answerA: "First\r\nline",
      questionB: "Two?",
      answerB: "",
    };
    const typed = { ...form, ...changes };
    const wrong = await submit(typed);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Please enter an answer to each question");
    const { shown: _, ...rest } = form;
    const back = { ...rest, ...changes, answerA: "First\nline" };
    expect(filled(wrong.text)).toMatchObject(back);
    expect((await submit({ ...typed, minNoticeMinutes: "90", answerB: "Second" })).status).toBe(
      303,
    );
    expect(await read()).toMatchObject({
      brand: "Wings & Sons",
      businessName: "Typed LLP",
      minNoticeMinutes: 90,
      faq: [
        { question: "One?", answer: "First\nline" },
        { question: "Two?", answer: "Second" },
      ],
    });
  });

  it("keeps what two owners typed at once: the second sees what the first has saved", async () => {
    const first = await open();
    const second = await open();
    await submit({ ...first, tagline: "First’s", questionA: "First’s?" });
    const stale = await submit({ ...second, brand: "Second’s", businessSac: "998399" });
    expect(stale.status).toBe(409);
    const again = filled(stale.text);
    expect(again).toMatchObject({
      brand: "Second’s",
      businessSac: "998399",
      tagline: "First’s",
      questionA: "First’s?",
    });
    expect(stale.html).toContain("Saved at present: Wings");
    expect((await submit(again)).status).toBe(303);
    expect(await read()).toMatchObject({ brand: "Second’s", tagline: "First’s" });
    expect((await read()).faq[0].question).toBe("First’s?");
    const both = await submit({ ...second, questionB: "Third’s?", answerB: "Yes" });
    expect(both.status).toBe(409);
    expect(filled(both.text)).toMatchObject({ questionA: "One?", questionB: "Third’s?" });
    expect(both.html).toContain("Saved at present: First’s?");
  });

  it("takes as many and as long answers as there may be in Hindi, and what was shown", async () => {
    const form = await open();
    const rows = [..."ABCDEFGHIJKLMNOPQRST"].flatMap((row) => [
      [`question${row}`, row.padEnd(200, "\u0915")],
      [`answer${row}`, row.padEnd(1000, "\u0915")],
    ]);
    const long = { tagline: "\u0915".repeat(120), businessAddress: "\u0915".repeat(300) };
    const { shown, ...rest } = { ...form, ...long, ...Object.fromEntries(rows) };
    const was = JSON.stringify({ ...JSON.parse(shown!), ...long, tagline: "" });
    expect((await submit({ ...rest, shown: was })).status).toBe(303);
    expect((await read()).faq).toHaveLength(20);
  });

  it("says which rules the saved answers no longer follow", async () => {
    const note = /no longer follow your rules[^<]*last change until 36 hours before the start/;
    await patch({ selfServiceCutoffHours: 36 });
    expect(await html()).toMatch(note);
    app.db.runRaw("UPDATE owner_settings SET saved = json_remove(saved, '$.faq')");
    expect(await html()).not.toMatch(note);
    expect(await html()).toContain("follows your rules by itself");
  });

  it("leaves alone what the environment has and no form takes, while another field is saved", async () => {
    app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
    await app.restart({ BUSINESS_ADDRESS: `${"12 Airport Road, ".repeat(18)}\nBengaluru` });
    const form = await open();
    const businessAddress = form.businessAddress!.replace("\n", "");
    const answerA = form.answerA!.replaceAll("\n", "\r\n");
    expect((await submit({ ...form, businessAddress, answerA, brand: "Wings" })).status).toBe(303);
    expect(readSavedSettings(app.db).saved).toEqual({ brand: "Wings" });
  });
});
