import type { Deps } from "#app/core/deps.server.ts";
import { issueInvoice } from "#app/documents/issue.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";

/** Makes a pending appointment, whose time is taken for good, a paid session. */
export function confirmAppointment(
  tx: Db,
  { env }: Pick<Deps, "env">,
  appointment: Appointment,
  paymentId: string,
  now: number,
): Appointment {
  updateAppointment(tx, appointment.id, now, { status: "confirmed", window: null });
  issueInvoice(tx, env, appointment, paymentId, now);
  const confirmed = findAppointment(tx, appointment.id)!;
  queueMessages(tx, env, now, { type: "confirmed", appointment: confirmed });
  return confirmed;
}
