/** Staff's forms about bookings and money, as a browser without scripts sends them. */
import { describe, expect, it } from "vitest";
import { issueCreditNote } from "#app/documents/issue.server.ts";
import { newId } from "#app/model/ids.ts";
import { findRefund } from "#db/queries/payments.server.ts";
import { book, bookAndPay, bookConfirmed, endHold } from "#tests/support/admin.ts";
import { dayAhead, daysFrom, ROHAN, bookingForm as visitorForm } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

async function ask(path: string, fields?: Record<string, string>) {
  const { status, to, html, words: text } = await admin.page(path, { form: fields });
  const control = (name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0];
  const value = (name: string) => /value="([^"]*)"/.exec(control(name) ?? "")?.[1];
  return { status, to, html, text, control, value };
}

/** The page with the notice that a form leads to. */
async function saidAfter(path: string, form: Record<string, string>) {
  const done = await admin.page(path, { form });
  expect(done.status, done.text).toBe(303);
  return (await admin.after(done, "/admin")).text;
}

const count = (sql: string, ...values: string[]) =>
  app.db.firstRaw<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, values)!.n;

const nextDay = daysFrom(12);
function bookingForm(changes: Record<string, string> = {}) {
  const visitor = visitorForm({ counselor: ROHAN, date: nextDay() });
  return { ...visitor, email: visitor.email!, payBy: "link", intent: "book", ...changes };
}

const NEW = "/admin/appointments/new";

async function booked(changes: Record<string, string> = {}) {
  const answer = await ask(NEW, bookingForm(changes));
  expect(answer.status, answer.text).toBe(303);
  return /appointments\/(\w+)/.exec(answer.to!)![1]!;
}

