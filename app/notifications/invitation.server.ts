/** An appointment's calendar file, as invite or download, and its entry in the captain's feed. */
import type { Env } from "#app/core/env.server.ts";
import { eventDomain } from "#app/core/env-fields.ts";
import {
  type CalendarEvent,
  type CalendarPerson,
  calendarFile,
} from "#app/documents/calendar-file.ts";
import { type Appointment, attendeeOf, isPaid, wasPaid } from "#app/model/appointment.ts";
import type { Audience } from "#app/model/messages.ts";
import { LINK_AWAITED } from "#app/model/room.ts";
import { personName } from "#app/model/wording.ts";
import { bookingUrl } from "#app/notifications/templates/content.ts";
import { customerPlace, hasTrustedNames, joinSentence } from "#app/notifications/templates/pass.ts";
import { parseMailbox } from "./relevance.ts";

type CalendarEnv = Pick<
  Env,
  "mailFrom" | "publicUrl" | "brand" | "business" | "selfServiceCutoffHours"
>;

interface Invitation {
  method: "REQUEST" | "CANCEL";
  audience: Audience;
  attendee: CalendarPerson;
  now: number;
}

/** The attached calendar file. A later one with a higher sequence moves or removes the entry. */
export function invitationFile(
  env: CalendarEnv,
  appointment: Appointment,
  { method, audience, attendee, now }: Invitation,
): string {
  const eventOf = audience === "counselor" ? captainEvent : customerEvent;
  const event = eventOf(env, appointment, now);
  return calendarFile({ ...event, brand: env.brand.name, method, attendees: [attendee] });
}

/** The file behind "Add to calendar": the same entry without an invitation. */
export function bookingCalendarFile(
  env: CalendarEnv,
  appointment: Appointment,
  now: number,
): string {
  const event = customerEvent(env, appointment, now);
  return calendarFile({ ...event, brand: env.brand.name, method: "PUBLISH", attendees: [] });
}

function commonOf(env: CalendarEnv, appointment: Appointment, now: number) {
  const from = parseMailbox(env.mailFrom, env.business.name);
  return {
    uid: appointment.calendarUid,
    domain: eventDomain(env.mailFrom),
    sequence: appointment.calendarSequence,
    status: calendarStatus(appointment),
    startsAt: appointment.startsAt,
    endsAt: appointment.endsAt,
    organizer: { name: from.name, email: from.address },
    stamp: now,
  };
}

function calendarStatus(appointment: Appointment): CalendarEvent["status"] {
  if (appointment.status === "cancelled") return "CANCELLED";
  return isPaid(appointment) ? "CONFIRMED" : "TENTATIVE";
}

/** The session's title in a calendar, without the student's name. */
export function sessionTitle(
  { brand }: Pick<Env, "brand">,
  { counselor }: Pick<Appointment, "counselor">,
): string {
  return `${brand.name}: session with ${counselor}`;
}

const OFF = "This session will not take place.";

function customerEvent(env: CalendarEnv, appointment: Appointment, now: number): CalendarEvent {
  const url = bookingUrl(env, appointment.id);
  const isOff = appointment.status === "cancelled";
  // A cancelled entry keeps its place, so that people recognise it.
  const before = wasPaid(appointment) ? "confirmed" : "pending_payment";
  const location = customerPlace(isOff ? { ...appointment, status: before } : appointment).value;
  const missing = isOff ? OFF : location;
  const { student } = appointment;
  const whose = student && hasTrustedNames(appointment) ? `, for ${student.name}` : "";
  return {
    ...commonOf(env, appointment, now),
    summary: `${sessionTitle(env, appointment)}${whose}`,
    description: `${isPaid(appointment) ? joinSentence(appointment) : missing}\n${url}`,
    location,
  };
}

/** The session in the captain's own calendar. */
export function captainEvent(
  env: CalendarEnv,
  appointment: Appointment,
  changedAt: number,
): CalendarEvent {
  const { phone, notes } = appointment.contact;
  const { meeting } = appointment;
  const name = personName(attendeeOf(appointment));
  const call = phone ? `You call ${name} on ${phone}` : `You call ${name}`;
  const elsewhere = meeting.kind === "call" ? call : LINK_AWAITED;
  const location = meeting.kind === "link" ? meeting.url : elsewhere;
  return {
    ...commonOf(env, appointment, changedAt),
    summary: `Session with ${name}`,
    description: [
      appointment.status === "cancelled" ? OFF : location,
      ...(notes ? [`Question: ${notes}`] : []),
    ].join("\n"),
    location,
  };
}
