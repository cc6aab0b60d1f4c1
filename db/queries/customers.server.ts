/** Customers: one per e-mail address, with the name of their newest booking. */
import { sql } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { PAID } from "#app/model/statuses.ts";
import { COUNT, type Db, literals, sqlite } from "#db/connection.server.ts";
import { type Condition, matchPeople, phrase } from "./appointment-search.server.ts";
import { appointments, isEmail, toAppointment } from "./appointments.server.ts";
import { type Message, messages, toMessage } from "./messages.server.ts";
import type { Payment } from "./payments.server.ts";
import { findAnswers } from "./preparation.server.ts";

export interface Customer {
  id: string;
  email: string;
  name: string;
  phone: string;
  /** All bookings, and those that are confirmed or rescheduled. */
  sessions: number;
  paid: number;
  /** The newest of all. */
  lastStartsAt: number;
}

/** By hand: the builder knows no search, and cannot say INDEXED BY. */
function listCustomers(db: Db, which: string, parameters: unknown[]): Customer[] {
  return db.allRaw(
    `SELECT c.id, c.sessions, c.paid, c.last_starts_at AS lastStartsAt, a.name, a.email, a.phone
     FROM (SELECT * FROM customer c ${which}) c
     JOIN appointment a ON a.seq = (SELECT max(seq) FROM appointment
       INDEXED BY appointment_by_email WHERE lower(email) = lower(c.email))
     ORDER BY c.last_starts_at DESC, c.seq DESC`,
    parameters,
  );
}

const PAGE = "ORDER BY last_starts_at DESC, seq DESC LIMIT ? OFFSET ?";

/** Those with the newest session first. */
export function readCustomerPage(
  db: Db,
  q: string | undefined,
  { page, pageSize }: { page: number; pageSize: number },
): { rows: Customer[]; total: number } {
  const match = matchPeople(q);
  const paged = [pageSize, (page - 1) * pageSize];
  if (match === null) {
    const total = db.first(sqlite.selectFrom("customer").select(COUNT))!.count;
    return { rows: listCustomers(db, PAGE, paged), total };
  }
  const { count, json } = findEmails(db, match);
  const sought = "WHERE email IN (SELECT value FROM json_each(?))";
  return { rows: listCustomers(db, `${sought} ${PAGE}`, [json, ...paged]), total: count };
}

function findEmails(db: Db, match: Condition): { count: number; json: string } {
  return db.firstRaw(
    `SELECT count(*) AS count, json_group_array(email) AS json FROM (
       SELECT DISTINCT lower(a.email) AS email FROM (${match.sql}) found
       CROSS JOIN appointment a ON a.seq = found.seq WHERE a.email <> '')`,
    match.parameters,
  )!;
}

export function findCustomer(db: Db, id: string): Customer | null {
  return listCustomers(db, "WHERE c.id = ?", [id])[0] ?? null;
}

/** Null for an address that no booking has. */
export function findCustomerId(db: Db, email: string): string | null {
  const customers = sqlite.selectFrom("customer").select("id");
  return db.first(customers.where("email", "=", email.toLowerCase()))?.id ?? null;
}

/** The newest session first. */
export function listAppointmentsOf(db: Db, email: string): Appointment[] {
  const own = appointments.where(isEmail(email));
  return db.all(own.orderBy("a.starts_at", "desc").orderBy("a.seq", "desc")).map(toAppointment);
}

/** Compares as stored. The search's index finds the digits, so that no table is scanned. */
const isPhone = (phone: string) =>
  sql<boolean>`phone = ${phone} AND seq IN (SELECT rowid FROM appointment_search
    WHERE appointment_search MATCH ${`phone : ${phrase(phone.slice(-10))}`})`;

export type ContactAsked = { email: string } | { phone: string };

/**
 * Bookings of an e-mail address or phone number that start after `since`: paid ones first, so that
 * holds that others made with it displace none, then the latest.
 */
export function listBookingsOf(db: Db, asked: ContactAsked, since: number, limit: number) {
  return db.all(
    sqlite
      .selectFrom("appointment")
      .select(["id", "email"])
      .where("email" in asked ? isEmail(asked.email) : isPhone(asked.phone))
      .where("starts_at", ">=", since)
      .where("personal_data_erased_at", "is", null)
      .orderBy((eb) => eb("status", "in", literals(PAID)), "desc")
      .orderBy("starts_at", "desc")
      .orderBy("seq", "desc")
      .limit(limit),
  );
}