describe("a booking by staff", () => {
  it("leads to its panel with the link, and a repeat of the form to the same booking", async () => {
    const formKey = (await ask(NEW)).value("formKey")!;
    expect(formKey).toMatch(/^[a-z0-9]{26}$/);
    const form = bookingForm({ formKey });
    const answers = await Promise.all([ask(NEW, form), ask(NEW, form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]!.to).toBe(answers[1]!.to);
    expect(count("appointment WHERE email = ?", form.email)).toBe(1);
    const panel = await ask(answers[0]!.to!);
    expect(panel.text).toMatch(/Payment link .*It can be paid until [A-Z][a-z]{2} \d\d, \d{4}, /);
    expect(panel.text).toMatch(/Held until [A-Z][a-z]{2} \d\d, \d{4}, /);
    expect(panel.html).toMatch(/value="http[^"]*\/booking\/[a-z0-9]{26}"/);
    // The same form with something else in it is no repeat, and books nothing.
    const other = await ask(NEW, { ...form, timeSlot: "16:00" });
    expect(other.status).toBe(409);
    expect(other.text).toContain("This form was sent before");
    expect(count("appointment WHERE email = ?", form.email)).toBe(1);
  });

  it("refused keeps every word, with each fault at its field", async () => {
    const typed = { name: "Nikhil D.", phone: "12", staffNote: "Rang twice", gstin: "29ABCDE" };
    const outside = { payBy: "offline", method: "" };
    const answer = await ask(NEW, bookingForm({ ...typed, ...outside }));
    expect(answer.status).toBe(400);
    expect(answer.value("name")).toBe("Nikhil D.");
    expect(answer.text).toContain("Rang twice");
    for (const name of ["phone", "gstin"]) expect(answer.control(name)).toContain("aria-invalid");
    expect(answer.text).toContain("Please select how it was paid");
    expect(answer.control("timeSlot")).toBeDefined();
    expect(answer.html).toMatch(/value="10:00"[^>]*checked|checked[^>]*value="10:00"/);
    const future = bookingForm({ payBy: "offline", method: "cash", receivedOn: dayAhead(1) });
    expect((await ask(NEW, future)).control("receivedOn")).toContain("aria-invalid");
  });

  it("takes no other total than the form showed, and shows the new one with what was typed", async () => {
    const shownTotal = (await ask(NEW)).value("shownTotal")!;
    app.db.runRaw("UPDATE package SET price_rupees = 1299 WHERE minutes = 60");
    const paid = { package: "60", payBy: "offline", method: "cash" };
    const form = { ...bookingForm(paid), shownTotal };
    const refused = await ask(NEW, form);
    expect([refused.status, count("appointment WHERE email = ?", form.email)]).toEqual([409, 0]);
    expect(refused.text).toContain("₹1,299 + GST = ₹1,533. If the customer agrees");
    expect(refused.value("email")).toBe(form.email);
    const said = await saidAfter(NEW, { ...form, shownTotal: refused.value("shownTotal")! });
    expect(said).toContain("₹1,533.00 is paid");
  });

  it("finds who booked before by name, phone and email, and fills the form with one click", async () => {
    const { id, body } = await bookConfirmed(app, { name: "Zubin Irani", date: dayAhead(70) });
    for (const q of ["zubin", body.phone, body.email]) {
      const found = await ask(NEW, bookingForm({ q, intent: "enter", staffNote: "Rang twice" }));
      expect(found.status).toBe(200);
      expect(found.html).toMatch(new RegExp(`<button[^>]*value="${id}"`));
      expect(found.text).toContain("Rang twice");
      expect(found.html).toContain(`value="${q}"`);
    }
    const picked = await ask(NEW, { ...bookingForm({ name: "", intent: "" }), pick: id });
    expect(picked.value("name")).toBe("Zubin Irani");
    expect(picked.value("email")).toBe(body.email);
    const nobody = await ask(NEW, bookingForm({ q: "qqqqq", intent: "find" }));
    expect(nobody.text).toContain("Nobody with these words has booked before");
  });

  it("is booked by Enter where the query left in its field was answered, and only then", async () => {
    const enter = bookingForm({ q: "qqqqq", intent: "enter" });
    const searched = (await ask(NEW, enter)).value("searched")!;
    expect(searched).toBe("qqqqq");
    // Enter twice in the field of the search, before a customer is typed.
    expect((await ask(NEW, { ...enter, searched, name: "" })).status).toBe(200);
    expect((await ask(NEW, { ...enter, searched, q: "other" })).status).toBe(200);
    const refused = await ask(NEW, { ...enter, searched, email: "none" });
    expect([refused.status, refused.value("searched")]).toEqual([400, "qqqqq"]);
    expect((await ask(NEW, { ...enter, searched })).status).toBe(303);
  });
});

describe("a chosen time", () => {
  const isChosen = (html: string, time: string) =>
    new RegExp(`<input(?=[^>]*value="${time}")[^>]* checked`).test(html);

  it("stays with another package, day or captain if it fits, else it is named", async () => {
    const date = nextDay();
    const { id } = await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "11:00" });
    const at = (changes: Record<string, string>) =>
      ask(`${NEW}?${new URLSearchParams({ counselor: ROHAN, date, ...changes })}`);
    const lost = "10:30 AM is not free here. Please choose another time.";
    const fits = await at({ package: "30", timeSlot: "10:30" });
    expect([isChosen(fits.html, "10:30"), fits.text.includes("not free here")]).toEqual([
      ...[true, false],
    ]);
    expect((await at({ package: "60", timeSlot: "10:30" })).text).toContain(lost);
    expect((await at({ package: "60", time: "10:30" })).text).toContain(lost);
    expect((await at({ package: "60", timeSlot: "<b>" })).text).not.toContain("not free here");
    await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "15:00" });
    const move = (newTimeSlot: string) =>
      ask(`/admin/appointments/${id}/reschedule?${new URLSearchParams({ date, newTimeSlot })}`);
    expect(isChosen((await move("16:00")).html, "16:00")).toBe(true);
    expect((await move("15:00")).text).toContain("3:00 PM is not free here.");
  });

  it("is used by Enter: the form's first button is not the one that shows another day", async () => {
    const { id } = await bookConfirmed(app, { counselor: ROHAN, date: nextDay() });
    const paths = [
      `/admin/appointments/${id}/reschedule`,
      "/admin/slots",
      "/admin/slots?tab=block",
    ];
    for (const path of paths) {
      const { html } = await ask(path);
      const form = html.slice(html.search(/<form[^>]*id="(reschedule|slots)"/));
      const first = /<button[^>]*type="submit"[^>]*>/.exec(form)?.[0];
      expect([path, first]).toEqual([path, expect.not.stringMatching(/formmethod/i)]);
    }
  });
});

