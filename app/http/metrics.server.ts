/** What an operator watches, as Prometheus text. Labels are route patterns and codes, never ids. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "#app/core/metrics.ts";
import { HELD_BACK_KINDS, HELD_BACK_WINDOW } from "#app/model/messages.ts";
import type { OpenDb } from "#db/connection.server.ts";
import { countHeldBack } from "#db/queries/held-back.server.ts";
import { countTimesTaken, readQueues } from "#db/queries/queues.server.ts";

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
  const bookings = new Counter({
    name: "bookings_total",
    help: "Booking attempts by outcome",
    labelNames: ["outcome"],
    registers,
  });
  const payments = new Counter({
    name: "payments_total",
    help: "Payments applied by outcome",
    labelNames: ["outcome"],
    registers,
  });
  const refusals = new Counter({
    name: "requests_refused_total",
    help: "Requests refused before their route was asked, by reason",
    labelNames: ["reason"],
    registers,
  });
  const slowTurns = new Counter({
    name: "event_loop_slow_turns_total",
    help: "Turns of the event loop over 200 ms, by route of the request begun last",
    labelNames: ["route"],
    registers,
  });
  const queueLength = new Gauge({
    name: "queue_length",
    help: "Rows waiting, by queue",
    labelNames: ["queue"],
    registers,
  });
  const queueAge = new Gauge({
    name: "queue_oldest_age_seconds",
    help: "Age of the oldest row waiting, by queue",
    labelNames: ["queue"],
    registers,
  });
  const needsPerson = new Gauge({
    name: "needs_person",
    help: "Rows that wait for a person, by kind",
    labelNames: ["kind"],
    registers,
  });
  const timesTaken = new Gauge({
    name: "times_taken",
    help: "Unpaid holds that run, and paid sessions still to begin",
    labelNames: ["kind"],
    registers,
  });
  const mailsHeldBack = new Gauge({
    name: "mails_held_back",
    help: "Mails held back within 24 hours from who may not have booked, by kind",
    labelNames: ["kind"],
    registers,
  });
  const lastBackup = new Gauge({
    name: "last_backup_timestamp_seconds",
    help: "When the last good backup was made; 0 if never",
    registers,
  });
  const lastBackupBytes = new Gauge({
    name: "last_backup_bytes",
    help: "Size of the last good backup",
    registers,
  });
  const loopDelay = new Gauge({
    name: "event_loop_delay_p99_seconds",
    help: "99th percentile of the event loop's delay since the last reading",
    registers,
  });
  const memory = new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers,
  });
  return {
    request: (route, method, status, seconds) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    booking: (outcome) => bookings.inc({ outcome }),
    payment: (outcome) => payments.inc({ outcome }),
    refused: (reason) => refusals.inc({ reason }),
    slowTurn: (route) => slowTurns.inc({ route }),
    async text() {
      const at = now();
      const { queues, waiting, backup } = readQueues(db);
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
      loopDelay.set(Number.isFinite(delay.percentile(99)) ? delay.percentile(99) / 1e9 : 0);
      delay.reset();
      memory.set(process.memoryUsage.rss());
      return registry.metrics();
    },
    close: () => delay.disable(),
  };
}
