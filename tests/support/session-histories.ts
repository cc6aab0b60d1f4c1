/** Random histories of bookings: states, money in and back, attendance, captains and packages. */
import fc from "fast-check";
import { addDays, DAY, dateInIndia, instantOf, MINUTE } from "#app/model/dates.ts";
import { PAID } from "#app/model/statuses.ts";
import type { storedRows } from "./stored-rows.ts";

const STATUSES = ["pending_payment", "confirmed", "rescheduled", "cancelled"] as const;

const paise = fc.integer({ min: 1, max: 200_000 });

const refund = fc.record({
  amountPaise: paise,
  way: fc.constantFrom("provider" as const, "by_hand" as const, "dashboard" as const),
  state: fc.constantFrom(
    "wanted" as const,
    "pending" as const,
    "processed" as const,
    "failed" as const,
    "superseded" as const,
  ),
  isAccepted: fc.boolean(),
});

const payment = fc.record({
  amountPaise: paise,
  isCaptured: fc.boolean(),
  /** What a bank took back of it, as a share. */
  takenShare: fc.constantFrom(0, 0, 0, 0.5, 1),
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
type StoredRow = ReturnType<typeof rowsOf>;

/** What stands in the file of a session: only a paid one has attendance. */
function rowsOf(session: PastSession, first: string, i: number) {
  const date = addDays(first, session.day);
  const startsAt = instantOf(date, "10:00");
  const createdAt = startsAt - session.ahead;
  const isPaid = PAID.some((paid) => paid === session.status);
  const id = `session${i}`;
  return {
    id,
    date,
    createdAt,
    isPaid,
    counselorKey: session.counselorKey,
    minutes: session.minutes,
    status: session.status,
    attendance: isPaid ? session.attendance : null,
    leadDays: (instantOf(date) - instantOf(dateInIndia(createdAt))) / DAY,
    payments: session.payments.map(({ amountPaise, isCaptured, takenShare, refunds }, p) => ({
      paymentId: `pay_${i}_${p}`,
      amountPaise,
      capturedAt: isCaptured ? createdAt : null,
      takenBackPaise: Math.floor(amountPaise * takenShare),
      refunds: refunds.map(({ isAccepted, ...one }, r) => ({
        ...one,
        id: `refund_${i}_${p}_${r}`,
        paymentId: `pay_${i}_${p}`,
        counts: Number(!isVoid(one)),
        providerRefundId: isAccepted ? `rfnd_${i}_${p}_${r}` : null,
      })),
    })),
  };
}

const isVoid = ({ state, way }: { state: string; way: string }) =>
  state === "superseded" || (state === "failed" && way === "dashboard");

type AddRow = ReturnType<typeof storedRows>["add"];

/** Puts them into the file. A refund of ours over what is left is refused there, and left out here. */
export function store(add: AddRow, sessions: readonly PastSession[], first: string): StoredRow[] {
  const rows = sessions.map((session, i) => rowsOf(session, first, i));
  for (const { id, payments, ...row } of rows) {
    add("appointment", id, {
      on_date: row.date,
      counselor_key: row.counselorKey,
      minutes: row.minutes,
      ends_at: row.minutes * MINUTE,
      status: row.status,
      attendance: row.attendance,
      created_at: row.createdAt,
    });
    for (const payment of payments) {
      const { paymentId } = payment;
      add("payment", paymentId, {
        appointment_id: id,
        amount_paise: payment.amountPaise,
        captured_at: payment.capturedAt,
      });
      const lost = { payment_id: paymentId, amount_paise: payment.takenBackPaise };
      if (payment.takenBackPaise > 0) add("dispute", `disp_${paymentId}`, lost);
      payment.refunds = payment.refunds.filter((refund) => {
        try {
          add("refund", refund.id, {
            payment_id: paymentId,
            amount_paise: refund.amountPaise,
            reason: "by_staff",
            way: refund.way,
            state: refund.state,
            provider_refund_id: refund.providerRefundId,
          });
          return true;
        } catch (error) {
          if (String(error).includes("refund_over_payment")) return false;
          throw error;
        }
      });
    }
  }
  return rows;
}
