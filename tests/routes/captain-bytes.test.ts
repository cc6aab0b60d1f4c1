/**
 * Every byte that reaches a captain is searched for the e-mails, ids and sums of the bookings. These
 * were made at prices that stand nowhere else: a package's own price is public, and on their pages.
 */
import { beforeAll, expect, it } from "vitest";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listFeeds } from "#db/queries/catalogue.server.ts";
import { findGuardian, saveAnswers } from "#db/queries/preparation.server.ts";
import { giveRating, insertRating } from "#db/queries/ratings.server.ts";
import type { ApiAnswer, ApiInit } from "#tests/helpers/api-client.ts";
import { adminOf, book, bookAndPay, sessionCookie } from "#tests/support/admin.ts";
import { ASHA, type BookingBody, dayAhead, PRICES, ROHAN } from "#tests/support/bookings.ts";
import { captainAccount, captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

/** What a package cost when it was booked, in rupees. */
const PRICE = { 30: 1037, 45: 1361, 60: 1583 } as const;
/** With GST, rounded to the rupee. */
const TOTAL = { 30: 1224, 45: 1606, 60: 1868 } as const;
const RATING_HASH = "hashofarating";

interface Received {
  from: string;
  text: string;
}

const app = sharedApp();
let token: string;
const received: Received[] = [];
const secrets: { name: string; pattern: RegExp }[] = [];
const uids: string[] = [];
const bookings: { id: string; email: string }[] = [];

let hour = 0;
/** Each at a time of its own. */
function requestOf(changes: Partial<BookingBody> = {}): Partial<BookingBody> {
  const minutes = (Number(changes.package ?? 30) || 30) as keyof typeof PRICE;
  const date = dayAhead(12 + Math.floor(hour / 3));
  const timeSlot = ["09:00", "11:00", "14:00"][hour++ % 3]!;
  const email = `traveller.${hour}@posthorn.example`;
  return { date, timeSlot, email, packagePrice: PRICE[minutes], ...changes };
}

beforeAll(async () => {
  const owner = await adminOf(app);
  const put = async (minutes: number, price: number) => {
    const { status } = await owner(`/packages/${minutes}`, { method: "PUT", json: { price } });
    expect(status).toBe(200);
  };
  for (const [minutes, price] of Object.entries(PRICE)) await put(Number(minutes), price);

  const keep = (made: { id: string; body: BookingBody }) => {
    bookings.push({ id: made.id, email: made.body.email });
    return made.id;
  };
  const paid = async (changes?: Partial<BookingBody>) =>
    keep(await bookAndPay(app, requestOf(changes)));
  const student = { name: "Kabir Pillai", under18: true, relation: "grandaunt" };
  const forKabir = await paid({ notes: "Can I fly with glasses?", ...({ student } as object) });
  saveAnswers(app.db, forKabir, [{ id: "a", label: "Tried?", answer: "A gliding club" }], 1);
  const { token: guardian } = findGuardian(app.db, forKabir)!;
  secrets.push({ name: "guardian", pattern: new RegExp(guardian) });
  secrets.push({ name: "relation", pattern: /grandaunt/ });
  keep(await book(app, requestOf()));
  const company = {
    gstin: "27AAPFU0939F1ZV",
    billingName: "Kite & Sons",
    billingAddress: "1 Road",
  };
  await paid({ package: 60, ...company });
  await paid({ state: "07", package: 45 });
  const begun = [await paid(), await paid()];
  const cancelled = await paid();
  await owner(`/appointments/${cancelled}/cancel`, { method: "POST" });
  const [moved, handed, noted] = [await paid(), await paid(), await paid()];
  const to = (id: string, json: object) =>
    owner(`/appointments/${id}/reschedule`, { method: "PUT", json });
  const there = { date: dayAhead(30), newTimeSlot: "09:00" };
  expect((await to(moved, there)).status).toBe(200);
  expect((await to(handed, { ...there, counselor: ROHAN })).status).toBe(200);
  await owner(`/appointments/${noted}`, {
    method: "PATCH",
    json: { staffNote: "Brings a friend" },
  });
  const corrected = { name: "Corrected Name", email: "kestrel.77@posthorn.example" };
  await owner(`/appointments/${noted}`, { method: "PATCH", json: corrected });
  bookings.push({ id: noted, email: corrected.email });
  await paid({ counselor: ROHAN });
  await owner(`/appointments/${begun[0]}/refund`, { json: { amount: 100, reason: "Late" } });
  for (const [i, id] of begun.entries()) {
    const at = Date.now() - (i + 1) * 50 * 3_600_000;
    const date = dayAhead(-2 * (i + 1));
    app.db.runRaw(
      "UPDATE appointment SET starts_at = ?, ends_at = ? + 1800000, on_date = ? WHERE id = ?",
      [at, at, date, id],
    );
    app.db.runRaw(
      `INSERT INTO help_call (appointment_id, starts_at, side, called_at, asks)
       VALUES (?, ?, 'customer', ?, 'refund')`,
      [id, at, at],
    );
  }
  for (const [minutes, price] of Object.entries(PRICES)) await put(Number(minutes), price);
  const [forRating, withPlan] = begun;
  const completed = { method: "PUT", json: { attendance: "completed" } };
  await owner(`/appointments/${forRating}/attendance`, completed);
  const plan = { text: "Book the medical first", send: true };
  await owner(`/appointments/${withPlan}/plan`, { method: "PUT", json: plan });
  const rating = { id: "a".repeat(26), tokenHash: RATING_HASH, askedAt: 1, counselorKey: "asha" };
  insertRating(app.db, { ...rating, appointmentId: forRating! });
  giveRating(app.db, rating.id, { stars: 2, text: "Too gryphonlike", shown: false }, 2);
  secrets.push({ name: "rating", pattern: new RegExp(`${RATING_HASH}|gryphonlike`) });

  for (const { id, email } of bookings) {
    const mail = email.replaceAll(".", "\\.");
    secrets.push({ name: `e-mail ${email}`, pattern: new RegExp(mail, "i") });
    for (const part of [id, id.slice(-8), id.slice(-6)]) {
      secrets.push({ name: `id ${part}`, pattern: new RegExp(part, "i") });
    }
    const session = findAppointment(app.db, id)!;
    if (session.counselor === ASHA) uids.push(session.calendarUid);
  }
  for (const rupees of [...Object.values(PRICE), ...Object.values(TOTAL)]) {
    const [thousands, rest] = [Math.floor(rupees / 1000), String(rupees % 1000).padStart(3, "0")];
    // Not within the random hexadecimal of a request's id.
    const pattern = new RegExp(`(?<![\\w.-])${thousands},?${rest}(00)?(?![\\w-])`);
    secrets.push({ name: `sum ${rupees}`, pattern });
  }
  token = (await captainOf(app)).token;
});

/** As the browser and as a program, each answer with its headers is kept for the search. */
async function ask(path: string, init: ApiInit = {}): Promise<ApiAnswer> {
  const asCaptain = path.startsWith("/api/")
    ? { token }
    : { headers: { Cookie: sessionCookie(token), Origin: app.origin } };
  const answer = await app.api(path, { ...asCaptain, ...init });
  // An answer may be as many bytes long as a booking costs rupees.
  const headers = [...answer.headers].filter(([name]) => name !== "content-length");
  const said = headers.map(([name, value]) => `${name}: ${unescaped(value)}`);
  const text = [...said, unescaped(answer.text)].join("\n");
  received.push({ from: `${init.method ?? "GET"} ${path} ${answer.status}`, text });
  return answer;
}

/** As it came, and with what addresses and cookies hold readable. */
function unescaped(text: string): string {
  const plain = text.replaceAll(/(%[0-9a-f]{2})+/gi, (found) => {
    try {
      return decodeURIComponent(found);
    } catch {
      return found;
    }
  });
  const cookies = [...plain.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)].map(([found]) =>
    Buffer.from(found, "base64").toString("latin1"),
  );
  return [text, plain, ...cookies].join("\n");
}

