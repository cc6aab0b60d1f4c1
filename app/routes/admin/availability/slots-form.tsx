/** Setting and blocking times: one form a tab, the present state of the day loaded into it. */
import { useState } from "react";
import { Form, href, Link, useNavigate, useNavigation } from "react-router";
import type { FieldErrors } from "#app/model/outcome.ts";
import type { AppointmentStatus } from "#app/model/statuses.ts";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { StatusBadge } from "#app/routes/admin/parts/status-badge.tsx";
import { AdminField, AdminSelect } from "#app/routes/admin/parts/text-field.tsx";
import { type SeatView, TimeSeats } from "#app/routes/admin/parts/time-seats.tsx";
import { useAfterPress } from "#app/routes/admin/parts/use-after-press.ts";

export interface SlotsView {
  counselors: readonly string[];
  counselor: string;
  today: string;
  date: string;
  /** The date in words. */
  day: string;
  isDefault: boolean;
  offered: readonly SeatView[];
  blockable: readonly SeatView[];
}

export interface AffectedView {
  id: string;
  name: string;
  session: string;
  status: AppointmentStatus;
}

export type SlotsTab = "set" | "block";

export function tabOf(fields: { get: (name: string) => unknown }): SlotsTab {
  return fields.get("tab") === "block" ? "block" : "set";
}

const WEEKDAYS = [
  [1, "Mon"],
  [2, "Tue"],
  [3, "Wed"],
  [4, "Thu"],
  [5, "Fri"],
  [6, "Sat"],
  [0, "Sun"],
] as const;

interface DayFieldsProps {
  tab: SlotsTab;
  view: SlotsView;
  errors: FieldErrors | undefined;
  listSearch: string;
}

interface SlotsFormProps extends DayFieldsProps {
  refused: boolean;
}

export function SlotsForm({ tab: loadedTab, view, errors, listSearch, refused }: SlotsFormProps) {
  const navigation = useNavigation();
  const page = href("/admin/slots");
  const looking = navigation.state === "loading" && navigation.location.pathname === page;
  const posting = navigation.formMethod === "POST";
  const waiting = looking || posting;
  // What is pressed or chosen counts at once: the next choice must not lead back to the one before.
  const asked = looking ? new URLSearchParams(navigation.location.search) : null;
  const tab = asked ? tabOf(asked) : loadedTab;
  const counselor = asked?.get("counselor") ?? view.counselor;
  const date = asked?.get("date") ?? view.date;
  const [presses, setPresses] = useState(0);
  useAfterPress(posting, refused, () => setPresses(presses + 1));
  const seats = tab === "set" ? view.offered : view.blockable;
  return (
    <>
      <Tabs tab={tab} counselor={counselor} date={date} listSearch={listSearch} />
      <Form method="post" noValidate preventScrollReset className="grid gap-5">
        <input type="hidden" name="tab" value={tab} />
        <input type="hidden" name="list" value={listSearch} />
        <DayFields tab={tab} view={view} errors={errors} listSearch={listSearch} />
        <MoreDates
          // A range is for one press and one counselor.
          key={`${counselor} ${presses}`}
          view={view}
          errors={errors}
        />
        <TimeSeats
          // Another day, and another state of this one, fills the boxes anew.
          key={`${tab} ${view.counselor} ${view.date} ${seats.map((seat) => `${seat.checked} ${seat.note}`).join()}`}
          legend={legendOf(tab, view)}
          type="checkbox"
          name={tab === "set" ? "timeSlots" : "timeSlotsToBlock"}
          times={seats}
          errors={errors?.timeSlots ?? errors?.timeSlotsToBlock}
          busy={looking}
        />
        {tab === "set" ? (
          <div className="flex flex-wrap gap-3">
            <Press intent="set" waiting={waiting} primary>
              Set Availability
            </Press>
            <Press intent="set-all" waiting={waiting}>
              Offer the whole day
            </Press>
            <Press intent="reset" waiting={waiting}>
              Back to default times
            </Press>
          </div>
        ) : (
          <>
            <AdminField
              name="reason"
              label="Reason (optional)"
              hint="For the team; customers never see it. For example: leave, flight duty."
              maxLength={200}
              autoComplete="off"
              errors={errors}
            />
            <div className="flex flex-wrap gap-3">
              <Press name="action" intent="block" waiting={waiting} primary>
                Block Slots
              </Press>
              <Press name="action" intent="unblock" waiting={waiting}>
                Unblock Slots
              </Press>
              <Press intent="block-all" waiting={waiting}>
                Block the whole day
              </Press>
              <Press intent="unblock-all" waiting={waiting}>
                Unblock the whole day
              </Press>
            </div>
          </>
        )}
      </Form>
    </>
  );
}

