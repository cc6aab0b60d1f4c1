/** Staff correct an appointment's contact data, note its attendance, and delete it. */
import type { z } from "zod";
import { changed } from "#app/catalogue/read.server.ts";
import { changeAppointment } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, type Contact, isPaid, takesAttendance } from "#app/model/appointment.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { deleteForGood } from "#db/queries/erasures.server.ts";
import { deleteOwnBookings } from "#db/queries/holds.server.ts";
import { listMessages, type Message } from "#db/queries/messages.server.ts";
import { deleteUnconfirmed } from "#db/queries/preparation.server.ts";
import type { attendanceSchema, editContactSchema } from "./change-fields.ts";
import { refuseCancelled, refuseErased, refuseStale } from "./change-rules.ts";
import { askGuardian, askGuardianAnew } from "./guardian.server.ts";

/**
 * Corrects contact data, the student and the staff note. The customer of a paid session gets the
 * confirmation again, of an unpaid one the open link, and the captain is notified of what concerns
 * them; nobody is notified of the staff note. A corrected age notifies only the guardian, who is then
 * asked, or no longer asked. If nothing changes, nothing is written, whatever the version. Refusals:
 * `not_found` (also of an erased customer), `stale`, `validation_failed` (a student for a session
 * without one).
 */
export function editContact(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { version, ...request }: z.output<typeof editContactSchema>,
): Outcome<Appointment> {
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const erased = refuseErased(appointment);
    if (erased) return erased;
    if (request.student && !appointment.student) return NO_STUDENT;
    const before = correctable(appointment);
    const wanted: Correctable = {
      name: request.name ?? before.name,
      email: request.email ?? before.email,
      phone: isSamePhone(request.phone, before.phone)
        ? before.phone
        : normalisePhone(request.phone!),
      notes: request.notes === undefined ? before.notes : request.notes || null,
      studentName: request.student?.name ?? before.studentName,
      under18: request.student?.under18 ?? before.under18,
    };
    const difference = changed(before, wanted);
    const staffNote =
      request.staffNote === undefined ? appointment.staffNote : request.staffNote || null;
    const isNoted = staffNote !== appointment.staffNote;
    if (!difference && !isNoted) return success(appointment);
    const stale = refuseStale(appointment, version);
    if (stale) return stale;
    const { studentName, under18, ...contact } = wanted;
    const student = appointment.student && {
      ...appointment.student,
      name: studentName!,
      under18: under18!,
    };
    updateAppointment(tx, id, now, { contact, student, staffNote });
    const corrected = findAppointment(tx, id)!;
    if (isNoted) {
      log("staff_note_edit", id, {
        before: { staffNote: appointment.staffNote },
        after: { staffNote },
      });
    }
    if (!difference) return success(corrected);
    log("edit", id, difference);
    const fields = Object.keys(difference.after) as (keyof Correctable)[];
    const mailed = fields.filter((field) => field !== "under18");
    const isLink = ({ kind, channel }: Message) =>
      kind === "payment_link" && channel === "whatsapp";
    if (mailed.length > 0) {
      queueMessages(tx, deps.env, now, {
        type: "contact_corrected",
        appointment: corrected,
        changed: mailed,
        wasLinkedByWhatsApp: listMessages(tx, id).some(isLink),
      });
    }
    // What is personal is no longer shown where the old address opened it. A visitor's browser that
    // booked is still to pay.
    const isToPay = !isPaid(corrected) && corrected.source !== "staff";
    if (fields.includes("email") && !isToPay) deleteOwnBookings(tx, id);
    // The link sent to the old address must not confirm. Once a session has begun, an existing
    // confirmation stays as proof.
    if (fields.some((field) => ASKS_GUARDIAN.includes(field))) {
      const ask = corrected.startsAt > now ? askGuardianAnew : askGuardian;
      ask(tx, deps.env, corrected, now, "corrected");
    }
    if (under18 === false) deleteUnconfirmed(tx, id);
    return success(corrected);
  });
}

/** Also recognises a number that was stored as it was typed. */
function isSamePhone(typed: string | undefined, stored: string): boolean {
  return typed === undefined || normalisePhone(typed) === normalisePhone(stored);
}

/** `studentName` and `under18` are null if the session is for the customer. */
type Correctable = Contact & { studentName: string | null; under18: boolean | null };

const ASKS_GUARDIAN: readonly (keyof Correctable)[] = ["email", "studentName", "under18"];

function correctable({ contact, student }: Appointment): Correctable {
  return {
    ...contact,
    studentName: student?.name ?? null,
    under18: student?.under18 ?? null,
  };
}

const NO_STUDENT = invalid({ student: ["This session is for who booked it"] });

/**
 * Records a session's attendance; null clears it. Moves no money, notifies nobody, and writes
 * nothing if nothing changes. Refusals: `not_found`, `already_cancelled`, `too_early`, `stale`.
 */
export function noteAttendance(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { attendance, version }: z.output<typeof attendanceSchema>,
): Outcome<Appointment> {
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const cancelled = refuseCancelled(appointment);
    if (cancelled) return cancelled;
    if (!takesAttendance(appointment, now)) return TOO_EARLY;
    if (attendance === appointment.attendance) return success(appointment);
    const stale = refuseStale(appointment, version);
    if (stale) return stale;
    updateAppointment(tx, id, now, { attendance });
    log("attendance", id, {
      before: { attendance: appointment.attendance },
      after: { attendance },
    });
    return success(findAppointment(tx, id)!);
  });
}

const TOO_EARLY = failure(
  "too_early",
  "Attendance can be noted of a paid session, from its start on.",
);

/**
 * Deletes an appointment and its personal data. The ledger stays, as tax law demands; rows about
 * money stay without personal data, and refunds under way continue. Notifies nobody and refunds
 * nothing; queued messages about a cancellation or money are still sent. Refusals: `not_found`,
 * `stale`.
 */
export function deleteAppointment(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { version }: { version?: number | undefined } = {},
): Outcome<{ id: string }> {
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const stale = refuseStale(appointment, version);
    if (stale) return stale;
    deleteForGood(tx, appointment, now);
    const { counselor, date, timeSlot, status, invoiceNumber } = appointment;
    log("delete", id, {
      before: { counselor, date, timeSlot, status, ...(invoiceNumber ? { invoiceNumber } : {}) },
    });
    return success({ id });
  });
}
