/** When the owner was last alerted of what. */
import type { OwnerAlert } from "#app/model/messages.ts";
import type { Db } from "#db/connection.server.ts";

/** Sorts by its instant, so that the unique index over causes finds those of a span. */
export function ownerAlertCause(alert: OwnerAlert, at: number): string {
  return `owner_alert:${alert}:${String(at).padStart(15, "0")}`;
}

/** True if the alert was queued within the span, both ends inclusive. */
export function wasOwnerAlerted(db: Db, alert: OwnerAlert, from: number, to: number): boolean {
  const span = [ownerAlertCause(alert, from), ownerAlertCause(alert, to)];
  return db.firstRaw("SELECT 1 FROM message WHERE cause BETWEEN ? AND ?", span) !== undefined;
}
