/** A captain's imported calendar. Its address is secret, so the field is never filled in. */
import { href } from "react-router";
import type { BusyCalendarState } from "#app/availability/busy-calendars.server.ts";
import { Icon } from "#app/components/icons.tsx";
import { adminInstant } from "#app/model/dates.ts";
import { LineField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";

interface BusyCalendarPartProps {
  counselorKey: string;
  calendar: BusyCalendarState;
  reply: Reply | null;
}

export function BusyCalendarPart({ counselorKey, calendar, reply }: BusyCalendarPartProps) {
  return (
    <Part id="calendar-title" title="Imported calendar" className="p-3 sm:p-5">
      <p className="mb-4 max-w-text text-muted">
        The private address of a roster or calendar (iCalendar, from an airline, Google or Outlook).
        It is read every 15 minutes, and its busy times take start times out. Only start and end are
        kept; sessions booked here are never busy.
      </p>
      <CalendarFacts {...calendar} />
      <PageForm
        id="busy-calendar"
        reply={reply}
        sends={{ version: calendar.version }}
        action={href("/admin/schedule/:key/busy-calendar", { key: counselorKey })}
        className="grid max-w-text gap-4"
      >
        <LineField
          name="url"
          label={calendar.host === null ? "Private address" : "Another private address"}
          hint="It begins with https:// or webcal:// and is not shown again."
          type="url"
          required
          spellCheck={false}
          maxLength={2_000}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton intent="save">Save</SubmitButton>
          {calendar.host !== null && (
            // Only Save needs the address.
            <>
              <SubmitButton intent="refresh" look="quiet" formNoValidate>
                Read Now
              </SubmitButton>
              <SubmitButton intent="remove" look="danger" formNoValidate>
                Remove
              </SubmitButton>
            </>
          )}
        </div>
      </PageForm>
    </Part>
  );
}

function CalendarFacts({ host, lastReadAt, busy, error }: BusyCalendarState) {
  if (host === null) return null;
  return (
    <div className="mb-4 rounded-sm bg-sunken px-3 py-2">
      <p className="break-all font-semibold">{host}</p>
      <p className="figures text-sm text-muted">
        {lastReadAt === null ? "Not read yet" : `Last read ${adminInstant(lastReadAt)}`},{" "}
        {busy === 1 ? "1 busy time" : `${busy} busy times`} ahead
      </p>
      {error && (
        <p className="mt-1.5 flex gap-1.5 font-medium text-stop">
          <Icon name="alert" className="mt-0.5 size-5" />
          {error}
        </p>
      )}
    </div>
  );
}
