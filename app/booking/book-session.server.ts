/** Books a session: checks the request against the rules and takes the time in one transaction. */
import { bookableTimes, isDateOffered, lastDateOffered } from "#app/availability/slots.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { NOTICE_VERSION } from "#app/catalogue.ts";
import { bodyHashOf, KEY_CONFLICT } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  type Appointment,
  hasOpenLink,
  isHeldTooLong,
  isPaid,
  untilWords,
} from "#app/model/appointment.ts";
import { counselorNamed, findPackage } from "#app/model/catalogue.ts";
import { formatDate, formatSession, instantOf } from "#app/model/dates.ts";
import { type SessionTime, sessionTimeOf } from "#app/model/day-plan.ts";
import { type Price, priceOf, rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logUnpaidMove } from "#db/queries/activity.server.ts";
import {
  findAppointment,
  insertAppointment,
  updateAppointment,
} from "#db/queries/appointments.server.ts";
import { readDayPlan } from "#db/queries/availability.server.ts";
import { countAnswers, findStoredAnswer, storeAnswer } from "#db/queries/holds.server.ts";
import { releaseTime } from "#db/queries/hours.server.ts";
import { advanceOrder, findOpenOrder } from "#db/queries/payments.server.ts";
import type { BookingInput } from "./booking-fields.ts";
import { findOwnBooking, tokenFor } from "./booking-page.server.ts";
import {
  agreesToWhatsApp,
  type BookingOrigin,
  detailsOf,
  heldAsRequested,
  isSamePerson,
  refuseOwnGstin,
  refusePrice,
  requestOf,
} from "./booking-request.server.ts";
import { isOwnTime } from "./change-rules.ts";
import { openHold, refuseMove } from "./holds.server.ts";
import { keptLink } from "./payment-window.ts";
import { refusePastDate, SLOT_TAKEN, takePlannedTime } from "./take-time.server.ts";

export interface Booked {
  appointment: Appointment;
  /** True if an earlier booking was continued. */
  repeated: boolean;
  /** Kept by the browser to find its booking again. */
  token: string;
}

type BookDeps = Pick<Deps, "db" | "env" | "now" | "metrics">;

/**
 * Creates a pending appointment that holds its time. A browser has one unpaid booking: the same
 * request at the same price continues it, another request from the same person moves it, and a
 * request from another person releases its time. Refusals: `validation_failed` (date out of range),
 * `price_changed`, `slot_taken`, `payment_under_way`, `already_paid` (and the visitor has not been
 * shown that yet), `idempotency_conflict`, `rate_limited`.
 */
export function bookSession(
  deps: BookDeps,
  input: BookingInput,
  origin: BookingOrigin,
): Outcome<Booked> {
  const booked = tryToBook(deps, input, origin);
  deps.metrics.booking(booked.ok ? (booked.value.repeated ? "repeated" : "booked") : booked.code);
  return booked;
}

/** Idempotency keys kept for a booking at most: a program may send a new one each time. */
const MOST_KEYS = 20;

function tryToBook(deps: BookDeps, input: BookingInput, origin: BookingOrigin): Outcome<Booked> {
  const now = deps.now();
  const bodyHash = bodyHashOf({ ...input, packagePrice: origin.packagePrice });
  return inTransaction(deps.db, (tx): Outcome<Booked> => {
    const { idempotencyKey, ownToken = null } = origin;
    const done = (appointment: Appointment, { repeated }: Pick<Booked, "repeated">) => {
      const token = tokenFor(tx, ownToken, appointment.id, now);
      return success({ appointment, token, repeated });
    };
    const stored = idempotencyKey ? findStoredAnswer(tx, idempotencyKey) : null;
    if (stored) {
      const first = stored.bodyHash === bodyHash && findAppointment(tx, stored.appointmentId);
      return first ? done(first, { repeated: true }) : KEY_CONFLICT;
    }
    const keepKey = (appointmentId: string) => {
      if (idempotencyKey)
        storeAnswer(tx, { key: idempotencyKey, bodyHash, appointmentId, at: now });
    };
    const held = heldAsRequested(tx, input, origin, now);
    if (held) {
      if (countAnswers(tx, held.id) < MOST_KEYS) keepKey(held.id);
      return done(held, { repeated: true });
    }
    const offer = readBookable({ db: tx, env: deps.env });
    const chosen = counselorNamed(offer, input.counselor);
    if (!chosen.ok) return chosen;
    const sessionPackage = findPackage(offer, input.package);
    if (!sessionPackage) return invalid({ package: ["Please select a package"] });
    const price = priceOf(sessionPackage.price);
    const refusal = refuseInput(deps, input, origin, price, now);
    if (refusal) return refusal;
    const { key: counselorKey, name: counselor } = chosen.value;
    const request = { ...requestOf(input), counselor };
    const own = findOwnBooking(tx, ownToken);
    const paid = own !== null && isPaid(own);
    // Its repeat would meet its own time.
    const isSame = own?.counselorKey === counselorKey && isOwnTime(own, request);
    const isNews = isSame ? origin.knowsPaid !== undefined : origin.knowsPaid === false;
    if (paid && isNews && own.startsAt > now) return paidAlready(own);
    const unpaid = own?.status === "pending_payment" ? own : null;
    const isOfSamePerson = unpaid !== null && isSamePerson(unpaid, request);
    const underWay = unpaid !== null && unpaid.id === origin.underWay;
    if (isOfSamePerson && underWay) return paymentUnderWay(unpaid);
    // While a payment link from staff is open, the booking keeps its time if another person books,
    // and its payment window if it is moved.
    const hasLink = unpaid !== null && hasOpenLink(unpaid, now);
    const plan: Plan = {
      request,
      counselorKey,
      price,
      replaced: underWay || (hasLink && !isOfSamePerson) ? null : unpaid,
      // Once a link has run out, only staff open its booking again.
      moves:
        isOfSamePerson &&
        (hasLink || !(unpaid.heldByStaff || isHeldTooLong(deps.env, unpaid, now))),
    };
    const booked = bookOrChange(deps, tx, plan, { ...origin, hasPaid: paid }, now);
    if (!booked.ok) return booked;
    keepKey(booked.value.id);
    return done(booked.value, { repeated: false });
  });
}

