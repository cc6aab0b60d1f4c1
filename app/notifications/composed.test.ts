/** What every queued message becomes, whole, against a golden file. */
import { beforeEach, expect, it } from "vitest";
import { dateInIndia } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { setOptOut } from "#db/queries/message-leases.server.ts";
import type { Message } from "#db/queries/messages.server.ts";
import { creditNoteRow, ledgerRow } from "#tests/support/ledger-rows.ts";
import { WHATSAPP } from "#tests/support/money-outside.ts";
import { SAMPLE_NOW } from "#tests/support/sample-messages.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { composeMessage } from "./compose.server.ts";

const { deps, db, add } = storedRows(WHATSAPP);

const money = { paymentId: "pay_1", amountPaise: 117_900 };

beforeEach(() => {
  const starts_at = SAMPLE_NOW + 86_400_000;
  const row = { starts_at, name: "Priya", on_date: dateInIndia(starts_at), calendar_uid: "uid" };
  add("appointment", "x", { ...row, notes: "Why?", client_address: "192.0.2.1" });
  add("payment", "pay_x", { appointment_id: "x", outcome: "applied" });
  add("payment", "pay_y");
  add("payment", "pay_1", { outcome: "unmatched" });
  insertDocument(db(), ledgerRow({ number: "AC/1", appointmentId: "x" }));
  const note = { number: "CN/1", appointmentId: "x", invoiceNumber: "AC/1" };
  insertDocument(db(), creditNoteRow(note));
  const ofX = { payment_id: "pay_x", appointment_id: "x" };
  add("refund", "older", { ...ofX, amount_paise: 100, reason: "second" });
  add("refund", "newer", { ...ofX, amount_paise: 200, created_at: 1, reason: "cancelled" });
  add("refund", "other", { payment_id: "pay_y", amount_paise: 300, created_at: 2 });
});

const message = (kind: Message["kind"], changes: Partial<Message> = {}): Message => ({
  id: "m",
  cause: "c",
  kind,
  channel: "email",
  audience: "customer",
  recipient: "to@b.in",
  appointmentId: "x",
  data: {},
  state: "queued",
  attempts: 0,
  lastError: null,
  transportId: null,
  notAfter: null,
  nextTryAt: 1,
  createdAt: 0,
  sentAt: null,
  ...changes,
});

/** What the message becomes, in a line. */
async function composed(one: Message, now = SAMPLE_NOW): Promise<string> {
  const documents = { renderDocument: async () => Buffer.from("%PDF") } as never;
  const made = await composeMessage({ ...deps(), now: () => now, documents }, one);
  if (made.kind === "not_sent") return `not sent: ${made.reason}`;
  if (made.kind === "whatsapp") return `WhatsApp ${JSON.stringify(made.message)}`;
  const { mail } = made;
  const files = mail.attachments.map(({ filename, contentType }) => `${filename} ${contentType}`);
  const attendee = /ATTENDEE.*CN="(.*?)".*:MAILTO:(.*)/.exec(
    mail.calendar?.content.replaceAll("\r\n ", "") ?? "",
  );
  const entry = /SUMMARY:(.*)/.exec(mail.calendar?.content ?? "")?.[1]?.trim() ?? "";
  const says = /calendar invite|attached (invite|calendar file)/.exec(
    mail.text.replace(/\s+/g, " "),
  );
  const invite = mail.calendar && `${mail.calendar.method} ${attendee?.[1]} <${attendee?.[2]}>`;
  const refund =
    /refund( of your [a-z ]+,| of|:) +₹[\d.,]*\d/i.exec(mail.text.replace(/\s+/g, " "))?.[0] ?? "";
  const stamp = /CANCELLED –.*/.exec(mail.text)?.[0];
  const links = mail.text.match(/booking\/\w+/g)?.join() ?? "";
  return [
    `${mail.messageId} to ${JSON.stringify(mail.to.name)} <${mail.to.address}>`,
    ...[mail.subject, files.join(" and "), invite ?? "", entry, says?.[0] ?? "", refund, links],
    ...(stamp ? [stamp] : []),
  ].join(" | ");
}

