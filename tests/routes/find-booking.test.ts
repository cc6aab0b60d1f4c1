/** Links by mail, never shown by the page; and the counselors' private feeds. */
import { describe, expect, it, vi } from "vitest";
import { addDays, DAY, instantOf } from "#app/model/dates.ts";
import { bookConfirmed, book as bookFor } from "#tests/support/admin.ts";
import { ASHA, type BookingBody, ROHAN } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const TODAY = "2027-05-03";
const START = instantOf(TODAY, "06:00");

let clock = START;
/** By this the clock goes on whenever the app reads it. */
let tick = 0;
const app = sharedApp({
  now: () => (clock += tick),
  env: { BOOKING_WINDOW_DAYS: "200", RATE_LIMIT: undefined, TRUSTED_PROXY_HEADER: "x-client" },
});

const book = async (changes: Partial<BookingBody>) => (await bookFor(app, changes)).id;
const bookPaid = async (changes: Partial<BookingBody>) => (await bookConfirmed(app, changes)).id;

async function ask(contact: string | { phone: string }) {
  const from = performance.now();
  const form = typeof contact === "string" ? { email: contact } : contact;
  const { status, to, text } = await app.api("/find-booking", { form });
  return { status, to, text, ms: performance.now() - from };
}

const linkMails = () =>
  app.db.allRaw<{ recipient: string; data: string; state: string }>(
    "SELECT recipient, data, state FROM message WHERE kind = 'booking_links' ORDER BY created_at",
  );

describe("find-booking", () => {
  it("mails every link of the last 90 days and ahead, to the address as stored", async () => {
    const email = "Kavya.Nair@example.in";
    const old = await bookPaid({ email, date: addDays(TODAY, 1) });
    const recent = await bookPaid({ email, date: addDays(TODAY, 10) });
    clock = START + 95 * DAY;
    const ahead = await bookPaid({ email, date: addDays(TODAY, 100), counselor: ROHAN });
    const unpaid = await book({ email, date: addDays(TODAY, 101) });
    const others = await book({ date: addDays(TODAY, 102) });
    const answer = await ask(" kavya.nair@EXAMPLE.in ");
    expect([answer.status, answer.to]).toEqual([303, "/find-booking?sent"]);
    const [mail] = await app.sandbox.mailbox.waitFor({
      to: email,
      subject: "The links to your bookings",
    });
    const text = mail!.text.replace(/\s+/g, " ");
    for (const id of [recent, ahead, unpaid])
      expect(mail!.text).toContain(`${app.origin}/booking/${id}`);
    for (const id of [old, others]) expect(mail!.text).not.toContain(id);
    expect(text).toContain("Confirmed.");
    expect(text).toContain("Pending Payment.");
    expect(linkMails()).toHaveLength(1);
    expect(linkMails()[0]!.recipient).toBe(email);
    expect(linkMails()[0]!.data).not.toContain("@");
  });

  it("answers alike and equally slowly for an address without bookings", async () => {
    const email = "dev.menon@example.in";
    await book({ email, phone: "98450 55501", date: addDays(TODAY, 104) });
    const before = linkMails().length;
    const known = await ask(email);
    const unknown = await ask("nobody.at.all@example.in");
    expect({ ...unknown, ms: 0 }).toEqual({ ...known, ms: 0 });
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(240);
    expect(linkMails()).toHaveLength(before + 1);
    clock += 61_000;
    const byPhone = await ask({ phone: "+91 98450 55501" });
    expect({ ...byPhone, ms: 0 }).toEqual({ ...known, ms: 0 });
    expect(linkMails()).toHaveLength(before + 2);
    const page = (await app.api(known.to!)).text;
    expect(page).toContain("If there are bookings under what you entered");
    expect(page).not.toContain("@example.in");
  });

  it("says how long to wait where an address asks too often in a day", async () => {
    const form = { email: "nobody@example.in" };
    const headers = { "X-Client": "192.0.2.1" };
    const send = () => app.api("/find-booking", { form, headers });
    // Every answer takes its quarter of a second; a program has a day for two hundred.
    const { setTimeout: after } = globalThis;
    const timers = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((run: () => void, ms?: number) =>
        after(run, ms === 250 ? 0 : ms)) as typeof setTimeout);
    tick = 2_000;
    const answers = await Promise.all(Array.from({ length: 200 }, send));
    const refused = await send();
    tick = 0;
    timers.mockRestore();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(refused.text).toContain("Please try again tomorrow");
  });

  it("says what is no address, and puts none into the page's own address", async () => {
    const answer = await ask("nowhere");
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Please enter a valid email");
    const wrong = await ask({ phone: "12345" });
    expect([wrong.status, wrong.text.includes("at least 10 digits")]).toEqual([400, true]);
    const empty = await ask({ phone: " " });
    expect(empty.text).toContain("Please enter the email address or the phone number");
    const form = (await app.api("/find-booking")).text;
    expect(form).toMatch(/<form[^>]*method="post"/);
    expect((await app.api("/")).text).toMatch(/<header.*href="\/find-booking".*<\/header>/s);
  });
});

describe("a counselor's feed", () => {
  const feedOf = (key: string) => {
    const sql = "SELECT secret FROM counselor_feed WHERE counselor_key = ?";
    return `${app.origin}/calendar/${app.db.firstRaw<{ secret: string }>(sql, [key])?.secret}.ics`;
  };
  const read = async (url: string) => {
    const response = await fetch(url);
    const text = await response.text();
    return { response, text: text.replaceAll("\r\n ", "") };
  };

  it("holds the captain's paid sessions, with what the captain needs", async () => {
    await bookPaid({
      name: "Tara Iyer",
      date: addDays(TODAY, 110),
      counselor: ASHA,
      notes: "Which medical first?",
    });
    await bookPaid({ name: "Om Das", date: addDays(TODAY, 110), counselor: ROHAN });
    await book({ name: "Not Paid", date: addDays(TODAY, 111), counselor: ASHA });
    const { response, text } = await read(feedOf("asha"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/calendar");
    expect(response.headers.get("cache-control")).toMatch(/^private\b/);
    expect(text).toContain("METHOD:PUBLISH");
    expect(text).toContain("SUMMARY:Session with Tara Iyer");
    expect(text).toContain("Question: Which medical first?");
    expect(text).not.toMatch(/Om Das|Not Paid|mailto:.*@example\.in/i);
    const rohans = await read(feedOf("rohan"));
    expect(rohans.text).toContain("SUMMARY:Session with Om Das");
    expect(rohans.text).toMatch(/LOCATION:You call Om Das on \+9198450\d{5}/);
  });

  it("is 404 for any other secret, and each secret has 160 bits", async () => {
    const url = feedOf("asha");
    expect(url).toMatch(/\/calendar\/[a-z2-9]{32}\.ics$/);
    expect(url).not.toBe(feedOf("rohan"));
    for (const wrong of [
      url.replace(/.\.ics$/, "!.ics"),
      `${app.origin}/calendar/asha.ics`,
      `${app.origin}/calendar/.ics`,
      feedOf("nobody"),
      `${app.origin}/calendar/%00.ics`,
    ]) {
      expect((await fetch(wrong)).status, wrong).toBe(404);
    }
  });
});
