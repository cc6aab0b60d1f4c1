/** What a booking's pages show around the session's time if one side is missing. */
import { refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { DAY, formatClock, formatDeadline, formatSession, HOUR } from "#app/model/dates.ts";
import { helpHours, joinFrom, missedWords, takesAsking, takesHelpCall } from "#app/model/help.ts";
import { formatRupees } from "#app/model/money.ts";
import { type HelpCall, listHelpCalls } from "#db/queries/help-calls.server.ts";

/** Longest time before the session for which an open page waits by itself. */
const WAITED_FOR = 12 * HOUR;

export type HelpView = NonNullable<ReturnType<typeof helpView>>;

/** Null if there is nothing to show. `done` is the code in the page's query. */
export function helpView(
  { db, now }: ReadDeps,
  appointment: Appointment,
  done: string | null = null,
) {
  const at = now();
  const { from } = helpHours(appointment);
  const isAhead = isPaid(appointment) && at < from && at > from - WAITED_FOR;
  const calls = listHelpCalls(db, appointment);
  const own = calls.find(({ side }) => side === "customer") ?? null;
  const theirs = calls.find(({ side }) => side === "captain") ?? null;
  const canCall = own === null && takesHelpCall(appointment, at);
  const isWaiting =
    theirs?.settledAt === null && at < appointment.endsAt && appointment.attendance !== "completed";
  const isRecent = own !== null && at <= appointment.endsAt + DAY;
  if (!isPaid(appointment) || !(isAhead || canCall || isRecent || isWaiting)) return null;
  const paise = refundOnCancel(db, appointment);
  return {
    id: appointment.id,
    canCall,
    isByPhone: appointment.meeting.kind === "call",
    /** From when a missing captain can be reported; null unless the session has begun. */
    from: isAhead && at >= appointment.startsAt ? formatClock(from) : null,
    /** Milliseconds until the page shows something else; null if it will not. */
    opensIn: isAhead
      ? ([joinFrom(appointment), appointment.startsAt].find((then) => then > at) ?? from) - at
      : null,
    missed: isWaiting ? missedWords(appointment, theirs.calledAt) : null,
    called: isRecent
      ? {
          at: formatDeadline(own.calledAt, at),
          isRepeat: done === "known",
          /** False if only the team was mailed. */
          isCaptainNotified: appointment.counselorEmail !== null,
          asked: askedWords(own),
          settledAt: own.settledAt && formatDeadline(own.settledAt, at),
        }
      : null,
    canAsk: takesAsking(appointment, own, at),
    /** The amount of a full refund; null if nothing is left. */
    refund: paise > 0 ? formatRupees(paise) : null,
  };
}

function askedWords({ asks, askedDate, askedTime }: HelpCall): string | null {
  if (asks === "refund") return "all your money back";
  return asks && formatSession(askedDate!, askedTime!);
}