/** In what was received since the last search. */
function leaks(): string[] {
  return received.splice(0).flatMap(({ from, text }) =>
    secrets
      .filter(({ pattern }) => pattern.test(text))
      .map(({ name, pattern }) => {
        const at = text.search(pattern);
        return `${from}: ${name} in …${text.slice(Math.max(0, at - 60), at + 40)}…`;
      }),
  );
}

const asha = encodeURIComponent(ASHA);

it("no page, and no data of a page, holds an e-mail, an id or a sum", async () => {
  const range = (view: string, days: number) => `view=${view}&date=${dayAhead(days)}`;
  const pages = [
    ...["/admin", "/admin?q=meera&sort=-amount&status=confirmed", "/admin/sessions"],
    ...["/admin/sessions?page=2", "/admin/schedule", "/admin/schedule/asha", "/admin/account"],
    ...["/admin/schedule/asha/busy-calendar", `/admin/slots?counselor=${asha}`],
    `/admin/slots?tab=block&date=${dayAhead(12)}`,
    `/admin/slots?list=${encodeURIComponent(range("day", 12))}`,
    ...["day", "week", "month"].flatMap((view) =>
      [-2, 12, 30].map((days) => `/admin/calendar?${range(view, days)}`),
    ),
    ...uids.flatMap((uid) => [`/admin/sessions/${uid}`, `/admin/appointments/${uid}/plan`]),
  ];
  for (const page of pages) {
    const [path = "", search] = page.split("?");
    const data = `${path}.data${search ? `?${search}` : ""}`;
    for (const at of [page, data]) {
      const { status } = await ask(at);
      expect([at, status < 400]).toEqual([at, true]);
    }
    // One part alone, as the router asks for it.
    const part = "_routes=routes%2Fadmin%2Fdashboard%2Fdashboard";
    if (path.startsWith("/admin/slots")) await ask(`${data}${search ? "&" : "?"}${part}`);
  }
  for (const at of ["/admin/schedule/rohan", "/admin/schedule/rohan.data"]) {
    expect([at, (await ask(at)).status]).toEqual([at, 403]);
  }
  expect((await ask(`/admin/sessions/${"z".repeat(26)}`)).status).toBe(404);
  const headers = { Cookie: sessionCookie(token) };
  expect((await app.api(`/admin/sessions/${bookings[0]!.id}`, { headers })).status).toBe(404);
  const texts = received.map(({ text }) => text).join("\n");
  // All of it is there to be looked through.
  for (const shown of ["Plans to write", "Book the medical first", "A gliding club", "Kabir"]) {
    expect(texts).toContain(shown);
  }
  expect(texts).toMatch(/Plans to write.*?href="\/admin\/appointments\/[a-z0-9]{26}\/plan"/s);
  // A plan that is due is the captain's own to write, and stands under nobody's "needs you".
  const { text: desk } = await (await adminOf(app)).page("/admin");
  expect([desk.includes("Needs you"), desk.includes("Plans to write")]).toEqual([true, false]);
  expect(leaks()).toEqual([]);
});

