/** A captain's schedule: weekly hours, leave, the imported calendar, and the resulting days. */
import { href, Link, NavLink } from "react-router";
import { refuseOthers, refuseOthersLeave } from "#app/auth/require-admin.server.ts";
import type { Clash } from "#app/availability/clashes.server.ts";
import {
  copyDay,
  hoursFormSchema,
  hoursSchema,
  leaveFormSchema,
  leaveIdSchema,
} from "#app/availability/fields.ts";
import { addLeave, removeLeave, setHours } from "#app/availability/set-availability.server.ts";
import { hasSameEnds, rangeFault, withRanges } from "#app/availability/week-ranges.ts";
import { WEEKDAYS, type Week } from "#app/model/day-plan.ts";
import { check } from "#app/model/fields.ts";
import { invalid, type Outcome } from "#app/model/outcome.ts";
import { Affected } from "#app/routes/admin/parts/clashes.tsx";
import { clashesOf } from "#app/routes/admin/parts/clashes-view.server.ts";
import { type Asked, type Sent, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { refusePage } from "#app/routes/admin/parts/forms.server.ts";
import {
  JumpLinks,
  Notice,
  PageHead,
  Problem,
  useMay,
} from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/schedule";
import { BusyCalendarPart } from "./busy-calendar-part.tsx";
import { HoursPart, LeavePart, PreviewPart } from "./schedule-parts.tsx";
import { readSchedule, typedHours } from "./schedule-view.server.ts";

const PARTS = [
  ["hours-title", "Weekly hours"],
  ["leave-title", "Leave"],
  ["calendar-title", "Imported calendar"],
  ["preview-title", "Next four weeks"],
] as const;

const schedule = screen({
  find: (asked: Asked<Route.LoaderArgs>) => {
    refusePage(refuseOthers(asked, asked.params.key));
    return readSchedule(asked.context, asked.params.key);
  },
  view: ({ about, form, refused }) => {
    const isStale = refused?.code === "stale";
    if (!refused || isStale || !form?.has("bufferMinutes")) return about;
    return { ...about, hours: typedHours(about.hours, form) };
  },
});

const FAILED = "Schedule Not Changed";

type SentHere = Sent<Route.LoaderArgs, unknown>;
type Changed = Outcome<{ affected: Clash[] }>;

/** Redirects to the page, or stays on it to show the sessions that clash with the change. */
function saidOf(title: string, affected: readonly Clash[], { deps, context, params }: SentHere) {
  const { key } = params;
  const notice = { title, description: "The schedule is changed." };
  return affected.length > 0
    ? { notice, more: clashesOf(deps, context, key, affected) }
    : { to: href("/admin/schedule/:key", { key }), ...notice };
}

const hours = schedule.form({
  fields: hoursFormSchema,
  lists: true,
  rename: withRanges,
  run: (
    { copyTo, bufferMinutes, version, ...week },
    { deps, actor, params, about, intent, form },
  ): Changed => {
    const fault = intent === "default" ? null : rangeFault(form);
    if (fault) return invalid({ week: [fault] });
    if (intent === "copy" && copyTo.length === 0) {
      return invalid({ copyTo: ["Please select the days that get Monday's times"] });
    }
    const wanted = intent === "copy" ? copyDay(week, "mon", copyTo) : week;
    // After a change of the buffer only, the captain keeps following the default times.
    const { hours } = about;
    const isOtherBuffer = bufferMinutes !== hours.bufferMinutes;
    const isUntouched =
      isSameWeek(wanted, hours.week) ||
      (form.get("as") === "ranges" && isOtherBuffer && hasSameEnds(wanted, hours.week));
    const isDefault = intent === "default" || (hours.isDefault && isUntouched);
    const input = { week: isDefault ? null : wanted, bufferMinutes, version };
    const checked = check(hoursSchema, input);
    return checked.ok ? setHours(deps, actor, params.key, checked.value) : checked;
  },
  failed: FAILED,
  savedWins: true,
  done: ({ affected }, sent) => saidOf("Hours Saved", affected, sent),
});

function isSameWeek(a: Week, b: Week): boolean {
  return WEEKDAYS.every((day) => a[day].join() === b[day].join());
}

const newLeave = schedule.form({
  fields: leaveFormSchema,
  lists: true,
  run: ({ forAll, ...days }, sent): Changed => {
    const counselorKey = forAll ? null : sent.params.key;
    const refusal = refuseOthers(sent, counselorKey);
    return refusal ?? addLeave(sent.deps, sent.actor, { ...days, counselorKey });
  },
  failed: FAILED,
  done: ({ affected }, sent) => saidOf("Leave Added", affected, sent),
});

const endedLeave = schedule.form({
  fields: leaveIdSchema,
  run: ({ leaveId }, sent) =>
    refuseOthersLeave(sent, leaveId) ?? removeLeave(sent.deps, sent.actor, leaveId),
  failed: FAILED,
  done: (_, sent) => saidOf("Leave Removed", [], sent),
});

const { loader, action } = schedule.page({
  save: hours,
  default: hours,
  copy: hours,
  "leave-add": newLeave,
  "leave-remove": endedLeave,
});

export { action, loader };

export default function Schedule(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { view, notice } = page;
  const mayEdit = useMay("catalogue");
  return (
    <>
      <PageHead title={`Schedule of ${view.counselor}`}>
        {!view.active && "This captain is off the page: nobody can book them. "}
        {mayEdit && (
          <Link to={href("/admin/catalogue/captains/:key", { key: view.key })} className="link">
            Profile, meeting and portrait
          </Link>
        )}
      </PageHead>
      <Problem refusal={page.refusal} />
      {notice && <Notice {...notice} variant="default" />}
      <Affected clashes={page.more ?? view.clashes} answer={notice && page.answer} />
      <Captains counselors={view.counselors} />
      <JumpLinks to={PARTS} />
      {/* Resets the forms when another captain is shown. */}
      <div key={view.key} className="grid gap-5">
        <div className="grid items-start gap-5 xl:grid-cols-2">
          <HoursPart
            // Fills the form again when another admin has saved.
            key={view.hours.version}
            hours={view.hours}
            reply={page.replyTo("save", "default", "copy")}
          />
          <div className="grid gap-5">
            <LeavePart {...view} reply={page.replyTo("leave-add", "leave-remove")} />
            <BusyCalendarPart counselorKey={view.key} calendar={view.calendar} reply={null} />
          </div>
        </div>
        <PreviewPart days={view.preview} />
      </div>
    </>
  );
}

function Captains({ counselors }: { counselors: readonly { key: string; name: string }[] }) {
  if (counselors.length < 2) return null;
  return (
    <nav aria-label="Captains" className="mb-4 flex flex-wrap border-b border-line">
      {counselors.map(({ key, name }) => (
        <NavLink
          key={key}
          to={href("/admin/schedule/:key", { key })}
          className={({ isActive }) =>
            `-mb-px flex min-h-11 items-center border-b-3 px-3 ${
              isActive
                ? "border-action font-semibold text-action"
                : "border-transparent text-muted hover:text-ink"
            }`
          }
        >
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
