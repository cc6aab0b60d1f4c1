/** Customers: one per e-mail address, with the name of their newest booking. */
import { sql } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { PAID } from "#app/model/statuses.ts";
import { COUNT, type Db, literals, sqlite } from "#db/connection.server.ts";
import { toFields } from "#db/row-fields.ts";
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

const ITS_BOOKINGS = "(SELECT id FROM appointment WHERE lower(email) = lower(@email))";
const OF_BOOKING = `appointment_id IN ${ITS_BOOKINGS}`;
const OF_PAYMENT = `payment_id IN (SELECT payment_id FROM payment
  WHERE ${OF_BOOKING} OR lower(payer_email) = lower(@email))`;

/**
 * Every row about an address, without messages to others, the supplier's data, and money that is known
 * by a number alone, which others may have.
 */
export function listRowsOf(db: Db, email: string) {
  // By hand: one short text for each table.
  const rows = (text: string) =>
    db.allRaw<Record<string, unknown>>(text, [{ email }]).map(toFields);
  return {
    appointments: rows(`SELECT * FROM appointment WHERE id IN ${ITS_BOOKINGS} ORDER BY seq`),
    guardians: rows(`SELECT appointment_id, confirmed_at, relation, words FROM guardian
      WHERE ${OF_BOOKING}`),
    answers: rows(`SELECT appointment_id FROM preparation WHERE ${OF_BOOKING}`).flatMap((of) =>
      findAnswers(db, String(of.appointmentId)).map(({ id: _, ...answer }) => ({
        ...of,
        ...answer,
      })),
    ),
    payments: rows(`SELECT * FROM payment WHERE ${OF_PAYMENT} ORDER BY created_at`),
    refunds: rows(`SELECT * FROM refund WHERE ${OF_PAYMENT} ORDER BY created_at`),
    failedRefunds: rows(`SELECT * FROM failed_refund WHERE ${OF_PAYMENT} ORDER BY failed_at`),
    disputes: rows(`SELECT * FROM dispute WHERE ${OF_PAYMENT} ORDER BY created_at`),
    documents: rows(`SELECT * FROM document WHERE ${OF_BOOKING} ORDER BY issued_at`).map(
      ({ supplier: _, ...document }) => document,
    ),
    messages: rows(`SELECT kind, channel, recipient, state, created_at, sent_at, last_error
      FROM message WHERE audience = 'customer'
        AND (${OF_BOOKING} OR lower(recipient) = lower(@email)) ORDER BY created_at`),
    ratings: rows(`SELECT counselor_key, starts_at, asked_at, stars, text, shown, hidden, rated_at
      FROM rating WHERE ${OF_BOOKING}`),
    helpCalls:
      rows(`SELECT appointment_id, called_at, side AS said_by, asks, asked_date, asked_time,
        settled_at FROM help_call WHERE ${OF_BOOKING}`),
    plans: rows(`SELECT * FROM plan WHERE ${OF_BOOKING}`),
    history: rows(`SELECT at AS done_at, action, words FROM activity WHERE target IN ${ITS_BOOKINGS}
      ORDER BY id`),
  };
}