it("no call's answer holds one, with any filter, and a search for one finds what nonsense finds", async () => {
  const filters = ["", "status=confirmed", "status=cancelled,pending_payment", "package=60"];
  const more = [
    "attendance=none",
    `counselor=${asha}`,
    "page=1&pageSize=2",
    `endDate=${dayAhead(0)}`,
  ];
  const sorts = ["date", "-date", "created", "-created", "amount", "-amount"];
  const queries = [...filters, ...more, ...sorts.map((sort) => `sort=${sort}`), "q=meera"];
  for (const query of queries) await ask(`/api/admin/appointments?${query}`);
  for (const uid of uids) await ask(`/api/admin/appointments/${uid}`);
  const span = `from=${dayAhead(-5)}&to=${dayAhead(40)}`;
  const others = ["leave", "catalogue", "counselors/asha/hours", "counselors/asha/busy-calendar"];
  const dated = [-2, 12, 30].map((days) => `slots?counselor=${asha}&date=${dayAhead(days)}`);
  const none = ["gst", "export", "ratings", "nothing"];
  for (const path of [`calendar?${span}`, ...dated, ...others, ...none]) {
    await ask(`/api/admin/${path}`);
  }
  const answerTo = async (q: string) => {
    const path = `/api/admin/appointments?q=${encodeURIComponent(q)}`;
    const { status, text } = await app.api(path, { token });
    return [status, text];
  };
  const nothing = await answerTo("qqzzxxj");
  expect(nothing[0]).toBe(200);
  const sums = [...Object.values(PRICE), ...Object.values(TOTAL)];
  const sought = bookings.flatMap(({ id, email }) => {
    const tails = [id, id.slice(-6), id.slice(-8)].flatMap((part) => [part, `#${part}`]);
    return [email, email.split("@")[0]!, ...tails];
  });
  for (const q of ["@posthorn", ...sought, ...sums.flatMap((sum) => [`₹${sum}`, `${sum}.00`])]) {
    expect([q, await answerTo(q)]).toEqual([q, nothing]);
  }
  expect(leaks()).toEqual([]);
  // The search itself finds them where they are.
  const { text } = await (await adminOf(app))("/appointments");
  const found = secrets.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
  const wanted = secrets.filter(({ name }) => /^(e-mail k|id|sum 1(037|361|583))/.test(name));
  expect(found).toEqual(expect.arrayContaining(wanted.map(({ name }) => name)));
});

