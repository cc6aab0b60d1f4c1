/**
 * Questions before a session: asked of who has paid, answered in their browser, read by the captain; and
 * two owners at the questions of one package, whose rows are merged as tested beside the page.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findAnswers } from "#db/queries/preparation.server.ts";
import { beginAt, book, bookConfirmed, pay, sessionCookie } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { filledForm } from "#tests/support/filled-form.ts";
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
  const questions = await put(45, ASKED);
  ids = questions.map(({ id }) => id);
});

async function put(minutes: number, questions: object[]): Promise<{ id: string }[]> {
  const answer = await owner(`/packages/${minutes}`, { method: "PUT", json: { questions } });
  expect(answer.status, answer.text).toBe(200);
  return answer.data.questions;
}

/** A paid session in these days, opened in a browser whose cookie it answers. */
async function opened(days: number, minutes = 45) {
  const { id, body } = await bookConfirmed(app, { date: dayAhead(days), package: minutes });
  const path = `/booking/${id}/prepare`;
  const { cookie } = await ask(path, { form: { intent: "open", email: body.email } });
  return { id, path, cookie };
}

const ask = (
  path: string,
  { cookie = "", form }: { cookie?: string; form?: Record<string, string> } = {},
) => app.api(path, { form, headers: { Cookie: cookie } });

const answers = (...given: string[]) => ({
  intent: "answer",
  asked: ids.join(" "),
  answerA: given[0] ?? "",
  answerB: given[1] ?? "",
  answerC: given[2] ?? "",
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
  const done = await ask(path, { form: { intent: "open", email: body.email } });
  expect(done.status).toBe(303);
  const { html } = await ask(path, done);
  expect(html).toContain("Marks in maths");
  expect(html).toContain("Please send no medical papers");
  // Another booking stays closed in this browser.
  const other = await bookConfirmed(app, { date: dayAhead(22), package: 45 });
  expect((await ask(`/booking/${other.id}/prepare`, done)).html).not.toContain("Marks in maths");
});

it("a paid booking closes in every browser when staff correct its email address, an unpaid one in none", async () => {
  const { id, path, cookie } = await opened(29);
  const correct = (which: string, change: object) =>
    owner(`/appointments/${which}`, { method: "PATCH", json: change });
  await correct(id, { name: "Kiran Das" });
  expect((await ask(path, { cookie })).html).toContain("Marks in maths");
  await correct(id, { email: "kiran@example.in" });
  expect((await ask(path, { cookie })).html).not.toContain("Marks in maths");
  expect((await ask(path, { cookie, form: answers("12") })).status).toBe(403);
  const again = await ask(path, { form: { intent: "open", email: "kiran@example.in" } });
  expect((await ask(path, again)).html).toContain("Marks in maths");
  // Whoever booked is still to pay there.
  const json = bookingBody({ date: dayAhead(30), package: 45, packagePrice: 1299 });
  const made = await app.api("/api/appointments", { json });
  await correct(made.data.id, { email: "kiran@example.in" });
  await pay(app, made.data.id);
  const own = await ask(`/booking/${made.data.id}/prepare`, made);
  expect(own.html).toContain("Marks in maths");
});

it("a browser keeps open the five bookings that were opened in it last", async () => {
  const paths: string[] = [];
  let cookie = "";
  for (const days of [10, 11, 12, 13, 14, 15]) {
    const { id, body } = await bookConfirmed(app, { date: dayAhead(days), package: 45 });
    const path = `/booking/${id}/prepare`;
    ({ cookie } = await ask(path, { cookie, form: { intent: "open", email: body.email } }));
    paths.push(path);
  }
  const isOpen = async (path: string) =>
    (await ask(path, { cookie })).html.includes("Marks in maths");
  const open = await Promise.all(paths.map(isOpen));
  expect(open).toEqual([false, true, true, true, true, true]);
  // Six hours each, whatever was opened since.
  const latest = "UPDATE own_booking SET given_at = given_at - ? WHERE appointment_id = ?";
  const second = paths[1]!.split("/")[2]!;
  app.db.runRaw(latest, [6 * HOUR, second]);
  expect(await isOpen(paths[1]!)).toBe(false);
  expect(await isOpen(paths[2]!)).toBe(true);
  // Whatever else stands there opens nothing, and breaks nothing.
  for (const other of [btoa('{"toString":1}'), btoa('"."'), "x"]) {
    cookie = `opened_booking=${other}`;
    expect(await isOpen(paths[5]!)).toBe(false);
  }
});

it("once the session has begun without answers, the mailed link leads to the booking’s page", async () => {
  const { id } = await bookConfirmed(app, { date: dayAhead(27), package: 45 });
  beginAt(app, id, Date.now() - 1, 45);
  for (const form of [undefined, answers("12")]) {
    const { led } = await app.api(`/booking/${id}/prepare`, { form });
    expect(led).toEqual([303, `/booking/${id}`]);
  }
});

it("what was saved is said until the session begins, as the page is opened again later", async () => {
  const { id } = await bookConfirmed(app, { date: dayAhead(36), package: 45 });
  const read = async () => (await ask(`/booking/${id}?done=answered`)).words;
  expect(await read()).toContain("You can change them until the session begins.");
  beginAt(app, id, Date.now() - 1, 45);
  expect(await read()).not.toContain("until the session begins");
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
  const own = await captainOf(app);
  expect((await own(`/appointments/${calendarUid}`)).data.appointment.answers).toEqual(kept);
  const page = await ask(`/admin/sessions/${calendarUid}`, { cookie: sessionCookie(own.token) });
  expect(page.html).toContain("Zfglide club");
});

