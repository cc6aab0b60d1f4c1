/** What lists, panels and cards show of a session: status, attendance, invoice, how it takes place. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import { href, Link, useLocation, useRevalidator } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { codeAndBody } from "#app/components/api-client.ts";
import { showToast } from "#app/components/toasts.tsx";
import { type AppointmentStatus, ATTENDANCES } from "#app/model/statuses.ts";
import { attendanceLabel, statusLabel } from "#app/model/wording.ts";
import { NO_ANSWER } from "./submission.ts";
import type { AttendanceView, OwnSession } from "./views.server.ts";

/** The shape is of the stylesheet: one element each, many times on a page. */
export function StatusBadge({ status }: { status: AppointmentStatus }) {
  return <span className={`status status-${status}`}>{statusLabel(status)}</span>;
}

export const ATTENDANCE_FAILED = "Attendance Not Noted";

interface PressesProps {
  /** Null while there is nothing to note. */
  of: AttendanceView | null;
  className?: string;
}

export function AttendanceButtons({ of, className = "" }: PressesProps) {
  return of && <Presses of={of} className={className} />;
}

function Presses({ of, className }: { of: AttendanceView; className: string }) {
  const { id, attendance, version, name } = of;
  const { pathname, search } = useLocation();
  const { revalidate } = useRevalidator();
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  /** As it was when it was pressed; undefined before. */
  const was = useRef<typeof attendance>(undefined);
  useEffect(() => {
    if (was.current === undefined || was.current === attendance) return;
    was.current = undefined;
    // The button that was pressed is gone.
    form.current?.querySelector("button")?.focus();
  });
  // Not by the router, which leaves the page where a press is not answered.
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
      showToast({ title: ATTENDANCE_FAILED, description, variant: "destructive" });
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
  // Without scripts the browser comes back to it; with them a panel and its list hold one each.
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
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="back" value={pathname + search} />
      {anchor && <input type="hidden" name="anchor" value={anchor} />}
      {attendance && <strong>{attendanceLabel(attendance)}</strong>}
      {attendance
        ? button("Undo", "", `Undo ${attendanceLabel(attendance).toLowerCase()}`)
        : ATTENDANCES.map((one) => button(attendanceLabel(one), one, attendanceLabel(one)))}
    </form>
  );
}

interface OwnSessionsProps {
  sessions: readonly OwnSession[];
  /** Where the heading does not tell the day. */
  withDay?: boolean;
}

export function OwnSessions({ sessions, withDay = false }: OwnSessionsProps) {
  return (
    <ol className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
          <Link
            to={href("/admin/sessions/:id", { id: session.id })}
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

/** How it takes place: a link to open, or a number to call. */
export function HowItTakesPlace({ how }: Pick<OwnSession, "how">) {
  if (!how.url) return how.value;
  return (
    <a href={how.url} className="link [overflow-wrap:anywhere]">
      {how.value}
    </a>
  );
}

export const NO_INVOICE = {
  title: "Invoice Not Available",
  description: "Invoice is not available for this appointment.",
} as const;

interface InvoiceLinkProps {
  /** Null: there is none. */
  url: string | null;
  /** A page that says so where no scripts run. */
  absentTo: string;
  className: string;
  title?: string;
  "aria-label"?: string;
  children?: ReactNode;
}

export function InvoiceLink({ url, absentTo, children, ...more }: InvoiceLinkProps) {
  if (url === null) {
    return (
      <a
        href={absentTo}
        onClick={(event) => {
          event.preventDefault();
          showToast({ ...NO_INVOICE, variant: "destructive" });
        }}
        {...more}
      >
        {children}
      </a>
    );
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      onClick={() => void reportFailure(url)}
      {...more}
    >
      {children}
    </a>
  );
}

/** The new tab cannot tell this one that it failed, so the file is asked for beside. */
async function reportFailure(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD" }).catch(() => null);
  if (response?.ok) return;
  showToast(
    response?.status === 404
      ? { ...NO_INVOICE, variant: "destructive" }
      : {
          title: "Download Failed",
          description: "Failed to download invoice.",
          variant: "destructive",
        },
  );
}
