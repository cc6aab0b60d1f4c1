/** A captain's change by the owner, with what the customers of sessions to come are told of it. */
import { isDeepStrictEqual } from "node:util";
import { type ChangedCounselor, changeCounselor } from "#app/catalogue/change-counselor.server.ts";
import type { CounselorChange } from "#app/catalogue/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { isPaid } from "#app/model/appointment.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { listFutureSessions } from "#db/queries/hours.server.ts";
import { followSequence } from "#db/queries/messages.server.ts";

export interface ChangedCaptain extends ChangedCounselor {
  /** Paid sessions to come whose customers are told how they take place now. */
  told: number;
}

/** As `changeCounselor`, with its refusals. An invitation of before holds another meeting link. */
export function changeCaptain(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  actor: Actor,
  key: string,
  input: CounselorChange,
): Outcome<ChangedCaptain> {
  return change(deps, actor, ({ tx, now }) => {
    const before = findCounselorByKey(readCatalogue(tx), key);
    const done = changeCounselor({ ...deps, db: tx }, actor, key, input);
    if (!done.ok) return done;
    const isSame = isDeepStrictEqual(before?.meeting, done.value.counselor.meeting);
    const told = isSame ? 0 : tellCustomers(tx, deps, key, now);
    return success({ ...done.value, told });
  });
}

function tellCustomers(tx: Db, { env }: Pick<Deps, "env">, key: string, now: number): number {
  const sessions = listFutureSessions(tx, now).filter(
    (session) => session.counselorKey === key && isPaid(session),
  );
  for (const { id } of sessions) {
    const { calendarSequence } = findAppointment(tx, id)!;
    updateAppointment(tx, id, now, { calendarSequence: calendarSequence + 1 });
    const appointment = findAppointment(tx, id)!;
    followSequence(tx, appointment);
    queueMessages(tx, env, now, { type: "joining_changed", appointment });
  }
  return sessions.length;
}
