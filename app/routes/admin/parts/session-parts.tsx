/** What pages show of a session: status, attendance, answers, plan, invoice, how it takes place. */
import {
  type ComponentProps,
  type MouseEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { href, Link, useLocation, useRevalidator } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { codeAndBody } from "#app/components/api-client.ts";
import { showFailure } from "#app/components/toasts.tsx";
import type { Answer } from "#app/model/catalogue.ts";
import { type AppointmentStatus, ATTENDANCES } from "#app/model/statuses.ts";
import { attendanceLabel, statusLabel } from "#app/model/wording.ts";
import { EmptyList } from "./list-parts.tsx";
import { Account, Unseen } from "./page-parts.tsx";
import { NO_ANSWER } from "./submission.ts";
import type { AttendanceView, OwnSession, PlanLinkView } from "./views.server.ts";

export function StatusBadge({ status }: { status: AppointmentStatus }) {
  return <span className={`status status-${status}`}>{statusLabel(status)}</span>;
}

export const ATTENDANCE_FAILED = "Attendance Not Noted";

interface AttendanceProps {
  /** Null while there is nothing to record. */
  of: AttendanceView | null;
  className?: string;
}

export function AttendanceButtons({ of, className = "" }: AttendanceProps) {
  return of && <AttendanceForm {...of} className={className} />;
}

function AttendanceForm(props: AttendanceView & { className: string }) {
  const { id, attendance, version, name, className } = props;
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  /** The attendance when the form was submitted; undefined before. */
  const was = useRef<typeof attendance>(undefined);
  useEffect(() => {
    if (was.current === undefined || was.current === attendance) return;
    was.current = undefined;
    // The clicked button is gone.
    form.current?.querySelector("button")?.focus();
  });
  // Not through the router, which leaves the page if no response comes.
  async function send(event: React.SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (pending) return;
    const { action, method } = event.currentTarget;
    const body = new FormData(event.currentTarget, event.nativeEvent.submitter);
    was.current = attendance;
    setPending(true);
    const answer = await fetch(action, { method, body, redirect: "manual" }).catch(() => null);
    if (answer?.type === "opaqueredirect") await revalidate();
    else {
      const description = answer ? codeAndBody(answer.status, "", answer.statusText) : NO_ANSWER;
      showFailure(ATTENDANCE_FAILED, description);
    }
    setPending(false);
  }
  const button = (word: string, value: string, label: string) => (
    <button
      key={value}
      type="submit"
      name="attendance"
      value={value}
      aria-disabled={pending || undefined}
      aria-label={`${label}: ${name}`}
      className="button button-small button-quiet"
    >
      {word}
    </button>
  );
  // Without scripts the browser returns to this anchor; with them, panel and list have a form each.
  const anchor = useHydrated() ? undefined : `attendance-${id.slice(-8)}`;
  return (
    <form
      ref={form}
      id={anchor}
      method="post"
      action={href("/admin/appointments/:id/attendance", { id })}
      onSubmit={send}
      className={`attendance no-print ${className}`}
    >
      <Unseen fields={{ account: useContext(Account), version, back: pathname + search, anchor }} />
      {attendance && <strong>{attendanceLabel(attendance)}</strong>}
      {attendance
        ? button("Undo", "", `Undo ${attendanceLabel(attendance).toLowerCase()}`)
        : ATTENDANCES.map((one) => button(attendanceLabel(one), one, attendanceLabel(one)))}
    </form>
  );
}

export function NoSessions({ title }: { title: string }) {
  return (
    <EmptyList title={title}>
      They come by themselves for the times that{" "}
      <Link to={href("/admin/schedule")} className="link">
        your schedule
      </Link>{" "}
      offers.
    </EmptyList>
  );
}

interface OwnSessionsProps {
  sessions: readonly OwnSession[];
  /** Shows the day too, which the heading does not. */
  withDay?: boolean;
  /** Where a session links to; by default its page. */
  to?: (id: string) => string;
}

const sessionHref = (id: string) => href("/admin/sessions/:id", { id });

export function OwnSessions({ sessions, withDay = false, to = sessionHref }: OwnSessionsProps) {
  return (
    <ol className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
          <Link
            to={to(session.id)}
            className="flex min-h-11 min-w-0 grow flex-wrap items-center gap-x-3 rounded-sm hover:bg-sunken"
          >
            <span className="figures display text-lg">
              {withDay && `${session.day}, `}
              {session.time}
            </span>
            <strong className="min-w-0 break-words">{session.name}</strong>
            <span className="text-sm text-muted">{session.minutes} min</span>
            {session.status !== "confirmed" && <StatusBadge status={session.status} />}
          </Link>
          <AttendanceButtons of={session.attendance} />
        </li>
      ))}
    </ol>
  );
}

/** A link to open, or a number to call. */
export function HowItTakesPlace({ how }: Pick<OwnSession, "how">) {
  if (!how.url) return how.value;
  return (
    <a href={how.url} className="link [overflow-wrap:anywhere]">
      {how.value}
    </a>
  );
}

export function PlanLink({ plan }: { plan: PlanLinkView | null }) {
  if (plan === null) return null;
  return (
    <p className="no-print mt-2">
      <Link to={plan.to} className="link inline-flex min-h-8 items-center">
        {plan.words}
      </Link>
    </p>
  );
}

/** What was answered before a session. */
export function Answers({ answers }: { answers: readonly Answer[] }) {
  return (
    <dl className="grid gap-3">
      {answers.map(({ id, label, answer }) => (
        <div key={id}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="whitespace-pre-wrap break-words font-medium">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

export const NO_INVOICE = {
  title: "Invoice Not Available",
  description: "Invoice is not available for this appointment.",
} as const;

interface InvoiceLinkProps extends ComponentProps<"a"> {
  /** Null without an invoice. */
  url: string | null;
  /** The page that says so without scripts. */
  absentTo: string;
}

export function InvoiceLink({ url, absentTo, ...more }: InvoiceLinkProps) {
  if (url !== null) {
    const report = () => void reportFailure(url);
    return <a href={url} target="_blank" rel="noreferrer" onClick={report} {...more} />;
  }
  const refuse = (event: MouseEvent) => {
    event.preventDefault();
    showFailure(NO_INVOICE.title, NO_INVOICE.description);
  };
  return <a href={absentTo} onClick={refuse} {...more} />;
}

/** The new tab cannot report a failure to this one, so the file is requested here as well. */
async function reportFailure(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD" }).catch(() => null);
  if (response?.ok) return;
  if (response?.status === 404) showFailure(NO_INVOICE.title, NO_INVOICE.description);
  else showFailure("Download Failed", "Failed to download invoice.");
}
