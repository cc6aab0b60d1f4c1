/** Sessions that clash with times or captains taken away, each with its possible actions. */
import { useContext, useEffect, useRef } from "react";
import { href, Link, useFetcher, useLocation } from "react-router";
import type { Clashes, ClashesOfCaptain, ClashView } from "./clashes-view.server.ts";
import { DialogLink } from "./overlay.tsx";
import { Account, Problem, Unseen, useMay } from "./page-parts.tsx";
import { StatusBadge } from "./session-parts.tsx";
import { unansweredRefusal } from "./submission.ts";

interface AffectedProps {
  clashes: ClashesOfCaptain;
  /** The response to the form that removed the times; null without one. */
  answer: unknown;
}

/** Sessions that clash with a change, then earlier ones: they stay, and somebody has to act. */
export function Affected({ clashes: { affected, others }, answer }: AffectedProps) {
  const section = useRef<HTMLElement>(null);
  // The button is far below: scrolls the list into view, and has it read out.
  useEffect(() => {
    if (!answer) return;
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.focus({ preventScroll: true });
  }, [answer]);
  const groups = [
    [affectedWords(affected.total), affected],
    [othersWords(others.total, affected.total > 0 ? " more" : ""), others],
  ] as const;
  if (affected.total + others.total === 0) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="affected"
      className="mb-5 grid scroll-mt-4 gap-4 rounded-sm border-2 border-waiting bg-waiting-soft p-4"
    >
      {groups
        .filter(([, { total }]) => total > 0)
        .map(([words, clashes], i) => (
          <div key={words}>
            <h2 id={i === 0 ? "affected" : undefined} className="font-semibold">
              {words}
            </h2>
            <ClashList clashes={clashes} />
          </div>
        ))}
    </section>
  );
}

function affectedWords(count: number): string {
  return count === 1
    ? "One appointment is affected. It stays as it is:"
    : `${count} appointments are affected. They stay as they are:`;
}

function othersWords(count: number, more: string): string {
  return count === 1
    ? `One${more} session stands at a time that is not offered:`
    : `${count}${more} sessions stand at times that are not offered:`;
}

export function ClashList({ clashes: { shown, total } }: { clashes: Clashes }) {
  const mayAct = useMay("bookings");
  return (
    <ul className="mt-2 grid gap-3">
      {shown.map(({ id, name, version, session, counselor, status, words, causes }) => {
        const link = (word: string, path: string) => (
          <DialogLink
            to={path}
            aria-label={`${word}: ${name}`}
            className="link inline-flex min-h-8 items-center"
          >
            {word}
          </DialogLink>
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
                <Keep id={id} name={name} version={version} causes={causes} />
              </div>
            )}
          </li>
        );
      })}
      {total > shown.length && (
        <li>{`and ${total - shown.length} more, shown as these are settled`}</li>
      )}
    </ul>
  );
}

type KeepProps = Pick<ClashView, "id" | "name" | "version" | "causes">;

/** Its response is not a page: a failure is shown beside the button. */
function Keep({ id, name, version, causes }: KeepProps) {
  const { pathname, search } = useLocation();
  const account = useContext(Account);
  const { Form, data, state } = useFetcher<object>();
  return (
    <>
      <Form method="post" action={href("/admin/appointments/:id/keep", { id })} preventScrollReset>
        <Unseen fields={{ account, version, back: pathname + search }} />
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
