/** Setting and blocking times: one form per tab, filled with the day's current state. */
import { useState } from "react";
import { href, useNavigation } from "react-router";
import { WEEKDAY_LABELS, WEEKDAYS } from "#app/model/day-plan.ts";
import {
  InputField,
  LineField,
  OptionsField,
  useFieldOf,
} from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, useAfterSubmit } from "#app/routes/admin/parts/form-page.tsx";
import { Choice } from "#app/routes/admin/parts/form-parts.tsx";
import { DialogLink, useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { TimeChoices, useShownDay } from "#app/routes/admin/parts/time-choices.tsx";
import type { SlotsView } from "./slots-view.server.ts";

export type SlotsTab = "set" | "block";

export function tabOf(fields: { get: (name: string) => unknown }): SlotsTab {
  return fields.get("tab") === "block" ? "block" : "set";
}

/** The buttons of each tab: name, value and label. */
const SET = [
  ["intent", "set", "Set Availability"],
  ["intent", "set-all", "Offer the whole day"],
  ["intent", "reset", "Back to"],
] as const;
const BLOCK = [
  ["action", "block", "Block Slots"],
  ["action", "unblock", "Unblock Slots"],
  ["intent", "block-all", "Block the whole day"],
  ["intent", "unblock-all", "Unblock the whole day"],
] as const;

interface SlotsFormProps {
  tab: SlotsTab;
  view: SlotsView;
  refused: boolean;
  reply: Reply | null;
}

export function SlotsForm({ tab: loadedTab, view, refused, reply }: SlotsFormProps) {
  const listSearch = useListSearch();
  const navigation = useNavigation();
  const isLoading =
    navigation.state === "loading" && navigation.location.pathname === href("/admin/slots");
  const isSent = navigation.formMethod === "POST";
  // A choice counts before it is loaded, so that the next choice does not undo it.
  const asked = isLoading ? new URLSearchParams(navigation.location.search) : null;
  const tab = asked ? tabOf(asked) : loadedTab;
  const counselor = asked?.get("counselor") ?? view.counselor;
  const date = asked?.get("date") ?? view.date;
  const [changes, setChanges] = useState(0);
  useAfterSubmit(isSent, refused, () => setChanges(changes + 1));
  const times = tab === "set" ? view.offered : view.blockable;
  const buttons = tab === "set" ? SET : BLOCK;
  const [name, value] = buttons[0];
  return (
    <>
      <Tabs tab={tab} counselor={counselor} date={date} />
      <PageForm
        id="slots"
        reply={reply}
        sends={{ tab, list: listSearch, shown: view.shown }}
        preventScrollReset
        className="grid gap-5"
      >
        {/* The Enter key submits a form by its first button. */}
        <button type="submit" name={name} value={value} disabled={isLoading || isSent} hidden />
        <DayFields view={view} />
        <MoreDates
          // Resets the range after a change, and for another counselor.
          key={`${counselor} ${changes}`}
          kept={refused}
          today={view.today}
        />
        <TimeChoices
          // Fills the boxes again for another day, or when this day's state changes.
          key={`${tab} ${view.counselor} ${view.date} ${times.map((time) => `${time.checked} ${time.note}`).join()}`}
          legend={legendOf(tab, view)}
          type="checkbox"
          name={tab === "set" ? "timeSlots" : "timeSlotsToBlock"}
          times={times}
          errors={reply?.error?.timeSlots ?? reply?.error?.timeSlotsToBlock}
          busy={isLoading}
        />
        {tab === "block" && (
          <LineField
            name="reason"
            label="Reason (optional)"
            hint="For the team; customers never see it. For example: leave, flight duty."
            maxLength={200}
          />
        )}
        <div className="flex flex-wrap gap-3">
          {buttons.map(([name, value, words], i) => (
            <button
              key={value}
              type="submit"
              name={name}
              value={value}
              disabled={isLoading || isSent}
              className={`button ${i === 0 ? "button-primary" : "button-quiet"}`}
            >
              {value === "reset" ? `${words} ${usualWords(view)}` : words}
            </button>
          ))}
        </div>
      </PageForm>
    </>
  );
}

function legendOf(tab: SlotsTab, view: SlotsView): string {
  const { counselor, day, isDefault } = view;
  if (tab === "block") return `Times of ${counselor} to block or unblock on ${day}, IST`;
  return isDefault
    ? `Times of ${counselor} on ${day}, IST: the ${usualWords(view)} hold`
    : `Times of ${counselor} on ${day}, IST: set for this day`;
}

function usualWords({ hasHours }: SlotsView): string {
  return hasHours ? "weekly hours" : "default times";
}

interface TabsProps {
  tab: SlotsTab;
  counselor: string;
  date: string;
}

function Tabs({ tab, counselor, date }: TabsProps) {
  const tabs = [
    ["set", "Set Availability"],
    ["block", "Block/Unblock Slots"],
  ] as const;
  return (
    <nav aria-label="Slots" className="mb-4 flex flex-wrap border-b border-line">
      {tabs.map(([key, label]) => (
        <DialogLink
          key={key}
          to={href("/admin/slots")}
          search={{ tab: key, counselor, date }}
          replace
          aria-current={key === tab ? "page" : undefined}
          className={`-mb-px flex min-h-11 items-center border-b-3 px-3 text-center ${
            key === tab
              ? "border-action font-semibold text-action"
              : "border-transparent text-muted hover:text-ink"
          }`}
        >
          {label}
        </DialogLink>
      ))}
    </nav>
  );
}

function DayFields({ view }: Pick<SlotsFormProps, "view">) {
  const page = href("/admin/slots");
  const { showDay } = useShownDay(page, ["tab", "counselor", "date"], view.today);
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <OptionsField
        name="counselor"
        label="Counselor"
        defaultValue={view.counselor}
        options={view.counselors.map((name) => [name, name] as const)}
        onChange={(event) => showDay(event.currentTarget.form)}
      />
      <InputField
        name="date"
        label="Date"
        type="date"
        min={view.today}
        defaultValue={view.date}
        required
        data-first=""
        onChange={(event) => showDay(event.currentTarget.form)}
      />
      <button type="submit" formMethod="get" formAction={page} className="button button-quiet">
        Show times
      </button>
    </div>
  );
}

interface MoreDatesProps {
  /** Keeps the submitted values of a refused form. */
  kept: boolean;
  today: string;
}

function MoreDates({ kept, today }: MoreDatesProps) {
  const of = useFieldOf();
  const until = kept ? of("until").field.initialValue : "";
  const days = kept ? [of("weekday").field.initialValue].flat() : [];
  return (
    <details open={Boolean(until)} className="rounded-sm border border-line px-3">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
        Several dates at once
      </summary>
      <div className="grid gap-3 pb-3">
        <InputField
          name="until"
          // If closed, it would not show that it still has a range.
          defaultValue={until}
          label="Until (this day included)"
          hint="Empty: only the date above."
          type="date"
          min={today}
          className="max-w-72"
        />
        <fieldset>
          <legend className="font-semibold">Only on these weekdays</legend>
          <p className="text-sm text-muted">None chosen: every day of the range.</p>
          <div className="mt-1 flex flex-wrap gap-x-4">
            {WEEKDAYS.map((day, i) => (
              <Choice
                key={day}
                type="checkbox"
                name="weekday"
                value={(i + 1) % 7}
                defaultChecked={days.includes(String((i + 1) % 7))}
              >
                {WEEKDAY_LABELS[day].slice(0, 3)}
              </Choice>
            ))}
          </div>
        </fieldset>
      </div>
    </details>
  );
}