it("are taken as long as their fields let them be: with lines, and eight in Hindi", async () => {
  const eight = Array.from({ length: 8 }, (_, i) => ({ label: `Question ${i}`, kind: "text" }));
  const asked = (await put(30, eight)).map(({ id }) => id).join(" ");
  const { id, path, cookie } = await opened(28, 30);
  const send = (text: string) => {
    const given = Object.fromEntries([..."ABCDEFGH"].map((letter) => [`answer${letter}`, text]));
    return ask(path, { cookie, form: { intent: "answer", asked, ...given } });
  };
  // As a browser sends ten lines of 999 characters.
  const lines = Array(10).fill("x".repeat(99));
  for (const [typed, kept] of [
    [lines.join("\r\n"), lines.join("\n")],
    ["\u0928".repeat(1000), "\u0928".repeat(1000)],
  ] as const) {
    expect((await send(typed)).status).toBe(303);
    expect(findAnswers(app.db, id).map(({ answer }) => answer)).toEqual(Array(8).fill(kept));
  }
  expect((await send("\u0928".repeat(1001))).status).toBe(400);
});

it("what was typed stays with its question where the owner has put them in another order", async () => {
  const [school, age, city] = await put(30, [
    { label: "Your school", kind: "text" },
    { label: "Your age", kind: "text", required: true },
    { label: "Your city", kind: "text" },
  ]);
  const { path, cookie } = await opened(25, 30);
  await put(30, [age!, school!]);
  const typed = { answerA: "Delhi Public School", answerB: "", answerC: "Zfgone" };
  const asked = [school, age, city].map((one) => one!.id).join(" ");
  const refused = await ask(path, { cookie, form: { intent: "answer", asked, ...typed } });
  expect(refused.status).toBe(400);
  expect(refused.html).toMatch(/<a[^>]* href="#prepare-answerA">Please answer this question/);
  const texts = [...refused.html.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)</g)];
  expect(texts.map(([, name, text]) => [name, text!.trim()])).toEqual([
    ["answerA", ""],
    ["answerB", "Delhi Public School"],
  ]);
  expect(refused.html).toContain(`name="asked" value="${age!.id} ${school!.id}"`);
  expect(refused.html.replace(/<script.*?<\/script>/gs, "")).not.toContain("Zfgone");
});

it("the booking's page says how many are left, and asks no more for what may stay blank", async () => {
  const { id, path, cookie } = await opened(26);
  const before = (await owner("/catalogue")).data.packages[1].questions;
  expect((await ask(path, { cookie, form: answers("12", "", "Zfglide") })).status).toBe(303);
  const done = (await ask(`/booking/${id}`)).html;
  expect(done).toContain("You have answered 2 of the 3 questions. You can change it until");
  expect(done).toContain("See or change your answers");
  await put(45, [...before, { label: "Your age", kind: "number", required: true }]);
  const more = (await ask(`/booking/${id}`)).html;
  expect(more).toContain("The captain has one more question for you");
  expect(more).toContain("Answer the questions");
});

describe("the form of a package's questions", () => {
  const PATH = "/admin/catalogue/packages/60/questions";
  const asked = async () => (await owner("/catalogue")).data.packages[2].questions;
  const filled = (html: string) => filledForm(html, "questions");
  const open = async () => filled((await owner.page(PATH)).text);
  const submit = (form: Record<string, string>) => owner.page(PATH, { form });

  it("what the other has added survives a second save, and what both reworded is seen", async () => {
    const [first, second] = await put(60, [
      { label: "Zq first", kind: "text" },
      { label: "Zq second", kind: "text" },
    ]);
    const mine = await open();
    await put(60, [
      { ...first, label: "Zq first of the other" },
      { ...second, label: "Zq second of the other" },
      { label: "Zq third of the other", kind: "choice", choices: ["1", "2"], required: true },
    ]);
    const typed = { ...mine, labelA: "Zq first of mine", kindA: "number", labelC: "Zq new" };
    // A fault comes first, and keeps the version that the page was opened with.
    const wrong = await submit({ ...typed, kindC: "choice" });
    expect(wrong.status).toBe(400);
    expect(filled(wrong.html)).toMatchObject({ labelC: "Zq new", version: mine.version });
    expect(wrong.html).toMatch(/<h2[^>]*>Question 3<(?:(?!<h2).)*Please enter two to ten choices/s);
    const stale = await submit(typed);
    expect(stale.status).toBe(409);
    for (const saved of ["Zq first of the other", "In words"]) {
      expect(stale.html).toContain(`Saved at present: ${saved}`);
    }
    const again = filled(stale.html);
    expect((await submit(again)).status).toBe(303);
    expect(await asked()).toMatchObject([
      { id: first!.id, label: "Zq first of mine", kind: "number" },
      { id: second!.id, label: "Zq second of the other" },
      { label: "Zq third of the other", kind: "choice", choices: ["1", "2"], required: true },
      { label: "Zq new", kind: "text" },
    ]);
  });

  it("rows without words are none", async () => {
    const rows = { kindA: "text", kindB: "text", labelB: "Your city", requiredB: "on" };
    const choice = { kindC: "choice", labelC: "Which?", choicesC: "one\ntwo" };
    await put(60, []);
    const { version } = await open();
    expect((await submit({ version: version!, ...rows, ...choice })).status).toBe(303);
    expect(await asked()).toMatchObject([
      { label: "Your city", kind: "text", required: true },
      { label: "Which?", choices: ["one", "two"], required: false },
    ]);
  });
});
