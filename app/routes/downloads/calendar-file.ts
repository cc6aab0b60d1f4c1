import { depsContext } from "#app/core/deps.server.ts";
import { isId } from "#app/model/ids.ts";
import { bookingCalendarFile } from "#app/notifications/invitation.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Route } from "./+types/calendar-file";

export function loader({ params, context }: Route.LoaderArgs): Response {
  const deps = context.get(depsContext);
  const appointment = isId(params.id) ? findAppointment(deps.db, params.id) : null;
  if (!appointment) throw new Response("Not Found", { status: 404 });
  return new Response(bookingCalendarFile(deps.env, appointment, deps.now()), {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8; method=PUBLISH",
      "Content-Disposition": 'attachment; filename="session.ics"',
    },
  });
}
