/** What the dashboard shows beside the list: the next sessions, and what needs a person. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import type { Message } from "#app/model/messages.ts";
import { listSessionsOn } from "#db/queries/appointments.server.ts";
import { listFailedMessages } from "#db/queries/messages.server.ts";
import {
  listRefundsForPerson,
  listUnmatchedPayments,
  type Payment,
  type StoredRefund,
} from "#db/queries/payments.server.ts";
import { readPressure } from "./holds.server.ts";
import type { Pressure } from "./pressure.ts";

const MOST_SHOWN = 50;

export interface SessionDay {
  /** `yyyy-MM-dd` in India. */
  date: string;
  /** Paid sessions in the order of their times, those that are over included. */
  sessions: Appointment[];
}

/** Today and tomorrow in India. */
export function readNextDays({ db, now }: Pick<Deps, "db" | "now">): [SessionDay, SessionDay] {
  const today = dateInIndia(now());
  const tomorrow = addDays(today, 1);
  return [
    { date: today, sessions: listSessionsOn(db, today) },
    { date: tomorrow, sessions: listSessionsOn(db, tomorrow) },
  ];
}

export interface Attention {
  /** Failed, or tried too often. */
  refunds: StoredRefund[];
  /** Parked messages, newest first. */
  messages: Message[];
  unmatched: Payment[];
  /** Captains, by name, whose calendars are under pressure. */
  pressed: (Pressure & { counselor: string })[];
}

/** At most 50 of each kind. */
export function readAttention({ db, env, now }: Pick<Deps, "db" | "env" | "now">): Attention {
  return {
    refunds: listRefundsForPerson(db, MOST_SHOWN),
    messages: listFailedMessages(db, MOST_SHOWN),
    unmatched: listUnmatchedPayments(db).slice(0, MOST_SHOWN),
    pressed: readCatalogue(db).counselors.flatMap(({ key, name }) => {
      const pressure = readPressure(db, env, key, now());
      return pressure ? [{ ...pressure, counselor: name }] : [];
    }),
  };
}
