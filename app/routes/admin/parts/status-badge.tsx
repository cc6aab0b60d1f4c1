/** A status as shape, word and colour: none of the three is needed to tell it. */

import type { AppointmentStatus } from "#app/model/statuses.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { statusLabel } from "#app/model/wording.ts";

const shapeOf = lookUp<AppointmentStatus, React.ReactNode>({
  confirmed: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  rescheduled: <path d="M1 6h9M6 2l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="2" />,
  pending_payment: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />,
  cancelled: <path d="m2 2 8 8M10 2l-8 8" fill="none" stroke="currentColor" strokeWidth="2" />,
});

export function StatusBadge({ status }: { status: AppointmentStatus }) {
  return (
    <span className={`status status-${status}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {shapeOf(status)}
      </svg>
      {statusLabel(status)}
    </span>
  );
}
