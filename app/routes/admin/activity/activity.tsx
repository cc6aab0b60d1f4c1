/** Who did what, when, before and after. */
import { href, Link } from "react-router";
import { searchSchema } from "#app/booking/list-fields.ts";
import { TextField } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { isId } from "#app/model/ids.ts";
import { Expandable } from "#app/routes/admin/parts/facts.tsx";
import { AskForm, BoardHead, EmptyList, Paging } from "#app/routes/admin/parts/list-parts.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { historyView, readPage } from "#app/routes/admin/parts/views.server.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Route } from "./+types/activity";

export function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(depsContext);
  const query = searchSchema.safeParse(Object.fromEntries(url.searchParams));
  const { q, page: asked = 1 } = query.success ? query.data : {};
  const { entries, page } = readPage(asked, (paging) => listActivity(db, { q, ...paging }));
  return {
    q: q ?? "",
    page,
    entries: entries.map((entry, i) => ({
      ...historyView(entry, i),
      key: `${page.number} ${i} ${entry.at}`,
      /** Appointments are led to while they exist. */
      appointmentId: isId(entry.target) && findAppointment(db, entry.target) ? entry.target : null,
    })),
  };
}

export default function Activity({ loaderData }: Route.ComponentProps) {
  const { entries, page, q } = loaderData;
  const search = q ? new URLSearchParams({ q }).toString() : "";
  return (
    <>
      <PageHead title="Activity" />
      <AskForm name="q" value={q} button="Search" role="search">
        {(field) => (
          <TextField
            field={field}
            label="Search"
            type="search"
            placeholder="Who, what, when or which ID"
            maxLength={100}
            className="min-w-0 flex-1 basis-60"
          />
        )}
      </AskForm>
      <section aria-label="Log" className="card">
        {entries.length === 0 ? (
          <EmptyList title="Nothing found">
            A part of a name, of an ID or of what was done is enough, for example “refund”.
          </EmptyList>
        ) : (
          <table className="board">
            <BoardHead names={["When", "Who", "What", "On"]} />
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.key}>
                  <td data-label="When" className="steady">
                    {entry.when}
                  </td>
                  <td data-label="Who" className="loose min-w-20">
                    {entry.actor}
                  </td>
                  <td data-label="What" className="loose">
                    <Expandable words={entry.words} raw={entry.raw} />
                  </td>
                  <td data-label="On">
                    {entry.appointmentId ? (
                      <Link
                        to={href("/admin/appointments/:id", { id: entry.appointmentId })}
                        className="link font-mono"
                      >
                        {entry.about}
                      </Link>
                    ) : (
                      entry.about
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <Paging
          page={page}
          path={href("/admin/activity")}
          search={search}
          label="Pages of the log"
        />
      </section>
    </>
  );
}
