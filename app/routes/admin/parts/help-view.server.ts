/** Who reported at a session's time that the other side is not there, worded for the team. */
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminInstant, adminSession, instantOf } from "#app/model/dates.ts";
import { takesHelpCall } from "#app/model/help.ts";
import { personName } from "#app/model/wording.ts";
import { askedOf } from "#app/sessions/help.server.ts";
import { type HelpCall, listHelpCalls } from "#db/queries/help-calls.server.ts";

export type HelpView = ReturnType<typeof helpView>;

/** `shownAs`: the session's id as the account may see it. */
export function helpView(
  { db, now }: Pick<Deps, "db" | "now">,
  appointment: Appointment,
  shownAs: string,
) {
  const calls = listHelpCalls(db, appointment);
  const isKnown = calls.some(({ side }) => side === "captain");
  return {
    id: shownAs,
    name: personName(appointment.contact.name),
    phone: appointment.contact.phone,
    startsAt: appointment.startsAt,
    /** The captain, or staff for them, can report that the customer is not there. */
    canCall: !isKnown && takesHelpCall(appointment, now()),
    calls: calls.map((call) => ({
      side: call.side,
      words: callWords(call),
      asked: askedOf(call),
      does: doesWhat(call, now()),
      isOpen: call.settledAt === null,
    })),
  };
}

/** The button that does what is asked for; null once the time asked for has begun. */
function doesWhat({ asks, askedDate, askedTime }: HelpCall, now: number): string | null {
  if (asks !== "move") return asks && "Cancel and refund all";
  return instantOf(askedDate!, askedTime!) > now ? "Move it" : null;
}

function callWords({ side, calledAt, asks, askedDate, askedTime, settledAt }: HelpCall): string {
  const said =
    side === "customer"
      ? `Customer: the captain is not here, ${adminInstant(calledAt)}`
      : `Captain: the customer is not here, ${adminInstant(calledAt)}`;
  const asked =
    asks === "move"
      ? `asks for ${adminSession(askedDate!, askedTime!)}`
      : asks && "asks for all money back";
  const settled = settledAt && `settled ${adminInstant(settledAt)}`;
  return [said, asked, settled].filter(Boolean).join("; ");
}
