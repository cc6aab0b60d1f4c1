/** Decides whether a visitor may hold a time unpaid: new, renewed or moved. */
import { networkOf } from "#app/core/client-address.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import {
  type Appointment,
  type Contact,
  isHeldTooLong,
  isPaid,
  longestHold,
  type PaymentWindow,
} from "#app/model/appointment.ts";
import { addDays, DAY, dateInIndia } from "#app/model/dates.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { alertOwner } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { countMoves } from "#db/queries/activity.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { readDayPlans } from "#db/queries/availability.server.ts";
import {
  countHolds,
  findClientAddress,
  hasPaidBooking,
  listVisitorHolds,
  readUnpaidSince,
} from "#db/queries/holds.server.ts";
import { holdsTime, takeTime } from "#db/queries/hours.server.ts";
import { listHeldBeyond } from "#db/queries/reminders.server.ts";
import { keptLink, type Opening, openWindow } from "./payment-window.ts";
import {
  mayBePressure,
  PRESSURE_HOLDS_PER_NETWORK,
  PRESSURE_SPAN_MS,
  type Pressure,
  pressureOf,
} from "./pressure.ts";

interface Holder {
  /** The id of an existing booking, whose own hold does not count. */
  id?: string;
  createdAt?: number;
  counselorKey: string;
  /** Of the session that is to be held. */
  startsAt: number;
  contact: Pick<Contact, "email" | "phone">;
  /** As `addressKey` returns it; by default the address that made the booking. */
  clientAddress?: string;
  /** True if the browser has a paid booking. */
  hasPaid?: boolean;
}

/**
 * How long a visitor may hold a time from `now` on, at most until the session. Under pressure the owner
 * is notified, and visitors without a paid booking get less. Call it inside the transaction that takes
 * the time. RATE_LIMIT=off lifts `rate_limited` and pressure. Refusals: `rate_limited` with `retryAfter`
 * (seconds), `payment_window_over` for a booking held as long as allowed.
 */
export function openHold(tx: Db, env: Env, holder: Holder, now: number): Outcome<PaymentWindow> {
  const { id: exceptId = "", contact, createdAt: madeAt } = holder;
  if (madeAt !== undefined && isHeldTooLong(env, { createdAt: madeAt }, now)) return HELD_TOO_LONG;
  const address = holder.clientAddress ?? findClientAddress(tx, exceptId);
  const held = (opening: Opening) =>
    success(keptLink(openWindow(env, now, opening), holder.startsAt));
  if (!env.rateLimit || address === null) return held({ madeAt });
  const underPressure = readPressure(tx, env, holder.counselorKey, now) !== null;
  if (underPressure) alertOwner(tx, env, now, "hold_surge");
  const { email, phone } = contact;
  const isShort = underPressure && !holder.hasPaid && !hasPaidBooking(tx, email);
  const who = { network: networkOf(address), address, email, phone, exceptId };
  const { ofNetwork, ofAddress, ofContact, ...ends } = countHolds(tx, who, now);
  const tooMany = (until: number | null, message: string) =>
    failure("rate_limited", message, { retryAfter: Math.max(1, ((until ?? now) - now) / 1000) });
  if (ofContact >= env.holdsPerContact) {
    return tooMany(
      ends.untilContact,
      `You are already holding ${ofContact} unpaid times. Please pay for one of them, or wait until they are free again.`,
    );
  }
  // A whole IPv6 network may hold a fifth more than one of its addresses.
  const perNetwork = Math.ceil((env.holdsPerAddress * 6) / 5);
  const most = isShort ? Math.min(perNetwork, PRESSURE_HOLDS_PER_NETWORK) : perNetwork;
  if (ofAddress >= env.holdsPerAddress || ofNetwork >= most) {
    return tooMany(
      ofAddress >= env.holdsPerAddress ? ends.untilAddress : ends.untilNetwork,
      "Too many unpaid times are held from your network. Please try again later.",
    );
  }
  const unpaid = madeAt === undefined && readUnpaidSince(tx, who, now - DAY);
  if (unpaid && unpaid.count >= UNPAID_A_DAY) {
    return tooMany(
      (unpaid.oldest ?? now) + DAY,
      "Too many bookings from your network were not paid today. Please try again later, or write to us.",
    );
  }
  return held({ underPressure: isShort, madeAt });
}

/** Unpaid bookings per network and day, ended ones included; bounds the rows a network can add. */
const UNPAID_A_DAY = 100;

export const HELD_TOO_LONG = failure(
  "payment_window_over",
  "This booking was held for too long without being paid. Please book a new time.",
);

/** How often a customer may move a booking; staff are not limited. */
const MOST_MOVES = { unpaid: 20, paid: 40 };

/** Null if the customer may move it once more. Refusal: `rate_limited`. RATE_LIMIT=off lifts it. */
export function refuseMove(
  tx: Db,
  { rateLimit }: Pick<Env, "rateLimit">,
  appointment: Appointment,
  now: number,
): Failure | null {
  if (!rateLimit) return null;
  const { id, window } = appointment;
  const most = isPaid(appointment) ? MOST_MOVES.paid : MOST_MOVES.unpaid;
  if (countMoves(tx, id) < most) return null;
  const retryAfter = Math.max(60, ((window?.holdUntil ?? now) - now) / 1000);
  const instead = isPaid(appointment)
    ? "Please write to us to move it again."
    : "Please pay for it as it is, or book anew once its time is free again.";
  return failure("rate_limited", `This booking was moved ${most} times. ${instead}`, {
    retryAfter,
  });
}

/** The pressure on a captain's calendar, or null. Usually one query. */
export function readPressure(db: Db, env: Env, counselorKey: string, now: number): Pressure | null {
  if (!env.rateLimit) return null;
  const holds = listVisitorHolds(db, counselorKey, now + PRESSURE_SPAN_MS, now).map(
    ({ clientAddress, ...span }) => ({ ...span, network: networkOf(clientAddress) }),
  );
  if (!mayBePressure(holds)) return null;
  const today = dateInIndia(now);
  const plans = readDayPlans(db, counselorKey, today, addDays(today, 7), now);
  return pressureOf(plans, holds, env, now);
}

/**
 * Shortens holds taken while the clock was ahead, if they end later than any taken now. Each gets a
 * window that opens now. Returns how many.
 */
export function endLongHolds({ db, env, now }: ReadDeps): number {
  const at = now();
  const ids = listHeldBeyond(db, at, at + longestHold(env));
  for (const id of ids) {
    inTransaction(db, (tx) => {
      const appointment = findAppointment(tx, id);
      if (!appointment) return;
      const window = keptLink(openWindow(env, at), appointment.startsAt);
      updateAppointment(tx, id, at, { window });
      if (holdsTime(tx, id, at)) takeTime(tx, { ...appointment, window }, at);
    });
  }
  return ids.length;
}
