/** The session pass of an appointment, and sentences that mail and WhatsApp share. */
import {
  type Appointment,
  attendeeOf,
  changeableUntil,
  changeTerms,
  cutoffOf,
  isPaid,
  wasPaid,
} from "#app/model/appointment.ts";
import {
  formatClock,
  formatDay,
  formatSession,
  formatShortDay,
  formatSlot,
} from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import type { MessageData } from "#app/model/messages.ts";
import { formatRupees, GST_LABEL, priceWords } from "#app/model/money.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { cancelOffer, customerRefundState, sumsOf } from "#app/model/refund.ts";
import { LINK_AWAITED } from "#app/model/room.ts";
import { telLink } from "#app/model/tel-link.ts";
import { refundedMoney, refundLine, refundWords, stampWords } from "#app/model/wording.ts";
import {
  type AppointmentContext,
  bookingUrl,
  button,
  type Fact,
  type Part,
  type Pass,
} from "./content.ts";

export function sessionOf(appointment: Appointment): string {
  return formatSession(appointment.date, appointment.timeSlot);
}

/** The session's time before a move; null in other messages. */
export function sessionBefore({ previousDate, previousTimeSlot }: MessageData): string | null {
  return previousDate && previousTimeSlot ? formatSession(previousDate, previousTimeSlot) : null;
}

/** True if the customer knows of another captain than the one who has the session now. */
export function hasOtherCaptain(
  { counselorKey }: Appointment,
  { previousCounselor }: MessageData,
): boolean {
  return previousCounselor !== undefined && previousCounselor !== counselorKey;
}

/** With the time that the recipient knows, where the session was moved and they were not told. */
export function sessionAndBefore({ appointment, data }: AppointmentContext): string {
  const session = sessionOf(appointment);
  const before = sessionBefore(data);
  return before === null || before === session ? session : `${session} (moved from ${before})`;
}

/** `Sat, 21 Nov, 2:00 PM IST`, for subjects: a phone shows about 45 characters of them. */
export function shortSessionOf({ date, timeSlot }: Appointment): string {
  return `${formatShortDay(date)}, ${formatSlot(timeSlot)} IST`;
}

/** A subject: what happened, then the time and the captain. */
export function subjectOf(what: string, appointment: Appointment): string {
  return `${what}${shortSessionOf(appointment)}, ${appointment.counselor}`;
}

export function customerPass(context: AppointmentContext) {
  const { appointment } = context;
  const price = priceWords(appointment.price);
  return passOf(context, {
    id: { label: "Booking", value: shortId(appointment.id) },
    place: customerPlace(appointment, context.data),
    price: [
      { label: `${appointment.minutes}-minute session`, value: price.base },
      { label: GST_LABEL, value: price.gst },
      { label: "Total", value: price.total },
    ],
  });
}

/** Shows the calendar's id, because captains do not get the booking's id. */
export function captainPass(context: AppointmentContext) {
  const { appointment } = context;
  const id = { label: "Session", value: shortId(appointment.calendarUid) };
  const place = captainPlace(appointment, context.data);
  // Money is no business of a captain's: the pass says nothing of a refund.
  return passOf({ ...context, cancellationRefund: null }, { id, place, price: [] });
}

/** False for an unpaid booking of a visitor: a stranger may have typed the names. */
export function hasTrustedNames(appointment: Appointment): boolean {
  return wasPaid(appointment) || appointment.source === "staff";
}

/** The customer's name; null while `hasTrustedNames` is false. */
export function customerOf(appointment: Appointment): string | null {
  return hasTrustedNames(appointment) ? appointment.contact.name : null;
}

function passOf(
  { appointment, cancellationRefund, underWayPaise, now }: AppointmentContext,
  { id, place, price }: Pick<Pass["session"], "id" | "place"> & Pick<Pass, "price">,
) {
  const { status, window } = appointment;
  const heldUntil = window !== null && window.payBefore > now ? window.payBefore : null;
  const refund = cancellationRefund && customerRefundState(cancellationRefund);
  const isOver = now >= appointment.endsAt;
  const isChecking = underWayPaise > 0;
  const stamp = stampWords({ status, refund, heldUntil, now, isChecking, isOver });
  const unpaid = status === "cancelled" ? "bad" : "waiting";
  const pass: Pass = {
    stamp: stamp.toUpperCase(),
    tone: isPaid(appointment) ? "good" : unpaid,
    name: hasTrustedNames(appointment) ? { label: "Name", value: attendeeOf(appointment) } : null,
    session: {
      captain: { label: "Captain", value: appointment.counselor },
      date: { label: "Date", value: formatDay(appointment.date) },
      starts: { label: "Starts", value: `${formatSlot(appointment.timeSlot)} IST` },
      ends: { label: "Ends", value: `${formatClock(appointment.endsAt)} IST` },
      duration: { label: "Duration", value: `${appointment.minutes} minutes` },
      place,
      id,
    },
    price,
  };
  return { type: "pass", pass } as const;
}

