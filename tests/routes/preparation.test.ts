/** Questions before a session: asked of who has paid, answered in their browser, read by the captain. */
import { beforeAll, expect, it } from "vitest";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findAnswers } from "#db/queries/preparation.server.ts";
import { book, bookConfirmed, pay, sessionCookie } from "#tests/support/admin.ts";
import { ASHA, bookingBody, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

const ASKED = [
  {
    label: "Your class",
    hint: "Or the last one",
    kind: "choice",
    choices: ["11", "12"],
    required: true,
  },
  { label: "Marks in maths", kind: "number" },
  { label: "What have you tried?", kind: "text" },
];

const owner = sharedAdmin(app);
let ids: string[];
beforeAll(async () => {
  const answer = await owner("/packages/45", { method: "PUT", json: { questions: ASKED } });
  expect(answer.httpStatus).toBe(200);
  expect(answer.data.questions).toMatchObject([
    ASKED[0]!,
    { ...ASKED[1], hint: "", choices: [], required: false },
    { label: "What have you tried?" },
  ]);
  ids = answer.data.questions.map(({ id }: { id: string }) => id);
});

async function ask(
  path: string,
  { cookie = "", form }: { cookie?: string; form?: Record<string, string> } = {},
) {
  const answer = await app.api(path, { form, headers: { Cookie: cookie } });
  return { status: answer.httpStatus, html: answer.html, cookie: answer.cookie };
}

const answers = (...given: string[]) => ({
  ...{ intent: "answer", asked: ids.join(" ") },
  ...{ answerA: given[0] ?? "", answerB: given[1] ?? "", answerC: given[2] ?? "" },
});

it("stand in the catalogue for every role, and are the owner's to change", async () => {
  const captain = await captainOf(app);
  const { packages } = (await captain("/catalogue")).data;
  expect(packages.map(({ questions }: { questions: object[] }) => questions.length)).toEqual([
    0, 3, 0,
  ]);
  const refused = await captain("/packages/45", { method: "PUT", json: { questions: [] } });
  expect(refused.httpStatus).toBe(403);
});

it("nobody reads or answers without the browser or the email address, nor before paying", async () => {
  const unpaid = await book(app, { date: dayAhead(20), package: 45 });
  expect((await ask(`/booking/${unpaid.id}/prepare`)).status).toBe(303);
  const { id, body } = await bookConfirmed(app, { date: dayAhead(21), package: 45 });
  const path = `/booking/${id}/prepare`;
  expect((await ask(`/booking/${id}`)).html).toContain("The captain has 3 questions for you");
  expect((await ask(path)).html).not.toContain("Marks in maths");
  expect((await ask(path, { form: answers("12") })).status).toBe(403);
  const wrong = await ask(path, { form: { intent: "open", email: "x@example.in" } });
  expect([wrong.status, wrong.cookie]).toEqual([400, ""]);
  expect(wrong.html).toContain('value="x@example.in"');
  const opened = await ask(path, { form: { intent: "open", email: body.email } });
  expect(opened.status).toBe(303);
  const { html } = await ask(path, opened);
  expect(html).toContain("Marks in maths");
  expect(html).toContain("Please send no medical papers");
  // Another booking stays closed in this browser.
  const other = await bookConfirmed(app, { date: dayAhead(22), package: 45 });
  expect((await ask(`/booking/${other.id}/prepare`, opened)).html).not.toContain("Marks in maths");
});

it("once the session has begun without answers, the mailed link leads to the booking’s page", async () => {
  const { id } = await bookConfirmed(app, { date: dayAhead(27), package: 45 });
  const begun = Date.now() - 1;
  const times = [begun, begun + 45 * 60_000, id];
  app.db.runRaw("UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = ?", times);
  for (const form of [undefined, answers("12")]) {
    const { httpStatus, headers } = await app.api(`/booking/${id}/prepare`, { form });
    expect([httpStatus, headers.get("location")]).toEqual([303, `/booking/${id}`]);
  }
});

it("what was written before the booking was open is not lost where it is wrong", async () => {
  const { id, body } = await bookConfirmed(app, { date: dayAhead(24), package: 45 });
  const path = `/booking/${id}/prepare`;
  const closed = await ask(path);
  expect(closed.html).toContain("so that nobody else can read or change your answers.");
  expect(closed.html).toContain("It stays open here for six hours.");
  const form = { ...answers("12", "many", "Zfglide club"), intent: "open", email: body.email };
  const refused = await ask(path, { form });
  expect(refused.status).toBe(400);
  expect(refused.html).toMatch(/<a[^>]* href="#prepare-answerB">Please answer with a number/);
  expect(refused.html).toMatch(/<option[^>]* value="12"[^>]* selected=""/);
  expect(refused.html).toContain("Zfglide club");
  expect(refused.html).toContain("Save your answers");
  // This browser has it open now, and saves what is corrected.
  const { cookie } = refused;
  expect((await ask(path, { cookie, form: answers("12", "81", "Zfglide club") })).status).toBe(303);
  expect(findAnswers(app.db, id)).toMatchObject([{ answer: "12" }, { answer: "81" }, {}]);
});

it("are answered in the browser that booked, changed, and read by staff and the own captain alone", async () => {
  const json = bookingBody({ date: dayAhead(23), package: 45, packagePrice: 1299 });
  const made = await app.api("/api/appointments", { json });
  const { cookie } = made;
  const { id } = made.data;
  await pay(app, id);
  const path = `/booking/${id}/prepare`;
  for (const [given, fault] of [
    ["13", "Please choose one of the answers"],
    ["", "Please answer this question"],
  ] as const) {
    const refused = await ask(path, { cookie, form: answers(given, "81") });
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining(fault)]);
  }
  expect(findAnswers(app.db, id)).toEqual([]);
  expect((await ask(path, { cookie, form: answers("11", "81", "Zfglide club") })).status).toBe(303);
  expect((await ask(`/booking/${id}`)).html).toContain("You have answered.");
  expect((await ask(path, { cookie, form: answers("12", "", "Zfglide club") })).status).toBe(303);
  const kept = [
    { label: "Your class", answer: "12" },
    { label: "What have you tried?", answer: "Zfglide club" },
  ];
  expect((await owner(`/appointments/${id}`)).data.appointment.answers).toEqual(kept);
  expect((await ask(`/booking/${id}`)).html).not.toContain("Zfglide");
  const { calendarUid } = findAppointment(app.db, id)!;
  const own = await captainOf(app, ASHA);
  expect((await own(`/appointments/${calendarUid}`)).data.appointment.answers).toEqual(kept);
  const page = await ask(`/admin/sessions/${calendarUid}`, { cookie: sessionCookie(own.token) });
  expect(page.html).toContain("Zfglide club");
  const another = await captainOf(app, ROHAN);
  expect((await another(`/appointments/${calendarUid}`)).httpStatus).toBe(404);
  expect((await owner(`/appointments/${id}`, { method: "DELETE" })).httpStatus).toBe(200);
  expect(findAnswers(app.db, id)).toEqual([]);
});

