/** Sessions of today and the next days: per captain for the team, and a captain's start page. */
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { DAY, formatClock, HOUR, MINUTE } from "#app/model/dates.ts";
import { telLink } from "#app/model/tel-link.ts";
import { BlockToday, ReachButtons } from "#app/routes/admin/parts/captain-parts.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { HelpCalls } from "#app/routes/admin/parts/help-call.tsx";
import { DialogLink } from "#app/routes/admin/parts/overlay.tsx";
import {
  AttendanceButtons,
  NoSessions,
  OwnSessions,
} from "#app/routes/admin/parts/session-parts.tsx";
import { useClock } from "#app/routes/admin/parts/use-clock.ts";
import type { BoardCaptain, BoardDay, BoardSession, OwnDay } from "./dashboard-view.server.ts";

/** Sessions shown per day; later ones are folded. */
const MOST_LINES = 5;

interface BoardProps {
  captains: readonly BoardCaptain[];
  /** When the sessions were read, milliseconds UTC. */
  now: number;
}

export function SessionsBoard({ captains, now: readAt }: BoardProps) {
  const now = useClock(readAt);
  return (
    <div className="mb-4 grid gap-px overflow-hidden rounded-lg bg-night-line text-night-ink lg:grid-cols-2">
      {captains.map(({ name, days }, i) => (
        <section
          key={name}
          aria-labelledby={`captain-${i}`}
          className="min-w-0 bg-night px-4 py-2.5 lg:last:odd:col-span-2"
        >
          <h2 id={`captain-${i}`} className="display text-lg">
            {name}
          </h2>
          {days.some(({ over, ahead }) => over.length + ahead.length > 0) ? (
            days.map((day) => <Day key={day.word} day={day} now={now} />)
          ) : (
            <p className="text-night-muted">No sessions today or tomorrow.</p>
          )}
        </section>
      ))}
    </div>
  );
}

function Day({ day, now }: { day: BoardDay; now: number }) {
  const { over, ahead } = day;
  const count = over.length + ahead.length;
  const lines = (sessions: readonly BoardSession[]) => (
    <ol>
      {sessions.map((session) => (
        <li key={session.id} className="border-t border-night-line first:border-t-0">
          <Line session={session} />
          {session.next && <NextCall name={session.name} now={now} {...session.next} />}
        </li>
      ))}
    </ol>
  );
  const folded = (sessions: readonly BoardSession[], words: string) =>
    sessions.length > 0 && (
      <details className="group">
        <summary className="flex min-h-9 cursor-pointer items-center gap-1.5 text-sm text-night-muted hover:text-night-ink">
          <Icon name="chevronRight" className="size-3.5 group-open:rotate-90" />
          {words}
        </summary>
        {lines(sessions)}
      </details>
    );
  return (
    <div className="mt-1.5">
      <h3 className="flex gap-x-2 text-sm text-night-muted">
        <span className="font-semibold text-night-ink">{day.word}</span>
        {day.day}
        <span className="figures ml-auto">
          {count === 0 ? "No sessions" : count === 1 ? "1 session" : `${count} sessions`}
        </span>
      </h3>
      {folded(over, `${over.length} over`)}
      {lines(ahead.slice(0, MOST_LINES))}
      {folded(ahead.slice(MOST_LINES), `${ahead.length - MOST_LINES} more`)}
    </div>
  );
}

function Line({ session }: { session: BoardSession }) {
  const { id, time, name, facts, next } = session;
  return (
    <DialogLink
      to={href("/admin/appointments/:id", { id })}
      className={`grid items-baseline gap-x-3 rounded-sm py-1.5 hover:bg-night-raised ${
        next ? "grid-cols-[6.5rem_1fr] text-xl" : "grid-cols-[5rem_1fr]"
      }`}
    >
      <span className="figures display">{time}</span>
      <span className="break-words font-semibold">
        {name} <span className="inline-block text-sm font-normal text-night-muted">{facts}</span>
      </span>
    </DialogLink>
  );
}

/** A countdown to the session, updated while the page is open, and the number to call. */
function NextCall({
  name,
  phone,
  now,
  ...session
}: NonNullable<BoardSession["next"]> & { name: string; now: number }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 pb-1.5">
      <span className="font-semibold text-sky">{timeUntil(session, now)}</span>
      {phone && (
        <a
          href={telLink(phone)}
          aria-label={`Call ${name}: ${phone}`}
          className="figures inline-flex min-h-11 items-center gap-2 underline underline-offset-4"
        >
          <Icon name="call" />
          {phone}
        </a>
      )}
    </p>
  );
}

export function OwnDayView({ day }: { day: OwnDay }) {
  const { next, days, withoutAttendance, withoutPlan } = day;
  const now = useClock(day.now);
  return (
    <div className="mx-auto grid max-w-192 gap-5">
      <h1 className="sr-only">Your sessions</h1>
      {next ? (
        <NextSession next={next} now={now} />
      ) : (
        <div className="card">
          <NoSessions title="No session is booked from today on" />
        </div>
      )}
      {withoutAttendance.length > 0 && (
        <Part id="to-note" title="Did they take place?" className="p-4">
          <OwnSessions sessions={withoutAttendance} withDay />
        </Part>
      )}
      {withoutPlan.length > 0 && (
        <Part id="to-write" title="Plans to write" className="p-4">
          <OwnSessions
            sessions={withoutPlan}
            withDay
            to={(id) => href("/admin/appointments/:id/plan", { id })}
          />
        </Part>
      )}
      {days.map(({ date, word, day, sessions }) => (
        <Part key={date} id={`day-${date}`} title={word ? `${word}, ${day}` : day} className="p-4">
          <OwnSessions sessions={sessions} />
        </Part>
      ))}
      <p className="flex flex-wrap gap-3">
        <Link to={href("/admin/sessions")} className="button button-quiet">
          All sessions
        </Link>
        <Link to={`${href("/admin/slots")}?tab=block`} className="button button-quiet">
          Block or set times
        </Link>
      </p>
      <BlockToday {...day} />
    </div>
  );
}

function NextSession({ next, now }: { next: NonNullable<OwnDay["next"]>; now: number }) {
  const { id, name, day, time, minutes, question, attendance, help } = next;
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
        <NextCall {...next} phone="" now={now} />
      </div>
      <div className="grid gap-3 p-4">
        <ReachButtons session={next} />
        {question && (
          <p className="whitespace-pre-wrap break-words">
            <span className="block text-sm text-muted">Question</span>
            {question}
          </p>
        )}
        <AttendanceButtons of={attendance} />
        <HelpCalls help={help} />
      </div>
    </section>
  );
}

/** How soon a session begins, rounded up to whole minutes. Times are milliseconds UTC. */
export function timeUntil({ startsAt, endsAt }: { startsAt: number; endsAt: number }, now: number) {
  if (endsAt <= now) return "Over";
  if (startsAt <= now) return `Now, until ${formatClock(endsAt)}`;
  const minutes = Math.ceil((startsAt - now) / MINUTE);
  if (minutes < HOUR / MINUTE) return `Next, in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  // From a day ahead, minutes are left out.
  const and = rest > 0 && minutes < DAY / MINUTE ? ` ${rest} min` : "";
  return `Next, in ${hours} ${hours === 1 ? "hour" : "hours"}${and}`;
}
