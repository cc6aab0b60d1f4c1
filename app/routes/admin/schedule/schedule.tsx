/** A captain's schedule: weekly hours, leave, the imported calendar, and what comes of them. */
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
import { addLeave, removeLeave, setHours } from "#app/availability/hours.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { check } from "#app/model/fields.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { WEEKDAYS, type Week } from "#app/model/week.ts";
import { Affected } from "#app/routes/admin/parts/clashes.tsx";
import { actorOf, carryOut, goOn, refusePage } from "#app/routes/admin/parts/forms.server.ts";
import { Notice, Problem } from "#app/routes/admin/parts/notice.tsx";
import { JumpLinks, PageHead, useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/schedule";
import { BusyCalendarPart } from "./busy-calendar-part.tsx";
import { HoursPart, LeavePart, PreviewPart } from "./schedule-parts.tsx";
import { readSchedule } from "./schedule-view.server.ts";

const FAILED = "Schedule Not Changed";

const PARTS = [
  ["hours-title", "Weekly hours"],
  ["leave-title", "Leave"],
  ["calendar-title", "Imported calendar"],
  ["preview-title", "Next four weeks"],
] as const;

/** A single ticked box is a list too. */
const LISTS = { lists: true };

export function loader(asked: Route.LoaderArgs) {
  const { key } = asked.params;
  refusePage(refuseOthers(asked, key));
  return readSchedule(asked.context, key);
}

export async function action(asked: Route.ActionArgs) {
  const { params, request, context } = asked;
  const deps = context.get(depsContext);
  const { key } = params;
  refusePage(refuseOthers(asked, key));
  readSchedule(context, key);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const done = await (pressOf(intent) ?? save)(asked, form, intent);
  const about = intent.startsWith("leave") ? "leave" : "hours";
  if (!done.ok) {
    const view = readSchedule(context, key);
    if (about === "leave") return done.refuse(FAILED, { about, done: null, affected: 0, view });
    if (done.code === "stale") {
      // The fresh values take the place of those typed.
      return done.refuse(FAILED, { about, reply: null, done: null, affected: 0, view });
    }
    const typed = Object.fromEntries(
      WEEKDAYS.map((day) => [day, form.getAll(day).map(String)]),
    ) as unknown as Week;
    const hours = { ...view.hours, week: typed };
    return done.refuse(FAILED, { about, done: null, affected: 0, view: { ...view, hours } });
  }
  const words = { title: TITLES(intent) ?? "Hours Saved", description: "The schedule is changed." };
  const affected = done.value.affected.length;
  if (affected === 0) return goOn(deps, href("/admin/schedule/:key", { key }), words);
  return {
    refusal: null,
    reply: null,
    about,
    done: words,
    affected,
    view: readSchedule(context, key),
  };
}

type Changed = Outcome<{ affected: Clash[] }>;

const pressOf = lookUp({
  save,
  default: save,
  copy: save,
  "leave-add": addDays,
  "leave-remove": removeDays,
});

const TITLES = lookUp({ "leave-add": "Leave Added", "leave-remove": "Leave Removed" });

type Asked = Route.ActionArgs;

function save({ context, params: { key } }: Asked, form: FormData, intent: string) {
  const deps = context.get(depsContext);
  return carryOut(
    form,
    hoursFormSchema,
    ({ copyTo, bufferMinutes, version, ...week }): Changed => {
      if (intent === "copy" && copyTo.length === 0) {
        return invalid({ copyTo: ["Please select the days that get Monday's times"] });
      }
      const wanted = intent === "copy" ? copyDay(week, "mon", copyTo) : week;
      const { hours } = readSchedule(context, key);
      // Who sets the buffer alone goes on with the default times, also once they change.
      const isDefault = intent === "default" || (hours.isDefault && isSameWeek(wanted, hours.week));
      const checked = check(hoursSchema, {
        week: isDefault ? null : wanted,
        bufferMinutes,
        version,
      });
      return checked.ok ? setHours(deps, actorOf(context), key, checked.value) : checked;
    },
    LISTS,
  );
}

function isSameWeek(a: Week, b: Week): boolean {
  return WEEKDAYS.every((day) => a[day].join() === b[day].join());
}

function addDays(asked: Asked, form: FormData) {
  const { context, params } = asked;
  return carryOut(
    form,
    leaveFormSchema,
    ({ forAll, ...days }): Changed => {
      const counselorKey = forAll ? null : params.key;
      const refusal = refuseOthers(asked, counselorKey);
      if (refusal) return refusal;
      return addLeave(context.get(depsContext), actorOf(context), { ...days, counselorKey });
    },
    LISTS,
  );
}

function removeDays(asked: Asked, form: FormData) {
  const { context } = asked;
  return carryOut(form, leaveIdSchema, ({ leaveId }): Changed => {
    const refusal = refuseOthersLeave(asked, leaveId);
    if (refusal) return refusal;
    const removed = removeLeave(context.get(depsContext), actorOf(context), leaveId);
    return removed.ok ? success({ affected: [] }) : removed;
  });
}

export default function Schedule({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const mayEdit = useMay("catalogue");
  const view = answer?.view ?? loaderData;
  const replyTo = (about: "hours" | "leave") => (answer?.about === about ? answer.reply : null);
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
      <Problem refusal={answer?.refusal} />
      {answer?.done && <Notice {...answer.done} variant="default" />}
      <Affected affected={view.affected} listSearch="" press={answer?.affected ? answer : null} />
      <Captains counselors={view.counselors} />
      <JumpLinks to={PARTS} />
      {/* Another captain's page keeps nothing of this one's forms. */}
      <div key={view.key} className="grid gap-5">
        <div className="grid items-start gap-5 xl:grid-cols-2">
          <HoursPart
            // What another admin has saved fills the form anew.
            key={view.hours.version}
            hours={view.hours}
            reply={replyTo("hours")}
          />
          <div className="grid gap-5">
            <LeavePart {...view} reply={replyTo("leave")} />
            <BusyCalendarPart counselorKey={view.key} calendar={view.calendar} />
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
