/** Setting and blocking times: one form a tab, the present state of the day loaded into it. */

import { getFormProps } from "@conform-to/react";
import { useState } from "react";
import { Form, href, Link, useNavigation } from "react-router";
import { type Field, SelectField, TextField } from "#app/components/field.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { useAfterSubmit, useAnsweredForm } from "#app/routes/admin/parts/form-page.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { TimeChoices, useShownDay } from "#app/routes/admin/parts/time-choices.tsx";
import type { SlotsView } from "./slots-view.server.ts";

export type SlotsTab = "set" | "block";

export function tabOf(fields: { get: (name: string) => unknown }): SlotsTab {
  return fields.get("tab") === "block" ? "block" : "set";
}

type SlotsField = "counselor" | "date" | "until" | "timeSlots" | "timeSlotsToBlock" | "reason";

/** The buttons of each tab: name, value and words. */
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
  reply: Reply | null | undefined;
  listSearch: string;
}

export function SlotsForm({ tab: loadedTab, view, refused, reply, listSearch }: SlotsFormProps) {
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
  useAfterSubmit(posting, refused, () => setPresses(presses + 1));
  const [form, fields] = useAnsweredForm<SlotsField>("slots", reply);
  const seats = tab === "set" ? view.offered : view.blockable;
  return (
    <>
      <Tabs tab={tab} counselor={counselor} date={date} listSearch={listSearch} />
      <Form {...getFormProps(form)} method="post" preventScrollReset className="grid gap-5">
        <input type="hidden" name="tab" value={tab} />
        <input type="hidden" name="list" value={listSearch} />
        <DayFields view={view} fields={fields} listSearch={listSearch} />
        <MoreDates
          // A range is for one press and one counselor.
          key={`${counselor} ${presses}`}
          field={fields.until}
          today={view.today}
        />
        <TimeChoices
          // Another day, and another state of this one, fills the boxes anew.
          key={`${tab} ${view.counselor} ${view.date} ${seats.map((seat) => `${seat.checked} ${seat.note}`).join()}`}
          legend={legendOf(tab, view)}
          type="checkbox"
          name={tab === "set" ? "timeSlots" : "timeSlotsToBlock"}
          times={seats}
          errors={fields.timeSlots.errors ?? fields.timeSlotsToBlock.errors}
          busy={looking}
        />
        {tab === "block" && (
          <TextField
            field={fields.reason}
            label="Reason (optional)"
            hint="For the team; customers never see it. For example: leave, flight duty."
            maxLength={200}
            autoComplete="off"
          />
        )}
        <div className="flex flex-wrap gap-3">
          {(tab === "set" ? SET : BLOCK).map(([name, value, words], i) => (
            <button
              key={value}
              type="submit"
              name={name}
              value={value}
              disabled={waiting}
              className={`button ${i === 0 ? "button-primary" : "button-quiet"}`}
            >
              {value === "reset" ? `${words} ${usualWords(view)}` : words}
            </button>
          ))}
        </div>
      </Form>
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

interface DayFieldsProps extends Pick<SlotsFormProps, "view" | "listSearch"> {
  fields: Record<"counselor" | "date", Field>;
}

function DayFields({ view, fields, listSearch }: DayFieldsProps) {
  const page = href("/admin/slots");
  const { showDay } = useShownDay(page, ["tab", "counselor", "date"], {
    today: view.today,
    listSearch,
  });
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <SelectField
        field={fields.counselor}
        label="Counselor"
        defaultValue={view.counselor}
        options={view.counselors.map((name) => [name, name] as const)}
        onChange={(event) => showDay(event.currentTarget.form)}
      />
      <TextField
        field={fields.date}
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

const WEEKDAYS = [
  [1, "Mon"],
  [2, "Tue"],
  [3, "Wed"],
  [4, "Thu"],
  [5, "Fri"],
  [6, "Sat"],
  [0, "Sun"],
] as const;

function MoreDates({ field, today }: { field: Field; today: string }) {
  return (
    <details className="rounded-sm border border-line px-3">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
        More dates in one press
      </summary>
      <div className="grid gap-3 pb-3">
        <TextField
          field={field}
          // Closed it would not show that a range still stands in it.
          defaultValue=""
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