function addPayment(paymentId: string, outcome: string, appointmentId: string | null = null): void {
  app.db.runRaw(
    `INSERT INTO payment (payment_id, appointment_id, amount_paise, currency, provider_status, outcome, captured_at, created_at, updated_at)
     VALUES (?, ?, 117900, 'INR', 'captured', ?, 1, 1, 1)`,
    [paymentId, appointmentId, outcome],
  );
}

/** The provider has refused to send a part of its money back. */
function refuseRefund(appointmentId: string): string {
  const id = newId();
  app.db.runRaw(
    `INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, way, reason, fault, last_error, created_at, updated_at)
     SELECT ?, payment_id, appointment_id, 10000, 'needs_person', 'provider', 'by_staff', 'rejected', 'rejected: no', 1, 1
     FROM payment WHERE appointment_id = ?`,
    [id, appointmentId],
  );
  return id;
}

describe("money by hand", () => {
  it("gives a part back once; a row changed meanwhile keeps what was typed", async () => {
    const id = await booked({ payBy: "offline", method: "cash" });
    const page = `/admin/appointments/${id}/refund`;
    const { value } = await ask(page);
    const keys = { formKey: value("formKey")!, version: value("version")! };
    const form = { ...keys, amount: "179", reason: "It began late" };
    const tooMuch = await ask(page, { ...form, amount: "1179.01" });
    expect(tooMuch.status).toBe(400);
    expect(tooMuch.control("amount")).toContain("aria-invalid");
    expect(tooMuch.value("reason")).toBe("It began late");
    await admin(`/appointments/${id}`, { method: "PATCH", json: { name: "Nikhil P. Das" } });
    const stale = await ask(page, form);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain("Nikhil P. Das");
    expect(stale.value("amount")).toBe("179");
    // A share that is no longer on offer leaves all of what is kept chosen.
    const gone = await ask(page, { ...form, share: "2000.00" });
    expect(gone.html).toMatch(/<input(?=[^>]*name="share")[^>]*checked/);
    const fresh = { ...form, version: stale.value("version")! };
    for (const _ of [1, 2]) expect((await ask(page, fresh)).status).toBe(303);
    expect(count("refund WHERE appointment_id = ?", id)).toBe(1);
    const { text } = await ask(`/admin/appointments/${id}/delete`);
    expect(text).toContain(
      "Cancel first to refund ₹1,000.00 and notify Nikhil P. Das and the captain.",
    );
  });

  it("a cancellation promises a refund only where one is sent", async () => {
    const cancel = async (id: string) => {
      const page = `/admin/appointments/${id}/cancel`;
      const { value } = await ask(page);
      const form = { by: "business", reason: "", refund: "full", amount: "" };
      const keys = { version: value("version")!, formKey: value("formKey")! };
      const text = await saidAfter(page, { ...form, ...keys });
      return /The appointment of [^<]*has been cancelled\.[^<]*/.exec(text)?.[0];
    };
    const ours = await bookAndPay(app, { date: dayAhead(72) });
    expect(await cancel(ours.id)).toContain("We have asked Razorpay to send the money back.");
    const theirs = await bookAndPay(app, { date: dayAhead(73) });
    const payment = app.sandbox.ledger.requirePayment(theirs.paymentId);
    app.sandbox.desk.create(payment, { amount: 117_900 });
    await eventually(() =>
      expect(count("refund WHERE appointment_id = ? AND counts = 1", theirs.id)).toBe(1),
    );
    expect(await cancel(theirs.id)).toMatch(/has been cancelled\.$/);
  });

  it("says of unmatched money that it goes back only where some was left", async () => {
    addPayment("pay_left", "unmatched");
    addPayment("pay_gone", "unmatched");
    // The payment knows what a bank took back from its disputes alone.
    app.db.runRaw(
      "INSERT INTO dispute VALUES ('disp', 'pay_gone', 'chargeback', 'lost', 117900, 117900, NULL, 1, 1)",
    );
    const close = (paymentId: string) =>
      saidAfter("/admin/unmatched", { intent: "refund", paymentId });
    expect(await close("pay_left")).toContain("We have asked Razorpay to send the money back.");
    const gone = await close("pay_gone");
    expect(gone).toContain("Nothing of it was left to send back.");
    expect(gone).not.toContain("We have asked Razorpay");
  });

  it("warns of an open dispute wherever money goes back, and refuses a form from before it", async () => {
    const { id, paymentId } = await bookAndPay(app, { date: dayAhead(75) });
    const refundId = refuseRefund(id);
    addPayment("pay_disputed", "unmatched");
    const form = { intent: "refund", paymentId: "pay_disputed", warned: "no" };
    const pages = [`/admin/appointments/${id}`, `/admin/refunds/${refundId}/settle`];
    const warned = async (path: string) =>
      (await ask(path)).text.split("what you refund now goes back twice").length - 1;
    for (const page of [...pages, "/admin/unmatched"]) expect(await warned(page)).toBe(0);
    for (const of of [paymentId, "pay_disputed"]) {
      app.db.runRaw(
        "INSERT INTO dispute VALUES (?, ?, 'chargeback', 'open', 117900, 0, NULL, 1, 1)",
        [`disp_${of}`, of],
      );
    }
    for (const page of [...pages, "/admin/unmatched"]) expect(await warned(page)).toBe(1);
    const refused = await ask("/admin/unmatched", form);
    expect([refused.status, refused.value("warned")]).toEqual([409, "yes"]);
    expect(refused.text).toContain("disputes this payment meanwhile");
    await admin(`/appointments/${id}`, { method: "DELETE" });
    expect(await warned("/admin/unmatched")).toBe(2);
    expect(count("refund WHERE payment_id = ?", "pay_disputed")).toBe(0);
    await saidAfter("/admin/unmatched", { ...form, warned: "yes" });
    expect(count("refund WHERE payment_id = ?", "pay_disputed")).toBe(1);
  });

  it("offers to settle what the provider refused, and to try it again", async () => {
    const { id } = await bookAndPay(app, { date: dayAhead(71) });
    const refundId = refuseRefund(id);
    const { text } = await ask(`/admin/appointments/${id}`);
    expect(text).toContain("Try the refund again");
    expect(text).toContain("Mark as paid back");
    // A second payment has no invoice to be credited.
    const settling = `/admin/refunds/${refundId}/settle`;
    expect((await ask(settling)).text).toContain("The credit note is issued, the customer is");
    addPayment("pay_second", "returned", id);
    app.db.runRaw("UPDATE refund SET payment_id = 'pay_second' WHERE appointment_id = ?", [id]);
    const { text: second } = await ask(settling);
    expect(second).toContain("No invoice was issued, so there is no credit note");
    // While its fate is not known, nobody is led to pay it by hand.
    app.db.runRaw("UPDATE refund SET fault = 'unknown' WHERE appointment_id = ?", [id]);
    const unknown = await ask(`/admin/appointments/${id}`);
    expect(unknown.text).toContain("Try the refund again");
    expect(unknown.text).not.toContain("Mark as paid back");
    // Another owner has it sent again: nothing is settled by that.
    app.db.runRaw("UPDATE refund SET state = 'wanted' WHERE appointment_id = ?", [id]);
    expect((await ask(settling)).text).not.toContain("settled already");
    // Another owner was first, or the provider says that it has paid it.
    app.db.runRaw("UPDATE refund SET state = 'processed' WHERE appointment_id = ?", [id]);
    for (const [path, form] of [
      [`/admin/appointments/${id}`, { refund: refundId }],
      ["/admin/unmatched", { intent: "retry", paymentId: refundId }],
    ] as const) {
      expect(await saidAfter(path, form)).toContain("Nothing Sent Again");
    }
  });

  it("offers the same once the booking is deleted, and no new try of what is paid by hand", async () => {
    const { id, paymentId } = await bookAndPay(app, { date: dayAhead(74) });
    const lost = async () => {
      const { html } = await ask("/admin/unmatched");
      return html.slice(html.indexOf(paymentId)).split("</li>", 1)[0];
    };
    const refundId = refuseRefund(id);
    // One that was accepted before it failed has its own already.
    issueCreditNote(app.db, findRefund(app.db, refundId)!, Date.now());
    const { text } = await ask(`/admin/refunds/${refundId}/settle`);
    expect(text).toMatch(/Its credit note \S+\d stands, the customer is/);
    await admin(`/appointments/${id}`, { method: "DELETE" });
    expect(await lost()).toContain("Try the refund again");
    expect(await lost()).toContain(`/admin/refunds/${refundId}/settle`);
    app.db.runRaw("UPDATE refund SET way = 'by_hand' WHERE id = ?", [refundId]);
    expect(await lost()).toContain("Mark as paid back");
    expect(await lost()).not.toContain("Try the refund again");
  });
});