it("turns these messages into these mails and WhatsApp texts", async () => {
  const { endsAt } = findAppointment(db(), "x")!;
  const status = (word: string) => db().runRaw("UPDATE appointment SET status = ?", [word]);
  const captain = { audience: "counselor" } as const;
  const whatsapp = { channel: "whatsapp", recipient: "+919000000000" } as const;
  const same = { startsAt: findAppointment(db(), "x")!.startsAt, sequence: 0 };
  const lines: string[] = [];
  const add = async (name: string, one: Message, now?: number) =>
    void lines.push(`${name}: ${await composed(one, now)}`);
  await add("confirmed", message("booking_confirmed"));
  await add("sent again", message("booking_confirmed", { data: { resend: 2 } }));
  await add("confirmed at its end", message("booking_confirmed"), endsAt);
  await add("confirmed before its end", message("booking_confirmed"), endsAt - 1);
  await add("by WhatsApp", message("booking_confirmed", whatsapp));
  await add("moved", message("booking_rescheduled", { data: same }));
  await add("captain's", message("counselor_new", captain));
  await add("captain's at its end", message("counselor_new", captain), endsAt);
  await add("captain's, moved", message("counselor_moved", { ...captain, data: same }));
  await add("reminder", message("reminder_24h", { data: { ...same, hours: 24 } }));
  const returnedAs = (data: Message["data"]) => message("payment_refunded", { data });
  await add("returned", returnedAs({ ...money, refundId: "older" }));
  await add("returned, of another", returnedAs({ paymentId: "pay_y", refundId: "other" }));
  await add("returned, its refund unnamed", returnedAs({ paymentId: "pay_x" }));
  await add("returned, its refund gone", returnedAs({ refundId: "gone" }));
  const underWay = message("refund_under_way", { data: { refundId: "newer" } });
  const refundIs = (way: string, state: string) =>
    db().runRaw("UPDATE refund SET way = ?, state = ? WHERE id = 'newer'", [way, state]);
  await add("under way", underWay);
  refundIs("provider", "superseded");
  await add("under way, gone back another way", underWay);
  refundIs("dashboard", "failed");
  await add("under way, failed in the dashboard", underWay);
  refundIs("provider", "failed");
  await add("under way, failed", underWay);
  refundIs("by_hand", "needs_person");
  await add("under way, by hand", underWay);
  refundIs("provider", "wanted");
  await add("to the owner", message("admin_dispute", { audience: "admin" }));
  await add(
    "to the owner, deleted",
    message("admin_dispute", { audience: "admin", appointmentId: "gone" }),
  );
  const ofNobody = { audience: "admin", appointmentId: null, data: money } as const;
  await add("of nobody", message("admin_unmatched_payment", ofNobody));
  for (const outcome of ["assigned", "returned"]) {
    db().runRaw("UPDATE payment SET outcome = ? WHERE payment_id = 'pay_1'", [outcome]);
    await add(`of nobody, ${outcome} since`, message("admin_unmatched_payment", ofNobody));
  }
  await add("deleted", message("booking_confirmed", { appointmentId: "gone" }));
  const linksOf = (appointmentIds?: string[]) =>
    message("booking_links", { appointmentId: null, data: { appointmentIds }, recipient: asker });
  const asker = findAppointment(db(), "x")!.contact.email.toUpperCase();
  await add("links", linksOf(["gone", "x"]));
  await add("links, corrected since", { ...linksOf(["x"]), recipient: "wrong@b.in" });
  await add("links of none", linksOf(["gone"]));
  await add("links of nothing", linksOf());
  setOptOut(db(), "+919000000000", true, 1);
  await add("by WhatsApp after a stop", message("booking_confirmed", whatsapp));
  await add("by mail after a stop", message("booking_confirmed", { recipient: "+919000000000" }));
  status("cancelled");
  const ofNewer = { wasPaid: true, refundWanted: true, refundId: "newer" };
  await add("cancelled", message("booking_cancelled", { data: { wasPaid: true } }));
  await add(
    "cancelled at its end",
    message("booking_cancelled", { data: { wasPaid: true } }),
    endsAt,
  );
  await add("cancelled, its refund named", message("booking_cancelled", { data: ofNewer }));
  refundIs("provider", "processed");
  await add("cancelled, its refund sent", message("booking_cancelled", { data: ofNewer }));
  db().runRaw("UPDATE refund SET reason = 'second' WHERE id = 'newer'");
  const late = { wasPaid: true, refundWanted: false };
  await add("cancelled, a second payment sent back", message("booking_cancelled", { data: late }));
  await add("cancelled, never paid", message("booking_cancelled"));
  await add(
    "captain's, cancelled",
    message("counselor_cancelled", { ...captain, data: { wasPaid: true } }),
  );
  status("pending_payment");
  db().runRaw("UPDATE payment SET outcome = 'time_gone' WHERE payment_id = 'pay_x'");
  await add("moved, unpaid", message("booking_rescheduled", { data: same }));
  await add("not paid", message("booking_unpaid"));
  const other = { ...whatsapp, recipient: "+911" };
  await add("without a template", message("booking_unpaid", other));
  const lateRefund = { audience: "admin", data: { refundId: "older" } } as const;
  await add("a refund", message("admin_late_refund", lateRefund));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-mails.txt");
});