interface Plan {
  request: BookingInput;
  counselorKey: string;
  price: Price;
  /** The unpaid booking whose time is released. */
  replaced: Appointment | null;
  /** True if that booking is moved to the new request; otherwise a new one is created. */
  moves: boolean;
}

function bookOrChange(
  { env }: Pick<Deps, "env">,
  tx: Db,
  { request, counselorKey, price, replaced, moves }: Plan,
  { clientAddress, hasPaid }: BookingOrigin & { hasPaid: boolean },
  now: number,
): Outcome<Appointment> {
  const { counselor, date, timeSlot, package: minutes } = request;
  const details = { ...detailsOf(request), whatsapp: agreesToWhatsApp(request) };
  const startsAt = instantOf(date, timeSlot);
  const holder = {
    counselorKey,
    startsAt,
    contact: details.contact,
    clientAddress,
    hasPaid,
    ...(replaced && { id: replaced.id }),
    ...(replaced && moves && { createdAt: replaced.createdAt }),
  };
  const link = replaced && moves && hasOpenLink(replaced, now) ? replaced.window : null;
  const hold = link ? success(keptLink(link, startsAt)) : openHold(tx, env, holder, now);
  if (!hold.ok) return hold;
  const plan = readDayPlan(tx, counselorKey, date, now, replaced?.id);
  if (!bookableTimes(plan, minutes, env, now).includes(timeSlot)) return SLOT_TAKEN;
  const time = sessionTimeOf({ counselorKey, date, timeSlot, minutes });
  // Price and rule are those that the form shows.
  const terms = { price, cutoffHours: env.selfServiceCutoffHours };
  const booking = { ...details, counselor, ...terms, window: hold.value };
  if (replaced && moves) {
    const tooMany = refuseMove(tx, env, replaced, now);
    return tooMany ?? success(move(tx, replaced, { ...booking, time }, now));
  }
  if (replaced) {
    // The earlier booking gives up its time, and can be renewed until somebody takes it.
    releaseTime(tx, replaced.id);
    updateAppointment(tx, replaced.id, now, { window: { payBefore: now, holdUntil: now } });
  }
  const appointment = insertAppointment(
    tx,
    {
      ...booking,
      ...time,
      clientAddress,
      notice: { version: NOTICE_VERSION, by: null },
    },
    now,
  );
  takePlannedTime(tx, appointment, now);
  return success(appointment);
}

/** Moves an unpaid booking, and closes its open order if that has another price. */
function move(
  tx: Db,
  before: Appointment,
  booking: Pick<Appointment, "contact" | "company" | "counselor" | "price" | "stateCode"> &
    Pick<Appointment, "student" | "abroad" | "whatsapp" | "window" | "cutoffHours"> & {
      time: SessionTime;
    },
  now: number,
): Appointment {
  const { id } = before;
  updateAppointment(tx, id, now, booking);
  const moved = findAppointment(tx, id)!;
  takePlannedTime(tx, moved, now);
  const order = findOpenOrder(tx, id);
  if (order && order.amountPaise !== moved.price.totalPaise) {
    advanceOrder(tx, order.receipt, "closed");
  }
  logUnpaidMove(tx, id, now, { before: loggedFields(before), after: loggedFields(moved) });
  return moved;
}

const loggedFields = ({ counselor, date, timeSlot, minutes, price }: Appointment) => ({
  counselor,
  date,
  timeSlot,
  minutes,
  price: rupeesOf(price.totalPaise),
});

function refuseInput(
  { env }: Pick<Deps, "env">,
  input: BookingInput,
  origin: BookingOrigin,
  price: Price,
  now: number,
): Failure | null {
  if (!isDateOffered(input.date, env, now)) {
    const past = refusePastDate(input.date, now);
    const last = formatDate(lastDateOffered(env, now));
    return past ?? invalid({ date: [`Please select a date up to ${last}`] });
  }
  const ownGstin = refuseOwnGstin(input, env);
  if (ownGstin) return ownGstin;
  const otherPrice = refusePrice(origin, price, "you agree");
  if (otherPrice) return otherPrice;
  const hours = env.selfServiceCutoffHours;
  if ((origin.shownCutoff ?? hours) !== hours) {
    const message = `You can move or cancel online until ${untilWords(hours)}, not as this page said before. If you agree to it, please book again.`;
    return failure("stale", message);
  }
  return null;
}

function paymentUnderWay({ date, timeSlot }: Appointment): Failure {
  return failure(
    "payment_under_way",
    `A payment for ${formatSession(date, timeSlot)} is under way, so nothing was changed. Your booking page will show the result in a few minutes.`,
  );
}

function paidAlready({ date, timeSlot, counselor }: Appointment): Failure {
  return failure(
    "already_paid",
    `Your payment has arrived, and your session on ${formatSession(date, timeSlot)} with ${counselor} is confirmed. Please book again only if you want a second session.`,
  );
}
