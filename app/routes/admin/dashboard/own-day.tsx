/** The start page of a captain, made for one hand. */
import { href, Link } from "react-router";
import {
  AttendanceButtons,
  HowItTakesPlace,
  OwnSessions,
} from "#app/routes/admin/parts/session-parts.tsx";
import type { OwnDay } from "./own-day-view.server.ts";
import { NextCall } from "./sessions-board.tsx";

export function OwnDayView({ day }: { day: OwnDay }) {
  const { next, now, days, withoutAttendance } = day;
  return (
    <div className="mx-auto grid max-w-192 gap-5">
      <h1 className="sr-only">Your sessions</h1>
      {next ? (
        <NextSession next={next} now={now} />
      ) : (
        <p className="card p-4">No session is booked from today on.</p>
      )}
      {withoutAttendance.length > 0 && (
        <section aria-labelledby="to-note" className="card p-4">
          <h2 id="to-note" className="display text-xl">
            Did they take place?
          </h2>
          <OwnSessions sessions={withoutAttendance} withDay />
        </section>
      )}
      {days.map(({ date, word, day, sessions }) => (
        <section key={date} aria-labelledby={`day-${date}`} className="card p-4">
          <h2 id={`day-${date}`} className="display text-xl">
            {word ? `${word}, ${day}` : day}
          </h2>
          <OwnSessions sessions={sessions} />
        </section>
      ))}
      <p className="flex flex-wrap gap-3">
        <Link to={href("/admin/sessions")} className="button button-quiet">
          All sessions
        </Link>
        <Link to={`${href("/admin/slots")}?tab=block`} className="button button-quiet">
          Block or set times
        </Link>
      </p>
    </div>
  );
}

function NextSession({ next, now }: { next: NonNullable<OwnDay["next"]>; now: number }) {
  const { id, name, day, time, minutes, how, question, attendance } = next;
  return (
    <section aria-labelledby="next" className="card overflow-hidden">
      <div className="bg-night px-4 py-3 text-night-ink">
        <p className="figures text-night-muted">
          {day}, {time}, {minutes} minutes
        </p>
        <h2 id="next" className="display break-words text-3xl">
          <Link to={href("/admin/sessions/:id", { id })} className="hover:underline">
            {name}
          </Link>
        </h2>
        <NextCall key={now} {...next} now={now} />
      </div>
      <div className="grid gap-3 p-4">
        <p>
          <HowItTakesPlace how={how} />
        </p>
        {question && (
          <p className="whitespace-pre-wrap break-words">
            <span className="block text-sm text-muted">Question</span>
            {question}
          </p>
        )}
        <AttendanceButtons of={attendance} />
      </div>
    </section>
  );
}