it("a late payer is held again and sent the link, unless another has the time by then", async () => {
  const { id, body } = await book(app, { date: dayAhead(80) });
  endHold(app, id);
  const path = `/admin/appointments/${id}/hold`;
  const backOf = (html: string) =>
    /<a [^>]*href="([^"]*)"[^>]*>(Back[^<]*)<\/a>/.exec(html)?.slice(1);
  const panel = await ask(`/admin/appointments/${id}`);
  expect(panel.text).toContain("Hold again and send the link");
  expect(backOf(panel.html)).toEqual(["/admin", "Back to the list"]);
  const { html, value } = await ask(path);
  expect(backOf(html)).toEqual([`/admin/appointments/${id}`, "Back"]);
  const form = { formKey: value("formKey")!, version: value("version")! };
  const other = await book(app, { date: dayAhead(80) });
  const refused = await ask(path, form);
  expect([refused.status, refused.text.includes("Not Held Again")]).toEqual([409, true]);
  endHold(app, other.id);
  expect((await ask(path, form)).status).toBe(303);
  const [mail] = await app.sandbox.mailbox.waitFor({ to: body.email, subject: "Please pay" });
  const link = `/booking/${id}`;
  expect(JSON.stringify(app.sandbox.mailbox.find(mail!.n))).toContain(app.origin + link);
  expect((await ask(link)).text).toContain("Start paying by");
});