const PLACE = "Place";

/** The reminder's hours before the start; undefined in other messages. */
type ReminderHours = Pick<MessageData, "hours">;

/** How the session takes place, for the customer. Link and number are shown only while it is paid. */
export function customerPlace(appointment: Appointment, data?: ReminderHours): Fact {
  const isHidden = appointment.status !== "cancelled" && !isPaid(appointment);
  if (isHidden) return { label: PLACE, value: "Shown once you have paid" };
  const phone = readablePhone(appointment.contact.phone);
  const value = `${appointment.counselor} calls you on ${phone}`;
  return placeOf(appointment, { value }, data);
}

/** How the session takes place, for the captain. */
export function captainPlace(appointment: Appointment, data?: ReminderHours): Fact {
  const { phone } = appointment.contact;
  const call = { value: `You call ${readablePhone(phone)}`, url: telLink(phone) };
  return placeOf(appointment, call, data);
}

function placeOf(
  { status, meeting }: Appointment,
  call: Omit<Fact, "label">,
  data?: ReminderHours,
): Fact {
  const label = PLACE;
  if (status === "cancelled") return { label, value: "None" };
  if (meeting.kind === "link") return { label, value: meeting.url, url: meeting.url };
  if (meeting.kind === "awaited")
    return { label, value: data?.hours === 24 ? PROMISED : LINK_AWAITED };
  return { label, ...call };
}

const AWAITED = `${LINK_AWAITED}; we send it to you by email, with an update of your calendar.`;
/** Promises the latest time, because a day before the start the link should be there. */
const PROMISED =
  "Your link comes by email, at the latest two hours before the start, with an update of your calendar.";

/** For customer and captain while the meeting link is awaited. */
export function awaitedSentence(data?: ReminderHours): string {
  return data?.hours === 24 ? PROMISED : AWAITED;
}

/** How the session takes place, in one sentence for the customer; also the calendar's description. */
export function joinSentence(appointment: Appointment, data?: ReminderHours): string {
  const { meeting } = appointment;
  const at = `${formatSlot(appointment.timeSlot)} IST`;
  if (meeting.kind === "awaited") return awaitedSentence(data);
  return meeting.kind === "link"
    ? `At ${at}, open ${meeting.url} on a phone or computer.`
    : `At ${at}, ${appointment.counselor} calls you on ${readablePhone(appointment.contact.phone)}. Please keep your phone at hand.`;
}

/** For a moved session: how to choose another time, or to reply if it is too late for that. */
export function anotherTime({ appointment, site, now }: AppointmentContext): string {
  const hours = cutoffOf(appointment, site.selfServiceCutoffHours);
  return now < changeableUntil(appointment.startsAt, hours)
    ? "To choose another time, open your booking or reply to this email."
    : "If the new time does not suit you, reply to this email at once.";
}

/** How the session can still be changed. */
export function changeRule({ appointment, site, now, sums }: AppointmentContext): string {
  const { startsAt } = appointment;
  const cutoffHours = cutoffOf(appointment, site.selfServiceCutoffHours);
  const offer = cancelOffer(sums ?? sumsOf([], []));
  const terms = changeTerms({ startsAt, now, cutoffHours, cancelOffer: offer });
  return now < changeableUntil(startsAt, cutoffHours)
    ? `${terms} You do both on your booking page. After that, please contact us.`
    : `${terms} If you cannot make it, please contact us at once.`;
}

/** Like `refundSentence`, for a refund that is certain but may not be recorded yet. */
export function promisedRefund(context: AppointmentContext): string {
  return refundSentence({ ...context, data: { ...context.data, refundWanted: true } }) ?? "";
}

/** The state of the refund, with its amount; null if there is none. */
export function refundSentence(context: AppointmentContext): string | null {
  const { refund, data, appointment } = context;
  if (refund !== null) return refundLine(refund);
  if (!data.refundWanted) return null;
  const paise = data.amountPaise ?? appointment.price.totalPaise;
  return refundWords("wanted", refundedMoney("cancelled", formatRupees(paise)));
}

export function hello({ appointment }: AppointmentContext): string {
  const name = customerOf(appointment);
  return name === null ? "Hello" : `Hello ${name}`;
}

export function calendarUpdate({ attached }: AppointmentContext): string {
  return attached.calendar ? "The attached invite updates your calendar." : "";
}

/** None once the booking is deleted, and its page with it, or erased. */
export function openBooking({ site, appointment, data }: AppointmentContext): Part {
  return !data.appointment && button("Open your booking", bookingUrl(site, appointment.id));
}