it("no answer to a write holds one, and none stands there after it", async () => {
  const past = uids.find((uid) => {
    const row = app.db.firstRaw<{ at: number }>(
      "SELECT starts_at AS at FROM appointment WHERE calendar_uid = ?",
      [uid],
    );
    return row!.at < Date.now();
  })!;
  const call = (method: string, path: string, json: object) =>
    ask(`/api/admin/${path}`, { method, json });
  const ok = async (answer: Promise<ApiAnswer>) => expect((await answer).status).toBeLessThan(300);
  await ok(call("PUT", `appointments/${past}/attendance`, { attendance: "completed" }));
  await ok(call("PATCH", `appointments/${past}`, { staffNote: "Asked for a book" }));
  const answers = async (answer: Promise<ApiAnswer>, status = 303) =>
    expect((await answer).status).toBe(status);
  await answers(call("PATCH", `appointments/${past}`, { email: "a@b.example" }), 403);
  const plan = "First the class 2 medical";
  await ok(call("PUT", `appointments/${past}/plan`, { text: plan }));
  await ok(call("PUT", `appointments/${past}/plan`, { text: plan, send: true }));
  await answers(call("PUT", `ratings/${"a".repeat(26)}`, { hidden: "abuse" }), 403);
  const [date, times] = [dayAhead(12), ["09:00", "11:00", "14:00"]];
  const block = { counselor: ASHA, date, timeSlotsToBlock: times, action: "block" };
  await ok(call("POST", "blocks", block));
  await ok(call("POST", "slots", { counselor: ASHA, date, timeSlots: ["20:00"] }));
  await ok(call("POST", "leave", { counselor: ASHA, from: dayAhead(13), to: dayAhead(14) }));
  await ok(call("PUT", "counselors/asha/hours", { week: null, bufferMinutes: 60 }));
  const form = (path: string, fields: Record<string, string>) => ask(path, { form: fields });
  const attendance = { attendance: "no_show", back: `/admin/sessions/${past}` };
  await answers(form(`/admin/appointments/${past}/attendance`, attendance));
  await answers(form(`/admin/sessions/${past}`, { staffNote: "By form", version: "1" }), 409);
  await answers(form(`/admin/sessions/${past}`, { staffNote: "By form" }));
  const planForm = `/admin/appointments/${past}/plan`;
  for (const intent of ["draft", "send"]) {
    await answers(form(planForm, { intent, text: `${plan}, ${intent}`, version: "1" }), 409);
    await answers(form(planForm, { intent, text: `${plan}, ${intent}` }));
  }
  await answers(form(planForm, { intent: "send", text: "" }), 400);
  const days = { from: dayAhead(30), to: dayAhead(30) };
  await answers(form("/admin/schedule/asha", { intent: "leave-add", ...days }), 200);
  await answers(form("/admin/schedule/asha", { intent: "leave-add", forAll: "on", ...days }), 403);
  const slots = { counselor: ASHA, date: dayAhead(15), timeSlotsToBlock: "09:00" };
  await answers(form("/admin/slots", { ...slots, action: "block" }), 200);
  await answers(form("/admin/slots", { ...slots, counselor: ROHAN, action: "block" }), 403);
  await answers(form("/admin/account", { intent: "new-feed-address", counselor: ROHAN }), 403);
  for (const page of ["/admin", "/admin/schedule/asha", `/admin/slots?date=${date}`]) {
    const { text } = await ask(page);
    if (page !== "/admin") expect(text).toContain("affected");
    await ask(`${page.replace("?", ".data?")}${page.includes("?") ? "" : ".data"}`);
  }
  expect(leaks()).toEqual([]);
});

it("no mail holds one, with all that is attached, nor does the feed", async () => {
  const to = findAppointment(app.db, bookings[0]!.id)!.counselorEmail!;
  const kinds = ["New session", "Moved to", "Cancelled", "No longer yours", "Details corrected"];
  const mails = () => app.sandbox.mailbox.list({ to });
  await eventually(() => {
    const subjects = mails().map(({ subject }) => subject);
    for (const kind of kinds) expect(subjects.join("\n")).toContain(kind);
  });
  for (const mail of mails()) {
    const stored = app.sandbox.mailbox.find(mail.n)!;
    const parts = [stored.raw.toString("utf8"), mail.text, mail.html ?? "", mail.subject];
    const headers = mail.headers.map(({ key, value }) => `${key}: ${value}`);
    const files = stored.files.map((file) => file.toString("utf8"));
    const text = [...parts, ...headers, ...files].map(unescaped).join("\n");
    received.push({ from: `mail ${mail.subject}`, text });
  }
  const account = await captainAccount(app);
  expect(app.sandbox.mailbox.list({ to: account.email })).toEqual([]);
  const { secret } = listFeeds(app.db).find(({ counselorKey }) => counselorKey === "asha")!;
  const { text: feed } = await ask(`/calendar/${secret}.ics`);
  // Long lines are folded.
  received.push({ from: "feed", text: feed.replaceAll(/\r\n[ \t]/g, "") });
  expect(feed).toContain(uids[0]);
  expect(leaks()).toEqual([]);
});
