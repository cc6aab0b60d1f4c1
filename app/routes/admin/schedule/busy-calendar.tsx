/** Takes the presses of the calendar's part of a captain's schedule, and shows what was refused. */
import { data, href, Link } from "react-router";
import { refuseOthers } from "#app/auth/require-admin.server.ts";
import {
  type BusyCalendarState,
  readBusyCalendar,
  refreshBusyCalendar,
  setBusyCalendar,
} from "#app/availability/busy-calendars.server.ts";
import { busyCalendarSchema } from "#app/availability/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { actorOf, carryOut, goOn, refusePage } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/busy-calendar";
import { BusyCalendarPart } from "./busy-calendar-part.tsx";

const FAILED = "Calendar Not Changed";

export function loader(asked: Route.LoaderArgs) {
  const { params, context } = asked;
  refusePage(refuseOthers(asked, params.key));
  const deps = context.get(depsContext);
  const calendar = calendarOf(deps, params.key);
  return { calendar, counselor: findCounselorByKey(readCatalogue(deps.db), params.key)!.name };
}

/** A key that is no captain's is answered 404. */
function calendarOf(deps: Deps, key: string): BusyCalendarState {
  const calendar = readBusyCalendar(deps, key);
  if (!calendar.ok) throw data(null, { status: 404 });
  return calendar.value;
}

export async function action(asked: Route.ActionArgs) {
  const { params, request, context } = asked;
  refusePage(refuseOthers(asked, params.key));
  const [deps, actor, { key }] = [context.get(depsContext), actorOf(context), params];
  calendarOf(deps, key);
  const form = await request.formData();
  const intent = intentOf(String(form.get("intent"))) ?? "save";
  const done =
    intent === "save"
      ? await carryOut(form, busyCalendarSchema, ({ url, version }) =>
          setBusyCalendar(deps, actor, key, url, version),
        )
      : await carryOut(form, busyCalendarSchema.pick({ version: true }), ({ version }) =>
          intent === "remove"
            ? setBusyCalendar(deps, actor, key, null, version)
            : refreshBusyCalendar(deps, key),
        );
  if (!done.ok) return done.refuse(FAILED, { calendar: calendarOf(deps, key) });
  return goOn(deps, href("/admin/schedule/:key", { key }), noticeOf(intent, done.value));
}

type Intent = "save" | "refresh" | "remove";

const intentOf = lookUp<Intent, Intent>({ save: "save", refresh: "refresh", remove: "remove" });

function noticeOf(intent: Intent, { busy, error }: BusyCalendarState) {
  if (intent === "remove") {
    return { title: "Calendar Removed", description: "Its busy times no longer count." };
  }
  if (error) {
    return { title: "Calendar Not Read", description: error, variant: "destructive" as const };
  }
  const times = busy === 1 ? "1 busy time is" : `${busy} busy times are`;
  const title = intent === "save" ? "Calendar Saved" : "Calendar Read";
  return { title, description: `${times} known.` };
}

export default function BusyCalendar({ params, loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  // After a refusal the fresh state: another admin may have been first.
  const { calendar } = { ...loaderData, ...answer };
  return (
    <>
      <PageHead title={`Calendar of ${loaderData.counselor}`}>
        <Link to={href("/admin/schedule/:key", { key: params.key })} className="link">
          Weekly hours, leave and the next four weeks
        </Link>
      </PageHead>
      <Problem refusal={answer?.refusal} />
      <BusyCalendarPart
        counselorKey={params.key}
        calendar={calendar}
        reply={answer?.reply ?? null}
      />
    </>
  );
}