function legendOf(tab: SlotsTab, { counselor, day, isDefault }: SlotsView): string {
  if (tab === "block") return `Times of ${counselor} to block or unblock on ${day}, IST`;
  return isDefault
    ? `Times of ${counselor} on ${day}, IST: the default times hold`
    : `Times of ${counselor} on ${day}, IST: set for this day`;
}

interface TabsProps {
  tab: SlotsTab;
  counselor: string;
  date: string;
  listSearch: string;
}

function Tabs({ tab, counselor, date, listSearch }: TabsProps) {
  const tabs = [
    ["set", "Set Availability"],
    ["block", "Block/Unblock Slots"],
  ] as const;
  return (
    <nav aria-label="Slots" className="mb-4 flex border-b border-line">
      {tabs.map(([key, label]) => (
        <Link
          key={key}
          to={slotsHref(key, { counselor, date }, listSearch)}
          replace
          preventScrollReset
          aria-current={key === tab ? "page" : undefined}
          className={`-mb-px flex min-h-11 items-center border-b-3 px-3 text-center ${
            key === tab
              ? "border-action font-semibold text-action"
              : "border-transparent text-muted hover:text-ink"
          }`}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function slotsHref(
  tab: SlotsTab,
  { counselor, date }: { counselor: string; date: string },
  listSearch: string,
): string {
  return withList(href("/admin/slots"), listSearch, { tab, counselor, date });
}

function DayFields({ tab, view, errors, listSearch }: DayFieldsProps) {
  const navigate = useNavigate();
  const look = (form: HTMLFormElement | null) => {
    const fields = new FormData(form ?? undefined);
    const counselor = String(fields.get("counselor") ?? "");
    const date = String(fields.get("date") ?? "");
    if (date.length !== 10 || date < view.today) return;
    void navigate(slotsHref(tab, { counselor, date }, listSearch), {
      replace: true,
      preventScrollReset: true,
    });
  };
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <AdminSelect
        name="counselor"
        label="Counselor"
        defaultValue={view.counselor}
        options={view.counselors.map((name) => [name, name] as const)}
        errors={errors}
        onChange={(event) => look(event.currentTarget.form)}
      />
      <AdminField
        name="date"
        label="Date"
        type="date"
        min={view.today}
        defaultValue={view.date}
        required
        errors={errors}
        data-first=""
        onChange={(event) => look(event.currentTarget.form)}
      />
      <button
        type="submit"
        formMethod="get"
        formAction={href("/admin/slots")}
        className="button button-quiet"
      >
        Show times
      </button>
    </div>
  );
}

function MoreDates({ view, errors }: { view: SlotsView; errors: FieldErrors | undefined }) {
  return (
    <details className="rounded-sm border border-line px-3">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
        More dates in one press
      </summary>
      <div className="grid gap-3 pb-3">
        <AdminField
          name="until"
          label="Until (this day included)"
          hint="Empty: only the date above."
          type="date"
          min={view.today}
          errors={errors}
          className="max-w-72"
        />
        <fieldset>
          <legend className="font-semibold">Only on these weekdays</legend>
          <p className="text-sm text-muted">None chosen: every day of the range.</p>
          <div className="mt-1 flex flex-wrap gap-x-4">
            {WEEKDAYS.map(([day, label]) => (
              <label key={day} className="flex min-h-11 items-center gap-2">
                <input type="checkbox" name="weekday" value={day} className="size-5" />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </details>
  );
}

function Press({
  name = "intent",
  intent,
  waiting,
  primary = false,
  children,
}: {
  name?: string;
  intent: string;
  waiting: boolean;
  primary?: boolean;
  children: string;
}) {
  return (
    <button
      type="submit"
      name={name}
      value={intent}
      disabled={waiting}
      className={`button ${primary ? "button-primary" : "button-quiet"}`}
    >
      {children}
    </button>
  );
}

/** Sessions that a change does not suit: they stay, and somebody has to act. */
export function Affected({
  affected,
  listSearch,
}: {
  affected: readonly AffectedView[];
  listSearch: string;
}) {
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
              <Link
                to={withList(href("/admin/appointments/:id/reschedule", { id }), listSearch)}
                preventScrollReset
                aria-label={`Reschedule: ${name}`}
                className="link py-1"
              >
                Reschedule
              </Link>
              <Link
                to={withList(href("/admin/appointments/:id/cancel", { id }), listSearch)}
                preventScrollReset
                aria-label={`Cancel: ${name}`}
                className="link py-1"
              >
                Cancel
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
