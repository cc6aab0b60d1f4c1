/** Notes attendance, then redirects to the page of the button, at its anchor if it has one. */
import { bookingIdAt, pathAfterSignIn } from "#app/auth/require-admin.server.ts";
import { attendanceSchema } from "#app/booking/change-fields.ts";
import { noteAttendance } from "#app/booking/edit-appointment.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { check } from "#app/model/fields.ts";
import { attendanceLabel } from "#app/model/wording.ts";
import { actorOf, goOn, refuseClick } from "#app/routes/admin/parts/forms.server.ts";
import { ATTENDANCE_FAILED } from "#app/routes/admin/parts/session-parts.tsx";
import type { Route } from "./+types/appointment-attendance";

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const actor = actorOf(context);
  const refused = refuseClick(deps, form, actor);
  if (refused) return refused;
  const { back, anchor, attendance, ...rest } = Object.fromEntries(form);
  const input = check(attendanceSchema, {
    ...rest,
    attendance: attendance === "" ? null : attendance,
  });
  const id = bookingIdAt(context, params.id);
  const noted = input.ok ? noteAttendance(deps, actor, id, input.value) : input;
  const notice = noted.ok
    ? {
        title: "Attendance Noted",
        description: `The session of ${noted.value.contact.name}: ${attendanceLabel(noted.value.attendance ?? "none").toLowerCase()}.`,
      }
    : { title: ATTENDANCE_FAILED, description: noted.message, variant: "destructive" as const };
  const place = typeof anchor === "string" ? `#${encodeURIComponent(anchor)}` : "";
  return goOn(deps, pathAfterSignIn(String(back ?? "")) + place, notice);
}

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