/** Messages to an address that belong to no booking, oldest first. */
export function listLooseMessages(db: Db, email: string): Message[] {
  const loose = messages.where("appointment_id", "is", null).where("audience", "=", "customer");
  const own = loose.where((eb) => eb(eb.fn("lower", ["recipient"]), "=", email.toLowerCase()));
  return db.all(own.orderBy("created_at")).map(toMessage);
}

/** Payments that belong to no booking, of an address or of one of its numbers, which others may have too. */
export function listLoosePayments(
  db: Db,
  { email, phones }: { email: string; phones: readonly string[] },
): Payment[] {
  const payments = sqlite.selectFrom("payment").selectAll().where("appointment_id", "is", null);
  const own = payments.where((eb) =>
    eb.or([
      eb(eb.fn("lower", ["payer_email"]), "=", email.toLowerCase()),
      eb("payer_phone", "in", phones),
    ]),
  );
  return db.objects(own.orderBy("created_at"));
}

/**
 * Every row about an address, without messages to others, the supplier's data, and money that is known
 * by a number alone, which others may have.
 */
export function listRowsOf(db: Db, email: string) {
  const bookings = sqlite.selectFrom("appointment").where(isEmail(email));
  const ids = bookings.select("id");
  const isTheirs = (column: "recipient" | "payer_email") =>
    sql<boolean>`lower(${sql.ref(column)}) = ${email.toLowerCase()}`;
  const theirs = sqlite
    .selectFrom("payment")
    .where((eb) => eb.or([eb("appointment_id", "in", ids), isTheirs("payer_email")]));
  const disputes = sqlite.selectFrom("dispute").selectAll().orderBy("created_at");
  const refunds = sqlite.selectFrom("refund").selectAll().orderBy("created_at");
  const documents = sqlite.selectFrom("document").selectAll().orderBy("issued_at");
  const messages = sqlite
    .selectFrom("message")
    .select(["kind", "channel", "recipient", "state", "created_at", "sent_at", "last_error"])
    .where("audience", "=", "customer")
    .where((eb) => eb.or([eb("appointment_id", "in", ids), isTheirs("recipient")]))
    .orderBy("created_at");
  const history = sqlite.selectFrom("activity").select(["at as done_at", "action", "words"]);
  return {
    appointments: db.objects(bookings.selectAll().orderBy("seq")),
    guardians: db.objects(
      sqlite
        .selectFrom("guardian")
        .select(["appointment_id", "confirmed_at", "relation", "words"])
        .where("appointment_id", "in", ids),
    ),
    answers: db
      .all(sqlite.selectFrom("preparation").selectAll().where("appointment_id", "in", ids))
      .flatMap(({ appointment_id: appointmentId }) =>
        findAnswers(db, appointmentId).map(({ label, answer }) => ({
          appointmentId,
          label,
          answer,
        })),
      ),
    payments: db.objects(theirs.selectAll().orderBy("created_at")),
    refunds: db.objects(refunds.where("payment_id", "in", theirs.select("payment_id"))),
    disputes: db.objects(disputes.where("payment_id", "in", theirs.select("payment_id"))),
    documents: db
      .objects(documents.where("appointment_id", "in", ids))
      .map(({ supplier: _, ...document }) => document),
    messages: db.objects(messages),
    ratings: db.objects(
      sqlite
        .selectFrom("rating")
        .select(["counselor_key", "asked_at", "stars", "text", "shown", "hidden", "rated_at"])
        .where("appointment_id", "in", ids),
    ),
    helpCalls: db.objects(
      sqlite
        .selectFrom("help_call")
        .select(["appointment_id", "called_at", "side as said_by", "asks", "asked_date"])
        .select(["asked_time", "settled_at"])
        .where("appointment_id", "in", ids),
    ),
    plans: db.objects(sqlite.selectFrom("plan").selectAll().where("appointment_id", "in", ids)),
    history: db.objects(history.where("target", "in", ids).orderBy("id")),
  };
}
