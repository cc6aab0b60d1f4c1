/** What the pages that move and cancel a booking show of it, already worded. */
import { data } from "react-router";
import { readMoneyBack } from "#app/booking/booking-page.server.ts";
import { refundOnCancel } from "#app/booking/cancel-appointment.server.ts";
import {
  readNewDays,
  readOwnNewTimes,
  selfServiceState,
} from "#app/booking/self-service.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { changeableUntil } from "#app/model/change-window.ts";
import {
  formatDay,
  formatInstant,
  formatLongDay,
  formatSession,
  instantOf,
  isCalendarDate,
} from "#app/model/dates.ts";
import { isId, shortId } from "#app/model/ids.ts";
import { formatRupees } from "#app/model/money.ts";
import { refundPromise } from "#app/model/wording.ts";
import { businessView } from "#app/routes/public/parts/business-view.server.ts";
import { maskEmail } from "#app/routes/public/parts/mask-email.ts";
import { moneyBackView } from "#app/routes/public/parts/money-back.server.ts";
import { durationWords } from "#app/routes/public/parts/offer.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { BookingFacts } from "./booking-facts.tsx";
import type { RefundView } from "./cancel-form.tsx";
import type { ChangeView } from "./change-page.tsx";
import type { ClosedReason } from "./closed.tsx";
import type { NewTimesView } from "./move-form.tsx";

type ViewDeps = Pick<Deps, "db" | "env" | "now">;

/** Days with free times that are named when the chosen one has none. */
const NEXT_DAYS = 4;

/** Throws the 404 for an id that is none, and for one of no booking. */
export function requireBooking({ db }: Pick<Deps, "db">, id: string): Appointment {
  const appointment = isId(id) ? findAppointment(db, id) : null;
  if (!appointment) throw data(null, { status: 404 });
  return appointment;
}

export function changeView(deps: ViewDeps, appointment: Appointment): ChangeView {
  const { env } = deps;
  const paid = isPaid(appointment);
  const state = selfServiceState(deps, appointment);
  const facts: BookingFacts = {
    traveller: appointment.contact.name,
    captain: appointment.counselor,
    session: formatSession(appointment.date, appointment.timeSlot),
    duration: durationWords(appointment.minutes),
    shortId: shortId(appointment.id),
  };
  return {
    id: appointment.id,
    version: appointment.version,
    paid,
    facts,
    emailHint: maskEmail(appointment.contact.email),
    closed: state === "open" ? null : closedOf(deps, appointment, state),
    until: formatInstant(changeableUntil(appointment.startsAt, env.selfServiceCutoffHours)),
    cutoffHours: env.selfServiceCutoffHours,
    payMinutes: Math.round(env.paymentWindowSeconds / 60),
    business: businessView(env),
  };
}

/** The money that a cancellation sends back; null if there is none. */
export function refundView(deps: ViewDeps, appointment: Appointment): RefundView | null {
  const paise = refundOnCancel(deps, appointment);
  if (paise === 0) return null;
  const amount = formatRupees(paise);
  return { amount, promise: refundPromise(amount, paise === appointment.price.totalPaise) };
}

/** The days to move to, and the times of the one asked for, else of the first that has any. */
export function newTimesView(
  deps: ViewDeps,
  appointment: Appointment,
  asked: string | null,
): NewTimesView {
  const days = readNewDays(deps, appointment);
  const withTimes = Object.keys(days.counts).filter((date) => days.counts[date]! > 0);
  const inRange = asked !== null && isCalendarDate(asked) && Object.hasOwn(days.counts, asked);
  const nearest = withTimes.find((date) => date >= appointment.date) ?? withTimes[0];
  const date = inRange ? asked : (nearest ?? days.from);
  const later = withTimes.filter((other) => other > date);
  const times = readOwnNewTimes(deps, appointment, date);
  const now = deps.now();
  const cutoffHours = deps.env.selfServiceCutoffHours;
  return {
    ...days,
    date,
    day: formatLongDay(date),
    times,
    near: times.some((time) => now >= changeableUntil(instantOf(date, time), cutoffHours)),
    next: (later.length > 0 ? later : withTimes)
      .slice(0, NEXT_DAYS)
      .map((other) => ({ date: other, day: formatDay(other) })),
  };
}

function closedOf(
  { db, env }: ViewDeps,
  appointment: Appointment,
  state: "cancelled" | "too_late" | "begun",
): ClosedReason {
  const { refunds, sums } = readMoneyBack(db, appointment.id);
  return {
    state,
    until: formatInstant(changeableUntil(appointment.startsAt, env.selfServiceCutoffHours)),
    money: state === "cancelled" ? moneyBackView(refunds, sums) : null,
  };
}
