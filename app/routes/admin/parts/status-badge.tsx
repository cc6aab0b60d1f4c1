/** A status as shape, word and colour: none of the three is needed to tell it. */

import type { AppointmentStatus } from "#app/model/statuses.ts";
import { statusLabel } from "#app/model/wording.ts";

/** The shape is of the stylesheet: one element each, many times on a page. */
export function StatusBadge({ status }: { status: AppointmentStatus }) {
  return <span className={`status status-${status}`}>{statusLabel(status)}</span>;
}
