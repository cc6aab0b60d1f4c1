/** Runs the background tasks, each at its interval and whenever something new is queued. */
import { setTimeout as wait } from "node:timers/promises";
import { readDueCalendars } from "#app/availability/busy-calendars.server.ts";
import { type CalendarErrorCode, calendarErrorWords } from "#app/availability/calendar-rules.ts";
import { endLongHolds } from "#app/booking/holds.server.ts";
import { BACKOFF } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { noteFailure, writeFailures } from "#app/core/failures.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import { messagesUnderWay, resumeOutbox, runChannel } from "#app/notifications/outbox.server.ts";
import { CHANNELS, queueMessages } from "#app/notifications/queue.server.ts";
import { runReminders, runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { runProviderEvents } from "#app/payments/provider-events.server.ts";
import {
  readOrdersSinceRestore,
  runDisputesDaily,
  runRefundsMadeDaily,
  runSettlementsDaily,
} from "#app/payments/provider-lists.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { runRooms } from "#app/session-rooms/room-queue.server.ts";
import { askForRatings } from "#app/sessions/ratings.server.ts";
import { inTransaction, isUnavailable } from "#db/connection.server.ts";
import { listFailingCalendars, updateBusyCalendar } from "#db/queries/busy-calendars.server.ts";
import { type Ahead, bringForward } from "#db/queries/reminders.server.ts";
import { erasureKeeper, runScheduledBackup } from "./backups.server.ts";
import { scheduledDoctor } from "./doctor.server.ts";
import { runOffSite } from "./off-site.server.ts";
import { runRetention } from "./retention.server.ts";

interface Task {
  name: string;
  /** Milliseconds from the end of a run to the next; a wake cuts them short. */
  every: number;
  run(deps: Deps, signal: AbortSignal): Promise<unknown>;
}

/** The pause while the database is unavailable, because each try blocks all requests. */
const UNAVAILABLE_MS = 5_000;

function tasks(deps: Deps): Task[] {
  const often = deps.env.workerIntervalMs;
  const seldom = Math.min(MINUTE, often * 10);
  const afterMoney = (deps.env.backup.offSite?.afterSeconds ?? 0) * SECOND;
  return [
    { name: "clock", every: seldom, run: runClock },
    { name: "provider events", every: often, run: runProviderEvents },
    { name: "refunds", every: often, run: runRefunds },
    { name: "reconciler", every: often, run: runReconciler },
    ...outbox(often),
    { name: "session rooms", every: often, run: runRooms },
    { name: "orders since a restore", every: MINUTE, run: readOrdersSinceRestore },
    { name: "disputes", every: MINUTE, run: runDisputesDaily },
    { name: "refunds made", every: MINUTE, run: runRefundsMadeDaily },
    { name: "settlements", every: MINUTE, run: runSettlementsDaily },
    { name: "busy calendars", every: seldom, run: runBusyCalendars },
    { name: "backup", every: MINUTE, run: runScheduledBackup },
    { name: "erasures", every: MINUTE, run: erasureKeeper() },
    { name: "off-site copy", every: Math.min(seldom, afterMoney / 4 || seldom), run: runOffSite },
    { name: "failures", every: seldom, run: async (d) => writeFailures(d) },
    { name: "doctor", every: seldom, run: scheduledDoctor() },
    { name: "retention", every: MINUTE, run: runRetention },
    { name: "reminders", every: seldom, run: runReminders },
    { name: "ratings", every: seldom, run: askForRatings },
    { name: "unpaid", every: Math.min(MINUTE, often * 5), run: runUnpaidNotices },
  ];
}

/** The first run makes messages due that wait for a retry: at the start, a full disk would stop it. */
function outbox(every: number): Task[] {
  let isResumed = false;
  return CHANNELS.map((channel) => ({
    name: `outbox ${channel}`,
    every,
    async run(deps, signal) {
      if (!isResumed) resumeOutbox(deps);
      isResumed = true;
      await runChannel(deps, channel, signal);
    },
  }));
}

/** A loop for each task, so that slow mail delays no payment. `beat` is called before each run. */
export function startWorker(deps: Deps, beat: () => void): { wake(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  /** Aborted by a wake, which is not missed during a run either; then replaced. */
  let waking = new AbortController();
  const sleep = (ms: number, { signal }: AbortController) =>
    wait(ms, undefined, { signal }).catch(() => undefined);
  const loops = tasks(deps).map(async (task) => {
    while (!stopping.signal.aborted) {
      const begun = waking;
      beat();
      try {
        await task.run(deps, stopping.signal);
      } catch (error) {
        const unavailable = isUnavailable(error);
        const message = unavailable ? "database unavailable" : "worker task failed";
        deps.log.error({ err: error, task: task.name }, message);
        if (unavailable) await sleep(UNAVAILABLE_MS, waking);
        else noteFailure(deps, error, { area: `job: ${task.name}` });
      }
      await sleep(task.every, begun);
    }
  });
  const wake = () => {
    waking.abort();
    if (!stopping.signal.aborted) waking = new AbortController();
  };
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await Promise.all(loops);
      writeLast(deps);
    },
  };
}

/** Writes failures that were noted after the last run of their task. */
function writeLast(deps: Deps): void {
  try {
    writeFailures(deps);
  } catch (error) {
    deps.log.error({ err: error }, "what failed could not be written");
  }
}

export async function runBusyCalendars(deps: Deps, signal: AbortSignal): Promise<void> {
  await readDueCalendars(deps, signal);
  if (notifyOwner(deps)) deps.wake();
}

function notifyOwner({ db, env, now }: Deps): boolean {
  const at = now();
  if (listFailingCalendars(db, at - DAY).length === 0) return false;
  return inTransaction(db, (tx) => {
    const failing = listFailingCalendars(tx, at - DAY);
    for (const { counselorKey, counselorName, failingSince, error } of failing) {
      queueMessages(tx, env, at, {
        type: "calendar_unread",
        counselorKey,
        counselor: counselorName,
        since: failingSince!,
        error: calendarErrorWords(error as CalendarErrorCode),
      });
      updateBusyCalendar(tx, counselorKey, { toldAt: at });
    }
    return failing.length > 0;
  });
}

type ClockDeps = Pick<Deps, "db" | "env" | "now" | "log" | "senders" | "wake">;

export async function runClock(deps: ClockDeps): Promise<void> {
  const now = deps.now();
  const ahead = aheadOf(deps.env.reconcileAfterSeconds * 1000);
  // A message that is being sent keeps its lease, or it would be sent twice.
  const due = bringForward(deps.db, now, ahead, messagesUnderWay(deps));
  const holds = endLongHolds(deps);
  if (due + holds === 0) return;
  deps.log.warn({ due, holds }, "the clock went back: what was planned for later is due");
  deps.wake();
}

/** Later than any next try that is planned now: waits vary, and providers may ask for longer ones. */
function aheadOf(firstCheck: number): Ahead {
  const { message, refund, providerEvent, order, room } = BACKOFF;
  return {
    message: 2 * message.longest,
    refund: 2 * refund.longest,
    event: 2 * providerEvent.longest,
    order: Math.max(order.longest, firstCheck, DAY) + MINUTE,
    calendar: HOUR,
    // Uncertain rooms are looked up after twice the longest wait.
    room: 3 * room.longest,
    lease: MINUTE,
  };
}
