/** What the pages that move and cancel a booking show and answer, already worded. */
import { parseWithZod } from "@conform-to/zod/v4";
import { data, href, type LoaderFunctionArgs, redirectDocument } from "react-router";
import type { z } from "zod";
import { readMoneyBack } from "#app/booking/booking-page.server.ts";
import { refundOnCancel } from "#app/booking/cancel-appointment.server.ts";
import {
  readNewDays,
  readOwnNewTimes,
  type SelfServiceState,
  selfServiceState,
} from "#app/booking/self-service.server.ts";
import { clientContext, type Deps, depsContext, type ReadDeps } from "#app/core/deps.server.ts";
import {
  type Appointment,
  attendeeOf,
  changeableUntil,
  cutoffOf,
  isPaid,
} from "#app/model/appointment.ts";
import { changeTerms } from "#app/model/change-terms.ts";
import {
  formatDay,
  formatLongDay,
  formatSession,
  instantOf,
  isCalendarDate,
} from "#app/model/dates.ts";
import { isId, isOfflinePayment, shortId } from "#app/model/ids.ts";
import { formatRupees } from "#app/model/money.ts";
import { type Failure, type Outcome, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { refundPromise } from "#app/model/wording.ts";
import { maskEmail, moneyBackView } from "#app/routes/public/booking/booking-words.ts";
import { durationWords } from "#app/routes/public/parts/boarding-pass.tsx";
import { businessView } from "#app/routes/public/parts/public-page.tsx";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** How many days with free times are offered when the chosen day has none. */
const NEXT_DAYS = 4;

/** Throws a 404 if the id is none, or belongs to no booking. */
export function requireBooking({ db }: Pick<Deps, "db">, id: string | undefined): Appointment {
  const appointment = isId(id) ? findAppointment(db, id) : null;
  if (!appointment) throw data(null, { status: 404 });
  return appointment;
}

export type ChangeView = ReturnType<typeof changeView>;

export function changeView(deps: ReadDeps, appointment: Appointment) {
  const { env } = deps;
  const paid = isPaid(appointment);
  const state = selfServiceState(deps, appointment);
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
      duration: durationWords(appointment.minutes),
      shortId: shortId(appointment.id),
    },
    emailHint: maskEmail(appointment.contact.email),
    /** Null while the booking may be changed here. */
    closed: state === "open" ? null : { state, terms, money: moneyOf(deps, appointment, state) },
    /** Until when it may be, milliseconds UTC. */
    until: changeableUntil(startsAt, cutoffHours),
    cutoffHours,
    payMinutes: Math.round(env.paymentWindowSeconds / 60),
    business: businessView(env),
  };
}

export type RefundView = ReturnType<typeof refundView>;

/** The money that a cancellation sends back; null if there is none. */
export function refundView(deps: ReadDeps, appointment: Appointment) {
  const paise = refundOnCancel(deps.db, appointment);
  if (paise === 0) return null;
  const amount = formatRupees(paise);
  const whole = paise === appointment.price.totalPaise;
  const byHand = isOfflinePayment(appointment.paymentId ?? "");
  return { amount, promise: refundPromise(amount, { whole, byHand }) };
}

export type NewTimesView = ReturnType<typeof newTimesView>;

/** The days to move to, and the times of the day asked for, else of the nearest that has any. */
export function newTimesView(deps: ReadDeps, appointment: Appointment, asked: string | null) {
  const days = readNewDays(deps, appointment);
  const withTimes = Object.keys(days.counts).filter((date) => days.counts[date]! > 0);
  const inRange = asked !== null && isCalendarDate(asked) && Object.hasOwn(days.counts, asked);
  const nearest = withTimes.find((date) => date >= appointment.date) ?? withTimes[0];
  const date = inRange ? asked : (nearest ?? days.from);
  const later = withTimes.filter((other) => other > date);
  const times = readOwnNewTimes(deps, appointment, date);
  const now = deps.now();
  const cutoffHours = cutoffOf(appointment, deps.env.selfServiceCutoffHours);
  return {
    ...days,
    date,
    /** The date as a heading says it. */
    day: formatLongDay(date),
    times,
    /** True if some of these times are too near to be changed here again. */
    near: times.some((time) => now >= changeableUntil(instantOf(date, time), cutoffHours)),
    /** Other days with free times. */
    next: (later.length > 0 ? later : withTimes)
      .slice(0, NEXT_DAYS)
      .map((other) => ({ date: other, day: formatDay(other) })),
  };
}

function moneyOf({ db }: ReadDeps, { id }: Appointment, state: SelfServiceState) {
  if (state !== "cancelled") return null;
  const { refunds, sums } = readMoneyBack(db, id);
  return moneyBackView(refunds, sums);
}

interface ChangeForm<Schema extends z.ZodType, T> {
  schema: Schema;
  change(
    deps: Deps,
    id: string,
    entries: z.output<Schema>,
    owner: { email: string; clientAddress: string },
  ): Promise<Outcome<T>>;
  /** Names the change on the booking's page. */
  done: string;
  headers?: (value: T) => HeadersInit;
  /** Codes that belong to a field. */
  fieldOf?: Partial<Record<Failure["code"], string>>;
}

/** Why a form came back. */
export type Refusal = Awaited<ReturnType<typeof changeBooking>>["body"];

/** Changes the booking and throws the way to its page, or answers why nothing was changed. */
export async function changeBooking<Schema extends z.ZodType<{ email: string }>, T>(
  { params, request, context }: Pick<LoaderFunctionArgs, "params" | "request" | "context">,
  { schema, change, done, headers, fieldOf = {} }: ChangeForm<Schema, T>,
) {
  const deps = context.get(depsContext);
  const { id } = requireBooking(deps, params.id);
  const submission = parseWithZod(await request.formData(), { schema });
  if (submission.status !== "success") {
    const body = { reply: submission.reply(), notice: null };
    return { deps, appointment: requireBooking(deps, id), submission, body, init: { status: 400 } };
  }
  const { email } = submission.value;
  const clientAddress = context.get(clientContext).address;
  const outcome = await change(deps, id, submission.value, { email, clientAddress });
  // Loads a whole new page: paying there needs a content policy that this page does not have.
  if (outcome.ok) {
    const to = `${href("/booking/:id", { id })}?done=${done}`;
    throw redirectDocument(to, { status: 303, headers: headers?.(outcome.value) ?? {} });
  }
  const { code, message, errors, retryAfter } = outcome;
  const field = fieldOf[code];
  const fieldErrors = errors ?? (field ? { [field]: [message] } : null);
  return {
    deps,
    appointment: requireBooking(deps, id),
    submission,
    body: {
      reply: submission.reply(fieldErrors ? { fieldErrors } : {}),
      notice: fieldErrors ? null : { title: "Nothing was changed", text: message },
    },
    init: {
      status: STATUS_OF_CODE[code],
      ...(retryAfter ? { headers: { "Retry-After": String(Math.ceil(retryAfter)) } } : {}),
    },
  };
}
