/** The top of the panel: when, with whom, the status, and the next action. */
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { telLink } from "#app/model/tel-link.ts";
import { DialogLink } from "#app/routes/admin/parts/overlay.tsx";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { AttendanceButtons, StatusBadge } from "#app/routes/admin/parts/session-parts.tsx";
import type { AppointmentDetails } from "./appointment-view.server.ts";

export const HOLD_AGAIN = "Hold again and send the link";

interface LeadProps {
  details: AppointmentDetails;
}

export function Lead({ details }: LeadProps) {
  const { session, cancelReason, cancelNote } = details;
  return (
    <div className="grid gap-1">
      <p className="figures display text-lg">
        {session.date}, {session.time}
      </p>
      <p className="break-words">
        {session.counselor}, {session.minutes} minutes
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={session.status} />
        {session.note && <span className="text-muted">{session.note}</span>}
        {cancelReason && <span className="text-muted">{cancelReason}</span>}
      </p>
      {cancelNote && <p className="break-words">{cancelNote}</p>}
      <AttendanceButtons of={session.attendance} className="mt-2" />
      <NextAction details={details} />
    </div>
  );
}

/** Hold again if unpaid; else settle a refund that is owed; else call before an upcoming session. */
function NextAction({ details: { session, money, payments, phone } }: LeadProps) {
  const maySettle = useMay("refunds");
  const owed = payments.flatMap(({ refunds }) => refunds).find(({ settleTo }) => settleTo);
  const primary = "button button-primary mt-2 justify-self-start";
  if (money.isUnpaid) {
    return (
      <DialogLink to={href("/admin/appointments/:id/hold", { id: session.id })} className={primary}>
        {HOLD_AGAIN}
      </DialogLink>
    );
  }
  if (maySettle && owed?.settleTo) {
    return (
      <DialogLink to={owed.settleTo} className={primary}>
        Mark as paid back
      </DialogLink>
    );
  }
  if (!session.upcoming || phone === "") return null;
  return (
    <a href={telLink(phone)} className="button button-quiet mt-2 justify-self-start">
      <Icon name="call" />
      Call {phone}
    </a>
  );
}
