/** Whether a session took place, noted by one press. Works in a list, a panel and a card alike. */
import { useEffect, useRef } from "react";
import { href, useFetcher, useLocation } from "react-router";
import { showToast } from "#app/components/toasts.ts";
import { ATTENDANCES } from "#app/model/statuses.ts";
import { attendanceLabel } from "#app/model/wording.ts";
import type { Refusal } from "./notice.tsx";
import type { AttendanceView } from "./row-views.server.ts";
import { useAfterPress } from "./use-after-press.ts";

/** Null while there is nothing to note. */
export function AttendancePresses({ of }: { of: AttendanceView | null }) {
  return of && <Presses {...of} />;
}

function Presses({ id, attendance, version, name }: AttendanceView) {
  const { pathname, search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  // Of its own, so that a lost connection leaves the page as it is.
  const fetcher = useFetcher<{ unanswered: Refusal }>();
  const pending = fetcher.state !== "idle";
  const lost = fetcher.data?.unanswered;
  useEffect(() => {
    if (lost) showToast({ title: lost.title, description: lost.message, variant: "destructive" });
  }, [lost]);
  // The button that was pressed is gone.
  useAfterPress(pending, lost !== undefined, () => form.current?.querySelector("button")?.focus());
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
  const anchor = `attendance-${id.slice(-8)}`;
  return (
    <fetcher.Form
      ref={form}
      id={anchor}
      method="post"
      action={href("/admin/appointments/:id/attendance", { id })}
      preventScrollReset
      onSubmit={(event) => pending && event.preventDefault()}
      className="no-print flex flex-wrap items-center gap-1.5"
    >
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="back" value={pathname + search} />
      <noscript>
        <input type="hidden" name="anchor" value={anchor} />
      </noscript>
      {attendance && <strong>{attendanceLabel(attendance)}</strong>}
      {attendance
        ? button("Undo", "", `Undo ${attendanceLabel(attendance).toLowerCase()}`)
        : ATTENDANCES.map((one) => button(attendanceLabel(one), one, attendanceLabel(one)))}
    </fetcher.Form>
  );
}
