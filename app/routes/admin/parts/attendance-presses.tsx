/** Whether a session took place, noted by one press. Works in a list, a panel and a card alike. */
import { useEffect, useRef, useState } from "react";
import { href, useLocation, useRevalidator } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { codeAndBody } from "#app/components/api-client.ts";
import { showToast } from "#app/components/toasts.tsx";
import { ATTENDANCES } from "#app/model/statuses.ts";
import { attendanceLabel } from "#app/model/wording.ts";
import { NO_ANSWER } from "./press.ts";
import type { AttendanceView } from "./row-views.server.ts";

export const ATTENDANCE_FAILED = "Attendance Not Noted";

interface PressesProps {
  /** Null while there is nothing to note. */
  of: AttendanceView | null;
  className?: string;
}

export function AttendancePresses({ of, className = "" }: PressesProps) {
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
