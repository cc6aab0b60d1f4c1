/** Corrects the contact data of an appointment, or its staff note; the issued invoice stands. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment, Contact } from "#app/model/appointment.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { NO_APPOINTMENT, refuseStale } from "./change-rules.ts";

/** Checked by `editContactSchema`; a field left out stays, an empty note is removed. */
export interface ContactChange {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  notes?: string | undefined;
  staffNote?: string | undefined;
  version?: number | undefined;
}

/**
 * Of a paid session the customer gets the confirmation again, and the captain what changed of what
 * they see; of the staff note nobody is told. Nothing is written if nothing changes, whatever the
 * version. Refusals: `not_found`, `stale`.
 */
export function editContact(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  actor: Actor,
  id: string,
  { version, ...wish }: ContactChange,
): Outcome<Appointment> {
  return change(deps, actor, ({ tx, now, log }) => {
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const { contact } = appointment;
    const wanted: Contact = {
      name: wish.name ?? contact.name,
      email: wish.email ?? contact.email,
      phone: wish.phone === undefined ? contact.phone : normalisePhone(wish.phone),
      notes: wish.notes === undefined ? contact.notes : wish.notes || null,
    };
    const changed = (Object.keys(wanted) as (keyof Contact)[]).filter(
      (field) => wanted[field] !== contact[field],
    );
    const staffNote = wish.staffNote === undefined ? appointment.staffNote : wish.staffNote || null;
    const isNoted = staffNote !== appointment.staffNote;
    if (changed.length === 0 && !isNoted) return success(appointment);
    const stale = refuseStale(appointment, version);
    if (stale) return stale;
    updateAppointment(tx, id, now, { contact: wanted, staffNote });
    const corrected = findAppointment(tx, id)!;
    if (isNoted) {
      log("staff_note_edit", id, {
        before: { staffNote: appointment.staffNote },
        after: { staffNote },
      });
    }
    if (changed.length === 0) return success(corrected);
    const pick = (from: Contact) => Object.fromEntries(changed.map((key) => [key, from[key]]));
    log("edit", id, { before: pick(contact), after: pick(wanted) });
    queueMessages(tx, deps.env, now, {
      type: "contact_corrected",
      appointment: corrected,
      changed,
    });
    return success(corrected);
  });
}
