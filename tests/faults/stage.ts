/** What the histories of a round share, and what each leaves behind for the audit. */
import type { Proof } from "#scripts/sandbox/razorpay/payer.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import type { AdminDesk } from "./admin-desk.ts";
import type { Caller } from "./caller.ts";
import type { History } from "./plan.ts";
import type { World } from "./world.ts";

/** What a history leaves behind for the audit. */
export interface Trail {
  history: History;
  appointmentId: string | null;
  orderIds: Set<string>;
  /** Payments that the bank was asked for, in order. */
  paymentIds: string[];
  /** The app answered once that this appointment is confirmed. */
  answeredConfirmed: boolean;
  /** The app answered the admin once that it is deleted. */
  answeredDeleted: boolean;
  /** Idempotency keys under which staff asked for a refund. */
  refundKeys: number;
  /** Refunds that staff asked for and the app answered. */
  answeredRefunds: Set<string>;
}

export interface Stage {
  world: World;
  caller: Caller;
  desk: AdminDesk;
  /** Proofs of every history, for those that bring another's. */
  proofs: Proof[];
  /** Free times for moves, handed out one after another. */
  nextMove: () => { date: string; newTimeSlot: string };
}

/** Times of days of their own, half of them taken twice so that moves meet too. */
export function moveTimes(): Stage["nextMove"] {
  let count = 0;
  return () => {
    const place = Math.floor(count / 2);
    count += 1;
    const hours = [9, 10, 11, 14, 15, 16][place % 6]!;
    return {
      date: dayAhead(30 + Math.floor(place / 6)),
      newTimeSlot: `${String(hours).padStart(2, "0")}:00`,
    };
  };
}
