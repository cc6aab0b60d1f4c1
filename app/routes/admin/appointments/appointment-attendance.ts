/** Notes attendance. */
import { bookingIdAt } from "#app/auth/require-admin.server.ts";
import { attendanceSchema } from "#app/booking/change-fields.ts";
import { noteAttendance } from "#app/booking/edit-appointment.server.ts";
import { check } from "#app/model/fields.ts";
import { attendanceLabel, personName } from "#app/model/wording.ts";
import { clickAction } from "#app/routes/admin/parts/forms.server.ts";
import { ATTENDANCE_FAILED } from "#app/routes/admin/parts/session-parts.tsx";
import type { Route } from "./+types/appointment-attendance";

export const action = clickAction<Route.ActionArgs>(({ deps, actor, form, params, context }) => {
  const { back: _, anchor: __, attendance, ...rest } = Object.fromEntries(form);
  const input = check(attendanceSchema, {
    ...rest,
    attendance: attendance === "" ? null : attendance,
  });
  const id = bookingIdAt(context, params.id);
  const noted = input.ok ? noteAttendance(deps, actor, id, input.value) : input;
  return noted.ok
    ? {
        title: "Attendance Noted",
        description: `The session of ${personName(noted.value.contact.name)}: ${attendanceLabel(noted.value.attendance ?? "none").toLowerCase()}.`,
      }
    : { title: ATTENDANCE_FAILED, description: noted.message, variant: "destructive" };
});

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
