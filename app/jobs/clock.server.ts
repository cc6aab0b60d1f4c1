/**
 * A clock that was set back would leave what is planned, leased or held waiting for as long as it
 * went. Whatever is further ahead than its kind ever goes is due, so nobody need know when that was.
 */

import { endLongHolds } from "#app/booking/holds.server.ts";
import { BACKOFF } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { messagesUnderWay } from "#app/notifications/outbox.server.ts";
import { type Ahead, bringForward } from "#db/queries/planned.server.ts";

type ClockDeps = Pick<Deps, "db" | "env" | "now" | "log" | "senders" | "wake">;

export async function runClock(deps: ClockDeps): Promise<void> {
  const now = deps.now();
  const ahead = aheadOf(deps.env.reconcileAfterSeconds * 1000);
  // A message that is being sent renews its lease, and would go out twice without it.
  const due = bringForward(deps.db, now, ahead, messagesUnderWay(deps));
  const holds = endLongHolds(deps);
  if (due + holds === 0) return;
  deps.log.warn({ due, holds }, "the clock went back: what was planned for later is due");
  deps.wake();
}

/** Twice the longest wait of each kind, for what is spread or asked for by a provider. */
function aheadOf(firstCheck: number): Ahead {
  const { message, refund, providerEvent, order } = BACKOFF;
  return {
    message: 2 * message.longest,
    refund: 2 * refund.longest,
    event: 2 * providerEvent.longest,
    order: Math.max(order.longest, firstCheck, DAY) + MINUTE,
    calendar: HOUR,
    lease: MINUTE,
  };
}
