/**
 * Clicks on a session: its attendance, keeping it although its time was taken away, reporting that
 * the customer is missing (captains for their own sessions, staff for any), and settling a call for
 * help.
 */
import { bookingIdAt } from "#app/auth/require-admin.server.ts";
import { keepClash } from "#app/availability/clashes.server.ts";
import { attendanceSchema } from "#app/booking/change-fields.ts";
import { noteAttendance } from "#app/booking/edit-appointment.server.ts";
import { check } from "#app/model/fields.ts";
import { wording } from "#app/model/unknown-code.ts";
import { attendanceLabel, personName } from "#app/model/wording.ts";
import { type Click, clickAction, noticeOf } from "#app/routes/admin/parts/forms.server.ts";
import { ATTENDANCE_FAILED } from "#app/routes/admin/parts/session-parts.tsx";
import { callForHelp, type Settled, settleHelp } from "#app/sessions/help.server.ts";

const CLICKS = new Map([
  ["attendance", noteAttended],
  ["keep", keep],
  ["help", reportMissing],
  ["help/:side", settle],
]);

export const action = clickAction((click) => {
  const [, name = ""] = click.pattern.split("/:id/");
  return CLICKS.get(name)!(click, bookingIdAt(click.context, click.params.id));
});

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";

function noteAttended({ deps, actor, form }: Click, id: string) {
  const { attendance, version } = Object.fromEntries(form);
  const given = { version, attendance: attendance === "" ? null : attendance };
  const input = check(attendanceSchema, given);
  const noted = input.ok ? noteAttendance(deps, actor, id, input.value) : input;
  return noticeOf(noted, ATTENDANCE_FAILED, ({ contact, attendance: now }) => ({
    title: "Attendance Noted",
    description: `The session of ${personName(contact.name)}: ${attendanceLabel(now ?? "none").toLowerCase()}.`,
  }));
}

function keep({ deps, actor, form }: Click, id: string) {
  const version = Number(form.get("version"));
  const kept = keepClash(deps, actor, id, { version, causes: form.getAll("cause").map(String) });
  return noticeOf(kept, "Not Kept", ({ name }) => ({
    title: "Session Kept",
    description: `The session of ${name} stays as it is.`,
  }));
}

function reportMissing({ deps, actor }: Click, id: string) {
  const called = callForHelp(deps, actor, id, "captain");
  return noticeOf(called, "Nothing Was Done", ({ isNew }) => (isNew ? NOTIFIED : NOTIFIED_BEFORE));
}

const NOTIFIED = {
  title: "Customer and Team Notified",
  description: "Both have a mail with the number to call.",
};
const NOTIFIED_BEFORE = {
  title: "Notified Already",
  description: "Customer and team were notified before. No mail is sent again.",
};

function settle({ deps, actor, form, params }: Click, id: string) {
  const settled = settleHelp(deps, actor, id, {
    side: params.side === "captain" ? "captain" : "customer",
    asked: String(form.get("asked") ?? ""),
    startsAt: Number(form.get("startsAt")),
    confirm: form.get("answer") === "confirm",
  });
  return noticeOf(settled, "Nothing Was Done", (how) => ({
    title: "Help Settled",
    description: settledWords(how),
  }));
}

const settledWords = wording<Settled>({
  moved: "The session is moved to the time that the customer asked for, and everybody is notified.",
  refunded:
    "The session is cancelled and all that is left of the money goes back; its panel says how.",
  closed: "It is closed. Nobody is notified of it.",
});
