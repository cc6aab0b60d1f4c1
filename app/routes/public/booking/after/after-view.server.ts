/** What the booking page shows after the session. */
import { isOpenIn } from "#app/booking/self-service.server.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { takesPlan } from "#app/model/after-session.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { formatInstant } from "#app/model/dates.ts";
import { sentPlan } from "#app/sessions/plan.server.ts";

export type AfterView = Awaited<ReturnType<typeof afterView>>;

export async function afterView(deps: ReadDeps, request: Request, appointment: Appointment) {
  const { id, counselorKey, contact } = appointment;
  const plan = sentPlan(deps, id);
  const opened = plan !== null && (await isOpenIn(deps, request, id));
  const isBookable = readBookable(deps).counselors.some(({ key }) => key === counselorKey);
  return {
    id,
    /** `blocks` is null until the booking is opened in this browser. */
    plan: plan && {
      captain: plan.counselor,
      at: formatInstant(plan.at),
      blocks: opened ? plan.blocks : null,
    },
    /** Entries of the form for the next session; null until this one is over. */
    next: takesPlan(appointment, deps.now())
      ? { counselor: isBookable ? appointment.counselor : "", name: contact.name }
      : null,
  };
}
