/** Sessions inside time that was taken away, each with what can be done. */
import { href, Link, useFetcher, useLocation } from "react-router";
import type { ClashView } from "./clash-views.server.ts";
import { withList } from "./list-search.ts";
import { useMay } from "./may.tsx";
import { Problem } from "./notice.tsx";
import { unansweredRefusal } from "./press.ts";
import { StatusBadge } from "./status-badge.tsx";

interface ClashListProps {
  clashes: readonly ClashView[];
  listSearch: string;
  /** Where keeping one leads back to; absent, to the page it stands on. */
  back?: string;
}

export function ClashList({ clashes, listSearch, back }: ClashListProps) {
  const { pathname, search } = useLocation();
  const mayAct = useMay("bookings");
  return (
    <ul className="mt-2 grid gap-3">
      {clashes.map(({ id, name, version, session, counselor, status, words, causes }) => {
        const link = (word: string, path: string) => (
          <Link
            to={withList(path, listSearch)}
            preventScrollReset
            aria-label={`${word}: ${name}`}
            className="link inline-flex min-h-8 items-center"
          >
            {word}
          </Link>
        );
        return (
          <li key={id}>
            <p className="flex flex-wrap items-center gap-x-3">
              <strong className="break-words">
                {mayAct ? (
                  name
                ) : (
                  <Link to={href("/admin/sessions/:id", { id })} className="link">
                    {name}
                  </Link>
                )}
              </strong>{" "}
              {session}, {counselor} <StatusBadge status={status} />
            </p>
            <p className="text-sm">{words}</p>
            {mayAct && (
              <div className="flex flex-wrap items-center gap-x-5">
                {link("Reschedule", href("/admin/appointments/:id/reschedule", { id }))}
                {link("Cancel", href("/admin/appointments/:id/cancel", { id }))}
                <Keep clash={{ id, name, version, causes }} back={back ?? pathname + search} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface KeepProps {
  clash: Pick<ClashView, "id" | "name" | "version" | "causes">;
  back: string;
}

/** Its answer is no page: what fails is told where it was pressed. */
function Keep({ clash: { id, name, version, causes }, back }: KeepProps) {
  const { Form, data, state } = useFetcher<object>();
  return (
    <>
      <Form method="post" action={href("/admin/appointments/:id/keep", { id })} preventScrollReset>
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="back" value={back} />
        {causes.map((key) => (
          <input key={key} type="hidden" name="cause" value={key} />
        ))}
        <button
          type="submit"
          disabled={state !== "idle"}
          aria-label={`Keep on purpose: ${name}`}
          className="link inline-flex min-h-8 items-center"
        >
          Keep on purpose
        </button>
      </Form>
      <Problem refusal={unansweredRefusal(data, "Not Kept")} to={data} />
    </>
  );
}
