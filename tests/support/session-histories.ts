/** Random histories of bookings: states, money in and back, attendance, captains and packages. */
import fc from "fast-check";
import { addDays, dateInIndia, instantOf } from "#app/model/dates.ts";
import { DAY } from "#app/model/duration.ts";
import { PAID } from "#app/model/statuses.ts";

const STATUSES = ["pending_payment", "confirmed", "rescheduled", "cancelled"] as const;

const paise = fc.integer({ min: 1, max: 200_000 });

const refund = fc.record({
  amountPaise: paise,
  origin: fc.constantFrom("us" as const, "provider" as const),
  state: fc.constantFrom("wanted" as const, "pending" as const, "processed" as const, "failed" as const),
  isAccepted: fc.boolean(),
});

const payment = fc.record({
  amountPaise: paise,
  isCaptured: fc.boolean(),
  /** What the provider says went back of it, as a share. */
  backShare: fc.constantFrom(0, 0, 0, 0.5, 1),
  refunds: fc.array(refund, { maxLength: 2 }),
});

export type PastSession = typeof pastSession extends fc.Arbitrary<infer T> ? T : never;

/** A session of the days from `first` on. */
const pastSession = fc.record({
  day: fc.integer({ min: 0, max: 130 }),
  counselorKey: fc.constantFrom("asha", "rohan"),
  minutes: fc.constantFrom(30, 45, 60),
  status: fc.constantFrom(...STATUSES),
  attendance: fc.constantFrom(null, "completed" as const, "no_show" as const),
  /** From booking to session, milliseconds. */
  ahead: fc.integer({ min: 0, max: 20 * DAY }),
  payments: fc.array(payment, { maxLength: 2 }),
});

export const pastSessions = fc.array(pastSession, { maxLength: 12 });
export type StoredRow = ReturnType<typeof rowsOf>;

/** What stands in the file of a session: only a paid one has attendance. */
export function rowsOf(session: PastSession, first: string, i: number) {
  const date = addDays(first, session.day);
  const startsAt = instantOf(date, "10:00");
  const createdAt = startsAt - session.ahead;
  const isPaid = PAID.some((paid) => paid === session.status);
  const id = `session${i}`;
  return {
    ...{ id, date, createdAt, isPaid },
    ...{ counselorKey: session.counselorKey, minutes: session.minutes, status: session.status },
    attendance: isPaid ? session.attendance : null,
    leadDays: (instantOf(date) - instantOf(dateInIndia(createdAt))) / DAY,
    payments: session.payments.map(({ amountPaise, isCaptured, backShare, refunds }, p) => ({
      paymentId: `pay_${i}_${p}`,
      amountPaise,
      capturedAt: isCaptured ? createdAt : null,
      refundedPaise: Math.floor(amountPaise * backShare),
      refunds: refunds.map(({ isAccepted, ...one }, r) => ({
        ...{ ...one, id: `refund_${i}_${p}_${r}`, paymentId: `pay_${i}_${p}` },
        // The schema refuses a wish of ours over what is left; the provider's news may be anything.
        origin: "provider" as const,
        providerRefundId: isAccepted ? `rfnd_${i}_${p}_${r}` : null,
      })),
    })),
  };
}