it("are taken as long as their fields let them be: with lines, and eight in Hindi", async () => {
  const eight = Array.from({ length: 8 }, (_, i) => ({ label: `Question ${i}`, kind: "text" }));
  const { data } = await owner("/packages/30", { method: "PUT", json: { questions: eight } });
  const { id, body } = await bookConfirmed(app, { date: dayAhead(28), package: 30 });
  const path = `/booking/${id}/prepare`;
  const { cookie } = await ask(path, { form: { intent: "open", email: body.email } });
  const asked = data.questions.map((one: { id: string }) => one.id).join(" ");
  const send = (text: string) => {
    const given = Object.fromEntries([..."ABCDEFGH"].map((letter) => [`answer${letter}`, text]));
    return ask(path, { cookie, form: { intent: "answer", asked, ...given } });
  };
  const kept = () => findAnswers(app.db, id).map(({ answer }) => answer);
  // As a browser sends ten lines of 999 characters.
  const lines = Array(10).fill("x".repeat(99));
  expect((await send(lines.join("\r\n"))).status).toBe(303);
  expect(kept()).toEqual(Array(8).fill(lines.join("\n")));
  expect((await send("\u0928".repeat(1000))).status).toBe(303);
  expect(kept()).toEqual(Array(8).fill("\u0928".repeat(1000)));
  expect((await send("\u0928".repeat(1001))).status).toBe(400);
});

it("what was typed stays with its question where the owner has put them in another order", async () => {
  const put = (questions: object[]) =>
    owner("/packages/30", { method: "PUT", json: { questions } });
  const asked = [
    { label: "Your school", kind: "text" },
    { label: "Your age", kind: "text", required: true },
    { label: "Your city", kind: "text" },
  ];
  const [school, age, city] = (await put(asked)).data.questions;
  const { id, body } = await bookConfirmed(app, { date: dayAhead(25), package: 30 });
  const path = `/booking/${id}/prepare`;
  const { cookie } = await ask(path, { form: { intent: "open", email: body.email } });
  await put([age, school]);
  const typed = { answerA: "Delhi Public School", answerB: "", answerC: "Zfgone" };
  const order = [school.id, age.id, city.id].join(" ");
  const refused = await ask(path, { cookie, form: { intent: "answer", asked: order, ...typed } });
  expect(refused.status).toBe(400);
  expect(refused.html).toMatch(/<a[^>]* href="#prepare-answerA">Please answer this question/);
  const texts = [...refused.html.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)</g)];
  expect(texts.map(([, name, text]) => [name, text!.trim()])).toEqual([
    ["answerA", ""],
    ["answerB", "Delhi Public School"],
  ]);
  expect(refused.html).toContain(`name="asked" value="${age.id} ${school.id}"`);
  expect(refused.html.replace(/<script.*?<\/script>/gs, "")).not.toContain("Zfgone");
  await put([]);
});

it("the booking's page says how many are left, and asks no more for what may stay blank", async () => {
  const { id, body } = await bookConfirmed(app, { date: dayAhead(26), package: 45 });
  const path = `/booking/${id}/prepare`;
  const { cookie } = await ask(path, { form: { intent: "open", email: body.email } });
  const put = (questions: object[]) =>
    owner("/packages/45", { method: "PUT", json: { questions } });
  const before = (await owner("/catalogue")).data.packages[1].questions;
  expect((await ask(path, { cookie, form: answers("12", "", "Zfglide") })).status).toBe(303);
  const done = (await ask(`/booking/${id}`)).html;
  expect(done).toContain("You have answered 2 of the 3 questions. You can change it until");
  expect(done).toContain("See or change your answers");
  await put([...before, { label: "Your age", kind: "number", required: true }]);
  const more = (await ask(`/booking/${id}`)).html;
  expect(more).toContain("The captain has one more question for you");
  expect(more).toContain("Answer the questions");
  await put(before);
});
