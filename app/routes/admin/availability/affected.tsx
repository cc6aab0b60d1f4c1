import { href, Link } from "react-router";
import type { AppointmentStatus } from "#app/model/statuses.ts";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { StatusBadge } from "#app/routes/admin/parts/status-badge.tsx";

interface AffectedView {
  id: string;
  name: string;
  session: string;
  status: AppointmentStatus;
}

/** Sessions that a change does not suit: they stay, and somebody has to act. */
export function Affected({
  affected,
  listSearch,
}: {
  affected: readonly AffectedView[];
  listSearch: string;
}) {
  const link = (word: string, name: string, path: string) => (
    <Link
      to={withList(path, listSearch)}
      preventScrollReset
      aria-label={`${word}: ${name}`}
      className="link py-1"
    >
      {word}
    </Link>
  );
  return (
    <section
      aria-labelledby="affected"
      className="mb-5 rounded-sm border-2 border-waiting bg-waiting-soft p-4"
    >
      <h2 id="affected" className="font-semibold">
        {affected.length === 1
          ? "One appointment is affected. It stays as it is:"
          : `${affected.length} appointments are affected. They stay as they are:`}
      </h2>
      <ul className="mt-2 grid gap-3">
        {affected.map(({ id, name, session, status }) => (
          <li key={id}>
            <p className="flex flex-wrap items-center gap-x-3">
              <strong>{name}</strong> {session} <StatusBadge status={status} />
            </p>
            <p className="flex flex-wrap gap-x-5">
              {link("Reschedule", name, href("/admin/appointments/:id/reschedule", { id }))}
              {link("Cancel", name, href("/admin/appointments/:id/cancel", { id }))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
