/** Prometheus metrics. Labels are route patterns and codes, never ids. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "#app/core/deps.server.ts";
import { HELD_BACK_KINDS, HELD_BACK_WINDOW } from "#app/model/messages.ts";
import type { OpenDb } from "#db/connection.server.ts";
import { countTimesTaken, readQueues } from "#db/queries/health.server.ts";
import { countHeldBack } from "#db/queries/message-leases.server.ts";

export function createMetrics(db: OpenDb, now: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const requests = new Histogram({
    name: "http_request_duration_seconds",
    help: "Requests by route, method and status",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  const counter = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  const bookings = counter("bookings_total", "Booking attempts by outcome", "outcome");
  const payments = counter("payments_total", "Payments applied by outcome", "outcome");
  const refusals = counter(
    "requests_refused_total",
    "Requests refused before their route was asked, by reason",
    "reason",
  );
  const slowTurns = counter(
    "event_loop_slow_turns_total",
    "Turns of the event loop over 200 ms, by route of the request begun last",
    "route",
  );
  const queueLength = gauge("queue_length", "Rows waiting, by queue", "queue");
  const queueAge = gauge(
    "queue_oldest_age_seconds",
    "Age of the oldest row waiting, by queue",
    "queue",
  );
  const needsPerson = gauge("needs_person", "Rows that wait for a person, by kind", "kind");
  const timesTaken = gauge(
    "times_taken",
    "Unpaid holds that run, and paid sessions still to begin",
    "kind",
  );
  const mailsHeldBack = gauge(
    "mails_held_back",
    "Mails held back within 24 hours from who may not have booked, by kind",
    "kind",
  );
  const lastBackup = gauge(
    "last_backup_timestamp_seconds",
    "When the last good backup was made; 0 if never",
  );
  const lastBackupBytes = gauge("last_backup_bytes", "Size of the last good backup");
  const lastOffSite = gauge(
    "last_off_site_copy_timestamp_seconds",
    "When the last copy that left the machine was made; 0 if never",
  );
  const lastOffSiteBytes = gauge("last_off_site_copy_bytes", "Its size, compressed and sealed");
  const loopDelay = gauge(
    "event_loop_delay_p99_seconds",
    "99th percentile of the event loop's delay since the last reading",
  );
  const memory = gauge("process_resident_memory_bytes", "Resident memory");
  return {
    request: (route, method, status, seconds) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    booking: (outcome) => bookings.inc({ outcome }),
    payment: (outcome) => payments.inc({ outcome }),
    refused: (reason) => refusals.inc({ reason }),
    slowTurn: (route) => slowTurns.inc({ route }),
    async text() {
      const at = now();
      const { queues, waiting, backup, offSite } = readQueues(db);
      for (const { queue, length, oldest } of queues) {
        queueLength.set({ queue }, length);
        queueAge.set({ queue }, oldest === null ? 0 : Math.max(0, at - oldest) / 1000);
      }
      for (const { kind, count } of waiting) needsPerson.set({ kind }, count);
      for (const { kind, count } of countTimesTaken(db, at)) timesTaken.set({ kind }, count);
      const heldBack = countHeldBack(db, at - HELD_BACK_WINDOW);
      for (const kind of HELD_BACK_KINDS) mailsHeldBack.set({ kind }, heldBack.get(kind) ?? 0);
      lastBackup.set(backup ? backup.at / 1000 : 0);
      lastBackupBytes.set(backup?.bytes ?? 0);
      lastOffSite.set(offSite ? offSite.at / 1000 : 0);
      lastOffSiteBytes.set(offSite?.bytes ?? 0);
      loopDelay.set(Number.isFinite(delay.percentile(99)) ? delay.percentile(99) / 1e9 : 0);
      delay.reset();
      memory.set(process.memoryUsage.rss());
      return registry.metrics();
    },
    close: () => delay.disable(),
  };
}
