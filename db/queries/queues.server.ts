/** Queue lengths and ages, what waits for a person, and how much is booked. */
import type { Db } from "#db/connection.server.ts";

export interface Queue {
  queue: "outbox" | "refunds" | "provider_events";
  length: number;
  /** Creation of the oldest row, milliseconds UTC. */
  oldest: number | null;
}

export interface Waiting {
  kind: "message" | "refund" | "unmatched_payment" | "provider_event";
  count: number;
}

export interface Queues {
  queues: Queue[];
  waiting: Waiting[];
  backup: { at: number; bytes: number } | null;
}

export function readQueues(db: Db): Queues {
  const backup = db.firstRaw<{ value: string }>(
    "SELECT value FROM setting WHERE key = 'last_backup'",
  );
  return {
    queues: db.allRaw<Queue>(
      `SELECT 'outbox' AS queue, count(*) AS length, min(created_at) AS oldest FROM message
         WHERE next_try_at IS NOT NULL
       UNION ALL SELECT 'refunds', count(*), min(created_at) FROM refund WHERE next_try_at IS NOT NULL
       UNION ALL SELECT 'provider_events', count(*), min(received_at) FROM provider_event WHERE state = 'new'`,
    ),
    waiting: db.allRaw<Waiting>(
      `SELECT 'message' AS kind, count(*) AS count FROM message WHERE state = 'failed'
       UNION ALL SELECT 'refund', count(*) FROM refund WHERE state IN ('failed', 'needs_person')
       UNION ALL SELECT 'unmatched_payment', count(*) FROM payment WHERE outcome = 'unmatched'
       UNION ALL SELECT 'provider_event', count(*) FROM provider_event WHERE state = 'parked'`,
    ),
    backup: backup ? JSON.parse(backup.value) : null,
  };
}

/** Unpaid holds that run at `now` (milliseconds UTC), and paid sessions still to begin. */
export function countTimesTaken(db: Db, now: number): { kind: string; count: number }[] {
  return db.allRaw(
    `SELECT 'unpaid_hold' AS kind, count(*) AS count FROM session_time WHERE held_until > ?
     UNION ALL SELECT 'paid', count(*) FROM appointment
       WHERE status IN ('confirmed', 'rescheduled') AND starts_at > ?`,
    [now, now],
  );
}
