/** What the desk's pages say, as the server answers them; what only a browser shows is in tests/browser. */
import { describe, expect, it } from "vitest";
import { addDays, adminDate, adminDay, instantOf } from "#app/model/dates.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { book, bookAndPay, bookConfirmed, makeOrder, UNKNOWN_ID } from "#tests/support/admin.ts";
import { ASHA, addBusyTime, dayAhead, daysFrom, ROHAN } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const nextDay = daysFrom(20);

const read = (path: string) => admin.page(path);

describe("an appointment's panel", () => {
  it("says everything about it", async () => {
    const date = nextDay();
    const notes = "Can I become a pilot with glasses?";
    const changes = { counselor: ROHAN, date, notes };
    const { id, body, paymentId } = await bookAndPay(app, changes);
    const { words, html } = await read(`/admin/appointments/${id}`);
    const own = `${app.origin}/booking/${id}`;
    for (const to of [`tel:+91${body.phone}`, `mailto:${body.email}`, own]) {
      expect(html).toContain(`href="${to}"`);
    }
    expect(html).toContain(`value="${own}"`);
    for (const said of [
      ...["Confirmed", body.name, body.email, `+91${body.phone}`, id.slice(-8), ROHAN],
      ...[adminDay(date), "30 minutes", "₹999.00", "₹180.00", "₹1,179.00", paymentId, notes],
      ...["Customer Information", "Payment Information", "Messages", "History"],
    ]) {
      expect(words).toContain(said);
    }
  });

  it("is 404 for an unknown id", async () => {
    const { words, status } = await read(`/admin/appointments/${UNKNOWN_ID}`);
    expect(status).toBe(404);
    expect(words).toContain("This appointment does not exist");
  });

  it("names before deleting the documents that exist, and that nobody is notified", async () => {
    const said = async (id: string) => (await read(`/admin/appointments/${id}/delete`)).words;
    const unpaid = await book(app, { date: nextDay() });
    expect(await said(unpaid.id)).not.toMatch(/credit note|invoice \S*\d|still arrives/);
    await makeOrder(app, unpaid.id);
    const late = "A payment that still arrives waits under Unmatched payments.";
    expect(await said(unpaid.id)).toContain(late);
    const { id } = await bookAndPay(app, { date: nextDay() });
    expect(await said(id)).toMatch(
      /Kept, as tax law demands, until 72 months after the due date of that year’s annual return \(Dec 31, 20\d\d\): invoice \S+\d,/,
    );
    expect(await said(id)).toContain("Neither the customer nor the captain is notified of it.");
    expect(await said(id)).not.toMatch(/credit note|still arrives/);
    await admin(`/appointments/${id}/cancel`, { method: "POST", json: {} });
    await eventually(async () => {
      const { data } = await admin(`/appointments/${id}`);
      expect(await said(id)).toContain(`credit note ${data.creditNote.number}`);
    });
  });

  it("says on the Documents page until which day a month's are kept", async () => {
    expect((await read("/admin/documents?month=2026-11")).words).toContain(
      "nothing is deleted by itself. Tax law wants them kept until 72 months after the due date of that year’s annual return (for this month: Dec 31, 2033).",
    );
  });

  it("says in the list that there is no invoice before the payment", async () => {
    const { id } = await book(app, { date: nextDay() });
    const answer = await admin.page(`/admin/appointments/${id}/invoice`);
    const { words } = await admin.after(answer, "/admin");
    expect(words).toContain("Invoice Not Available");
    expect(words).toContain("Invoice is not available for this appointment.");
  });
});

