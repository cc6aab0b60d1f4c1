/** Runs the background tasks, each at its interval and whenever something new is queued. */

import type { Deps } from "#app/core/deps.server.ts";
import { noteFailure, writeFailures } from "#app/core/failures.server.ts";
import { MINUTE } from "#app/model/duration.ts";
import { CHANNELS, resumeOutbox, runChannel } from "#app/notifications/outbox.server.ts";
import { runReminders, runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { runProviderEvents } from "#app/payments/provider-events.server.ts";
import { readOrdersSinceRestore, runDisputesDaily } from "#app/payments/provider-lists.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { isUnavailable } from "#db/connection.server.ts";
import { erasureKeeper, runScheduledBackup } from "./backups.server.ts";
import { runBusyCalendars } from "./busy-calendars.server.ts";
import { runClock } from "./clock.server.ts";
import { scheduledDoctor } from "./doctor.server.ts";
import { runOffSite } from "./off-site.server.ts";
import { runRetention } from "./retention.server.ts";

interface Task {
  name: string;
  /** Milliseconds between two runs that find nothing to do. */
  every: number;
  run(deps: Deps, signal: AbortSignal): Promise<unknown>;
}

/** The pause while the database cannot be written: each try blocks all requests. */
const UNAVAILABLE_MS = 5_000;

function tasks(deps: Deps): Task[] {
  const often = deps.env.workerIntervalMs;
  return [
    { name: "clock", every: Math.min(MINUTE, often * 10), run: runClock },
    { name: "provider events", every: often, run: runProviderEvents },
    { name: "refunds", every: often, run: runRefunds },
    { name: "reconciler", every: often, run: runReconciler },
    ...outbox(often),
    { name: "orders since a restore", every: MINUTE, run: readOrdersSinceRestore },
    { name: "disputes", every: MINUTE, run: runDisputesDaily },
    { name: "busy calendars", every: Math.min(MINUTE, often * 10), run: runBusyCalendars },
    { name: "backup", every: MINUTE, run: runScheduledBackup },
    { name: "erasures", every: MINUTE, run: erasureKeeper() },
    { name: "off-site copy", every: Math.min(MINUTE, often * 10), run: runOffSite },
    { name: "failures", every: Math.min(MINUTE, often * 10), run: async (d) => writeFailures(d) },
    { name: "doctor", every: Math.min(MINUTE, often * 10), run: scheduledDoctor() },
    { name: "retention", every: MINUTE, run: runRetention },
    { name: "reminders", every: Math.min(MINUTE, often * 10), run: runReminders },
    { name: "unpaid", every: Math.min(MINUTE, often * 5), run: runUnpaidNotices },
  ];
}

/** What waited for a later try comes first, once: a start on a full disk must not end with it. */
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

/**
 * Each task has a loop of its own, so that a slow mail server does not delay payments. `beat` is called
 * before each run.
 */
export function startWorker(deps: Deps, beat: () => void): { wake(): void; stop(): Promise<void> } {
  const stopping = new AbortController();
  const sleepers = new Set<() => void>();
  let wakes = 0;
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        sleepers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      sleepers.add(done);
      if (stopping.signal.aborted) done();
    });
  const loops = tasks(deps).map(async (task) => {
    while (!stopping.signal.aborted) {
      const seen = wakes;
      beat();
      try {
        await task.run(deps, stopping.signal);
      } catch (error) {
        const unavailable = isUnavailable(error);
        const message = unavailable ? "database unavailable" : "worker task failed";
        deps.log.error({ err: error, task: task.name }, message);
        if (unavailable) await sleep(UNAVAILABLE_MS);
        else noteFailure(deps, error, { area: `job: ${task.name}` });
      }
      if (seen === wakes) await sleep(task.every);
    }
  });
  const wake = () => {
    wakes += 1;
    for (const done of [...sleepers]) done();
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

/** What was noted after the last run would be forgotten with the process. */
function writeLast(deps: Deps): void {
  try {
    writeFailures(deps);
  } catch (error) {
    deps.log.error({ err: error }, "what failed could not be written");
  }
}