it("cancelling for the customer in time offers no part, and gives all back whatever is sent", async () => {
  const id = await booked({ payBy: "offline", method: "cash" });
  const cancel = `/admin/appointments/${id}/cancel`;
  const page = await ask(cancel);
  expect(page.text).toContain("Who cancels");
  expect(page.control("amount")).toBeUndefined();
  const sent = { by: "customer", refund: "none", reason: "Ill" };
  const refused = await ask(cancel, sent);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("all of it goes back");
  expect(refused.value("reason")).toBe("Ill");
  // Said of a customer's cancellation, so it does not count for the business's.
  expect((await ask(cancel, { ...sent, by: "business" })).status).toBe(303);
  const { appointment } = (await admin(`/appointments/${id}`)).data;
  expect(appointment).toMatchObject({
    status: "cancelled",
    payments: [{ refund: { amount: 1179 } }],
  });
  expect((await ask(`/booking/${id}`)).text).toContain("Reason: Ill");
});

it("a message sent again is said to be queued only while it waits to be sent", async () => {
  const { id } = await bookAndPay(app, { date: dayAhead(85) });
  const message = await eventually(async () => {
    const [first] = (await admin(`/appointments/${id}`)).data.messages;
    expect(first.state).toBe("sent");
    return first;
  });
  const resend = { resend: message.id, sends: "0" };
  const path = `/admin/appointments/${id}`;
  expect(await saidAfter(path, resend)).toMatch(
    /Message Queued.*, unless it is no longer true by then/,
  );
  // The form is submitted once more, and the message has gone on meanwhile.
  app.db.runRaw("UPDATE message SET state = 'failed' WHERE id = ?", [message.id]);
  expect(await saidAfter(path, resend)).toMatch(/Nothing Sent Again<.*>Failed\./);
});
