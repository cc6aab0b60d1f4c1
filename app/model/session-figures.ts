/** What is counted of sessions: of a month, a captain, a package, a whole range. */
export interface SessionFigures {
  /** All existing appointments: confirmed, rescheduled, cancelled and pending payment. */
  booked: number;
  /** Confirmed and rescheduled. */
  paid: number;
  cancelled: number;
  completed: number;
  noShow: number;
  /** Captured less refunds from the moment they are wanted, and less what banks took back. */
  keptPaise: number;
  /** What went back or is to go back. */
  refundedPaise: number;
  /** By customers' banks, after lost disputes. */
  takenBackPaise: number;
  /** How many sessions each of the three sums rests on. */
  kept: number;
  refunded: number;
  takenBack: number;
}

const NONE: SessionFigures = {
  ...{ booked: 0, paid: 0, cancelled: 0, completed: 0, noShow: 0 },
  ...{ keptPaise: 0, refundedPaise: 0, takenBackPaise: 0, kept: 0, refunded: 0, takenBack: 0 },
};
const NAMES = Object.keys(NONE) as (keyof SessionFigures)[];

export function sumOfFigures(all: readonly SessionFigures[]): SessionFigures {
  const sum = { ...NONE };
  for (const one of all) for (const name of NAMES) sum[name] += one[name];
  return sum;
}
