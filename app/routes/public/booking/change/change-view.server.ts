/** What the pages that move or cancel a booking show, and their action. */
import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { href, type LoaderFunctionArgs, redirectDocument } from "react-router";
import type { z } from "zod";
import { readMoneyBack } from "#app/booking/booking-page.server.ts";
import { refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import { mayMove } from "#app/booking/payment-window.ts";
import {
  readNewDays,
  readOwnNewTimes,
  selfServiceState,
} from "#app/booking/self-service.server.ts";
import { clientContext, type Deps, depsContext, type ReadDeps } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import {
  type Appointment,
  attendeeOf,
  changeableUntil,
  changeTerms,
  cutoffOf,
  isPaid,
  payTimeWords,
} from "#app/model/appointment.ts";
import { formatDay, formatLongDay, formatSession, instantOf } from "#app/model/dates.ts";
import { isOfflinePayment, shortId } from "#app/model/ids.ts";
import { formatRupees } from "#app/model/money.ts";
import { type Outcome, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { goesBackWords, refundPromise } from "#app/model/wording.ts";
import { maskEmail, moneyBackView } from "#app/routes/public/booking/booking-words.ts";
import { businessView } from "#app/routes/public/parts/public-page.tsx";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** Number of other days offered when the chosen day has no free time. */
const NEXT_DAYS = 4;

/** The booking that a page is about. Throws a 404 if there is none. */
export function requireBooking({ db }: Pick<Deps, "db">, id = ""): Appointment {
  return found(findAppointment(db, id));
}

/** The head of a page about one booking, and the hint of the address that it asks for. */
export function bookingHead({ env }: Pick<Deps, "env">, appointment: Appointment) {
  const { id, contact, counselor, date, timeSlot } = appointment;
  return {
    id,
    business: businessView(env),
    session: `${formatSession(date, timeSlot)}, with ${counselor}`,
    emailHint: maskEmail(contact.email),
  };
}

export type ChangeView = ReturnType<typeof changeView>;

export function changeView(deps: ReadDeps, appointment: Appointment) {
  const { env } = deps;
  const paid = isPaid(appointment);
  const state = selfServiceState(deps, appointment);
  const moneyBack = readMoneyBack(deps, appointment.id);
  const money = state === "cancelled" ? moneyBackView(moneyBack, appointment) : null;
  const { underWayPaise } = moneyBack;
  const { startsAt } = appointment;
  const cutoffHours = cutoffOf(appointment, env.selfServiceCutoffHours);
  const terms = changeTerms({ startsAt, now: deps.now(), cutoffHours });
  return {
    id: appointment.id,
    version: appointment.version,
    paid,
    facts: {
      traveller: attendeeOf(appointment),
      captain: appointment.counselor,
      session: formatSession(appointment.date, appointment.timeSlot),
      duration: `${appointment.minutes} minutes`,
      shortId: shortId(appointment.id),
    },
    emailHint: maskEmail(appointment.contact.email),
    /** Null while the booking can be changed online. */
    closed: state === "open" ? null : { state, terms, money },
    /** What a cancellation says of a payment that is being checked; null without one. */
    underWay: underWayPaise > 0 ? goesBackWords(underWayPaise) : null,
    /** Until when it can be changed online. */
    until: changeableUntil(startsAt, cutoffHours),
    cutoffHours,
    mayMove: mayMove(appointment, env, deps.now()),
    payTime: payTimeWords(env.paymentWindowSeconds),
    business: businessView(env),
  };
}

/** What a cancellation refunds; null if nothing. */
export function refundView(deps: ReadDeps, appointment: Appointment) {
  const paise = refundOnCancel(deps.db, appointment);
  if (paise === 0) return null;
  const amount = formatRupees(paise);
  const whole = paise === appointment.price.totalPaise;
  const byHand = isOfflinePayment(appointment.paymentId ?? "");
  return { amount, promise: refundPromise(amount, { whole, byHand }) };
}

export type NewTimesView = ReturnType<typeof newTimesView>;

/** The days to move to, and the times of the requested day, else of the nearest with free times. */
export function newTimesView(deps: ReadDeps, appointment: Appointment, asked: string | null) {
  const days = readNewDays(deps, appointment);
  const withTimes = Object.keys(days.counts).filter((date) => days.counts[date]! > 0);
  const inRange = asked !== null && Object.hasOwn(days.counts, asked);
  const nearest = withTimes.find((date) => date >= appointment.date) ?? withTimes[0];
  const date = inRange ? asked : (nearest ?? days.from);
  const later = withTimes.filter((other) => other > date);
  const times = readOwnNewTimes(deps, appointment, date);
  const now = deps.now();
  const cutoffHours = cutoffOf(appointment, deps.env.selfServiceCutoffHours);
  return {
    ...days,
    date,
    day: formatLongDay(date),
    times,
    /** True if some of these times are too near to be changed online again. */
    near: times.some((time) => now >= changeableUntil(instantOf(date, time), cutoffHours)),
    next: (later.length > 0 ? later : withTimes)
      .slice(0, NEXT_DAYS)
      .map((other) => ({ date: other, day: formatDay(other) })),
  };
}

interface ChangeForm<Schema extends z.ZodType, T> {
  schema: Schema;
  change(
    deps: Deps,
    id: string,
    entries: z.output<Schema>,
    owner: { email: string; clientAddress: string },
  ): Promise<Outcome<T>>;
  /** The code of the notice on the booking page. */
  done: string;
  headers?: (value: T) => HeadersInit;
}

export type Refusal = Awaited<ReturnType<typeof changeBooking>>["body"];

/**
 * Changes the booking and throws the redirect to its page, or returns why nothing was changed. A form
 * that only asks for the times of another day (`show`) gets back what was typed.
 */
export async function changeBooking<Schema extends z.ZodType<{ email: string }>, T>(
  { params, request, context }: Pick<LoaderFunctionArgs, "params" | "request" | "context">,
  { schema, change, done, headers }: ChangeForm<Schema, T>,
) {
  const deps = context.get(depsContext);
  const { id } = requireBooking(deps, params.id);
  const submission = parseWithZod(await request.formData(), { schema });
  const isShown = submission.payload.show !== undefined;
  if (isShown || submission.status !== "success") {
    const { error, status, ...typed } = submission.reply();
    const reply: SubmissionResult = isShown ? typed : { ...typed, error, status };
    const body = { reply, notice: null };
    const init = isShown ? {} : { status: 400 };
    return { deps, appointment: requireBooking(deps, id), submission, body, init };
  }
  const { email } = submission.value;
  const clientAddress = context.get(clientContext).address;
  const outcome = await change(deps, id, submission.value, { email, clientAddress });
  // A whole new page, because paying there needs another content security policy than this page's.
  if (outcome.ok) {
    const to = `${href("/booking/:id", { id })}?done=${done}`;
    throw redirectDocument(to, { status: 303, headers: headers?.(outcome.value) ?? {} });
  }
  const { code, message, errors } = outcome;
  const fieldErrors = errors ?? (code === "slot_taken" ? { newTimeSlot: [message] } : null);
  return {
    deps,
    appointment: requireBooking(deps, id),
    submission,
    body: {
      reply: submission.reply(fieldErrors ? { fieldErrors } : {}),
      notice: fieldErrors ? null : { title: "Nothing was changed", text: message },
    },
    init: { status: STATUS_OF_CODE[code], headers: retryHeaders(outcome) },
  };
}
