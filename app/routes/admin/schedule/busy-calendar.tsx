/** Handles the calendar forms of a captain's schedule, and shows refusals. */
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
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { type GivenNotice, refusePage } from "#app/routes/admin/parts/forms.server.ts";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/busy-calendar";
import { BusyCalendarPart } from "./busy-calendar-part.tsx";

const FAILED = "Calendar Not Changed";

const calendars = screen({
  find: (asked: Asked<Route.LoaderArgs>) => {
    const { deps, params } = asked;
    refusePage(refuseOthers(asked, params.key));
    const calendar = readBusyCalendar(deps, params.key);
    const counselor = findCounselorByKey(readCatalogue(deps.db), params.key);
    if (!calendar.ok || !counselor) throw data(null, { status: 404 });
    return { calendar: calendar.value, key: params.key, counselor: counselor.name };
  },
  // After a refusal the current state: another admin may have changed it.
  view: ({ about }) => about,
});

const versionSchema = busyCalendarSchema.pick({ version: true });

const { loader, action } = calendars.page({
  save: calendars.form({
    fields: busyCalendarSchema,
    run: ({ url, version }, { deps, actor, params }) =>
      setBusyCalendar(deps, actor, params.key, url, version),
    failed: FAILED,
    done: (state, { params }) => goTo(params.key, noticeOf("Calendar Saved", state)),
  }),
  refresh: calendars.form({
    fields: versionSchema,
    run: (_, { deps, params }) => refreshBusyCalendar(deps, params.key),
    failed: FAILED,
    done: (state, { params }) => goTo(params.key, noticeOf("Calendar Read", state)),
  }),
  remove: calendars.form({
    fields: versionSchema,
    run: ({ version }, { deps, actor, params }) =>
      setBusyCalendar(deps, actor, params.key, null, version),
    failed: FAILED,
    done: (_, { params }) => goTo(params.key, REMOVED),
  }),
});

export { action, loader };

const REMOVED = { title: "Calendar Removed", description: "Its busy times no longer count." };

function goTo(key: string, notice: GivenNotice) {
  return { to: href("/admin/schedule/:key", { key }), ...notice };
}

function noticeOf(title: string, { busy, error }: BusyCalendarState): GivenNotice {
  if (error) return { title: "Calendar Not Read", description: error, variant: "destructive" };
  const times = busy === 1 ? "1 busy time is" : `${busy} busy times are`;
  return { title, description: `${times} known.` };
}

export default function BusyCalendar(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { calendar, key, counselor } = page.view;
  return (
    <>
      <PageHead title={`Calendar of ${counselor}`}>
        <Link to={href("/admin/schedule/:key", { key })} className="link">
          Weekly hours, leave and the next four weeks
        </Link>
      </PageHead>
      <Problem refusal={page.refusal} />
      <BusyCalendarPart counselorKey={key} calendar={calendar} reply={page.replyTo()} />
    </>
  );
}
