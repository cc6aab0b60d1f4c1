/**
 * Removes an appointment and what it said of a person. The ledger stays as tax law wants it, the
 * money's rows stay without personal data, and refunds under way go on.
 */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { isPaid } from "#app/model/appointment.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import {
  deleteAppointmentRow,
  findAppointment,
  updateAppointment,
} from "#db/queries/appointments.server.ts";
import { deleteMessagesTo } from "#db/queries/messages.server.ts";
import { eraseTraces } from "#db/queries/retention.server.ts";
import { NO_APPOINTMENT, refuseStale } from "./change-rules.ts";

/**
 * Nobody is told of it and nothing is refunded; who was to be told of a cancellation or of money still
 * is. Refusals: `not_found`, `stale`.
 */
export function deleteAppointment(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  id: string,
  { version }: { version?: number | undefined } = {},
): Outcome<{ id: string }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const stale = refuseStale(appointment, version);
    if (stale) return stale;
    // What is still to be told speaks of a session that will not take place.
    const tookPlace = isPaid(appointment) && appointment.endsAt <= now;
    if (!tookPlace) updateAppointment(tx, id, now, { status: "cancelled" });
    eraseTraces(tx, id);
    deleteMessagesTo(tx, appointment.contact.email, now, "of no booking");
    deleteAppointmentRow(tx, id);
    const { counselor, date, timeSlot, status, invoiceNumber } = appointment;
    log("delete", id, {
      before: { counselor, date, timeSlot, status, ...(invoiceNumber ? { invoiceNumber } : {}) },
    });
    return success({ id });
  });
}