describe("the list", () => {
  it("shows a booking in the words of the specification", async () => {
    const date = nextDay();
    const changes = { date, counselor: ROHAN, package: 45, packagePrice: 1299, name: "Tara Lone" };
    const { id, body } = await bookAndPay(app, changes);
    const { words } = await read("/admin?q=Tara+Lone");
    for (const said of [`#${id.slice(-6)}`, body.email, adminDate(date), "45 min", ROHAN]) {
      expect(words).toContain(said);
    }
    for (const said of ["₹1,299 + GST", "Confirmed", "₹1,533.00", "Total Appointments 1"]) {
      expect(words).toContain(said);
    }
    expect(words).toMatch(/Pending Payment 0 .*Revenue ₹1,533 /);
  });

  it("leads to what is to come and what was, filters kept", async () => {
    const kept = { q: "Tara Lone", counselor: ROHAN };
    const { html } = await read(`/admin?${new URLSearchParams(kept)}`);
    const [spans = ""] = /<nav aria-label="Sessions by date".*?<\/nav>/s.exec(html) ?? [];
    expect(spans).toMatch(/<a [^>]*aria-current="true"[^>]*>All</);
    const links = [...spans.matchAll(/<a [^>]*href="([^"#]*)[^>]*>(\w+)</g)].map(
      ([, to = "", word]) => [word, to.replaceAll("&amp;", "&")],
    );
    const asked = ([word, to = ""]: (string | undefined)[]) => [
      word,
      Object.fromEntries(new URL(to, app.origin).searchParams),
    ];
    const today = dayAhead(0);
    expect(links.map(asked)).toEqual([
      ["All", kept],
      ["Upcoming", { ...kept, startDate: today, sort: "date" }],
      ["Past", { ...kept, endDate: addDays(today, -1) }],
    ]);
    const upcoming = await read(links[1]![1]!);
    expect(upcoming.words).toContain("1 appointment, page 1 of 1, sorted by oldest session first");
    expect((await read(links[2]![1]!)).words).toContain("No appointments found");
  });
});

it("the calendar names leave, busy and blocked time, and what stands in it", async () => {
  const date = nextDay();
  await bookConfirmed(app, { date, timeSlot: "11:00", counselor: ASHA });
  await admin("/leave", { json: { counselor: ASHA, from: date, to: date, reason: "Line check" } });
  addBusyTime(app.db, "rohan", instantOf(date, "09:10"), instantOf(date, "09:50"));
  const { words } = await read(`/admin/calendar?view=day&date=${date}`);
  expect(words).toContain("On leave: Line check");
  expect(words).toMatch(/11:00 AM 30 min Meera Pillai Confirmed\s+On leave/);
  expect(words).toContain("Busy 9:10 AM to 9:50 AM");
  const month = await read(`/admin/calendar?view=month&date=${date}`);
  expect(month.words).toContain(`On leave: ${ASHA}`);
  const wrong = await read("/admin/calendar?view=year&date=2026-02-30&counselor=Nobody");
  expect(wrong.words).toContain("names a view, date or captain that does not exist");
  expect(wrong.words).toContain(adminDay(dayAhead(0)));
});

it("the activity log says who did what, and the values in full", async () => {
  const { id } = await bookAndPay(app, { date: nextDay() });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  const q = new URLSearchParams({ q: `appointment cancelled #${id.slice(-6)}` });
  const { words } = await read(`/admin/activity?${q}`);
  expect(words).toMatch(/admin .*status from Confirmed to Cancelled;.* refund ₹1,179/);
  expect(words).toContain('"status": "cancelled"');
});

it("the booking form says what can be paid with, the refund rule and the tax number", async () => {
  const { words, html } = await app.api("/");
  expect(words).toContain("By UPI, card or netbanking");
  expect(words).toContain(`GSTIN ${app.env.BUSINESS_GSTIN}`);
  expect(words).toContain("full refund until 24 hours before the start.");
  expect(words).toContain("Cancellation and refunds");
  for (const [name, kind] of Object.entries({ name: "name", email: "email", phone: "tel" })) {
    const [input] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)!;
    expect(input.toLowerCase()).toContain(`autocomplete="${kind}"`);
  }
});

/** What is refused where no script runs. */
async function refused(path: string, form: Record<string, string>, ask = admin.page) {
  const answer = await ask(path, { form });
  const control = (name: string) =>
    new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(answer.text)?.[0];
  return { ...answer, control };
}
const FOCUS = /autofocus/i;

it("no password comes back, and the wrong one of the pair has the focus", async () => {
  const answer = await refused("/admin/account", {
    intent: "password",
    currentPassword: ADMIN.password,
    newPassword: "a calm new evening",
    confirmPassword: "a calm other evening",
  });
  expect(answer.status).toBe(400);
  expect(answer.words).toContain("Passwords don't match");
  for (const typed of [ADMIN.password, "a calm new evening", "a calm other evening"]) {
    expect(answer.text).not.toContain(typed);
  }
  expect(answer.control("confirmPassword")).toMatch(FOCUS);
  expect(answer.control("newPassword")).not.toMatch(FOCUS);
});

it("the name that was typed comes back to the sign-in, the password does not", async () => {
  const typed = { username: "asha of the desk", password: "not this one" };
  const answer = await refused("/admin", typed, app.api);
  expect(answer.status).toBe(401);
  expect(answer.control("username")).toContain("asha of the desk");
  expect(answer.text).not.toContain("not this one");
});

it("a correction that another admin overtook keeps what was typed, and shows what is saved", async () => {
  const { id } = await book(app, { date: nextDay() });
  const path = `/admin/appointments/${id}/edit`;
  /** The fields as the page was filled, and what it sends to say so. */
  const filled = (html: string) => {
    const shown = /name="shown" value="([^"]*)"/.exec(html)![1]!.replaceAll("&quot;", '"');
    return { ...(JSON.parse(shown) as Record<string, string>), shown };
  };
  const form = { ...filled((await read(path)).html), email: "right@example.in" };
  const other = { name: "Kavya of the Other", email: "other@example.in" };
  await admin(`/appointments/${id}`, { method: "PATCH", json: other });
  const stale = await refused(path, form);
  expect(stale.status).toBe(409);
  expect(stale.words).toContain(`Saved at present: ${other.email}`);
  expect(stale.control("email")).toContain(form.email);
  expect(stale.control("name")).toContain(other.name);
  const again = await admin.page(path, { form: { ...filled(stale.html), email: form.email } });
  expect(again.status).toBe(303);
  const { data } = await admin(`/appointments/${id}`);
  expect(data.appointment).toMatchObject({ name: other.name, email: form.email });
});
