/**
 * The sample database of `npm start`, made by the app's own operations with a clock that is moved:
 * every captain, package and status, over last week, today and the next two weeks. Most times
 * of the next days stay free.
 */
import { bookSession } from "#app/booking/book-session.server.ts";
import { cancelAppointment } from "#app/booking/cancel-and-refund.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { createLog, type Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { isLoopbackHost } from "#app/core/env-fields.ts";
import { createDocumentRenderer } from "#app/documents/render/pool.server.ts";
import { createMetrics } from "#app/http/metrics.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { addDays, dateInIndia, HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { createSenders, runOutbox } from "#app/notifications/outbox.server.ts";
import { applyPayment } from "#app/payments/apply-payment.server.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { inTransaction, type OpenDb, sqlite } from "#db/connection.server.ts";

interface DemoTarget {
  /** Migrated and empty. */
  db: OpenDb;
  env: Env;
  /** Pays an order in the sandbox and returns the payment's id; without it nothing is paid. */
  pay?: ((orderId: string) => Promise<string>) | undefined;
  /** The present, milliseconds UTC. */
  now?: number;
}

type Step = [at: number, run: () => unknown];

/** Rejects if a sample cannot be made as it is described. */
export async function seedDemo({ db, env, pay, now = Date.now() }: DemoTarget): Promise<void> {
  let clock = now;
  const mailStaysHere = isLoopbackHost(new URL(env.smtpUrl).hostname);
  const deps: Deps = {
    db,
    env: { ...env, whatsapp: staysHere(env.whatsapp?.apiUrl) ? env.whatsapp : null },
    now: () => clock,
    provider: createRazorpay(env.razorpay),
    documents: createDocumentRenderer({ databasePath: db.path, own: { threads: 1 } }),
    rooms: null,
    senders: createSenders(env),
    log: createLog("warn"),
    metrics: createMetrics(db, () => clock),
    wake: () => {},
  };
  try {
    // In the order of time, so that the invoices' dates follow their numbers.
    const steps = SAMPLES.flatMap((sample, index) => stepsOf(deps, sample, index + 1, now, pay));
    for (const [at, run] of steps.sort(([one], [other]) => one - other)) {
      clock = at;
      await run();
      if (pay) await runRefunds(deps);
      if (mailStaysHere) await runOutbox(deps);
    }
    if (!mailStaysHere) parkMessages(db);
  } finally {
    deps.senders.mail.close();
    deps.metrics.close();
    await deps.documents.close();
  }
}

/** What is done with a sample, each step at an instant in the past (milliseconds UTC). */
function stepsOf(
  deps: Deps,
  sample: Sample,
  number: number,
  now: number,
  pay: DemoTarget["pay"],
): Step[] {
  const today = dateInIndia(now);
  const { counselor, change, state, notes } = sample;
  const hoursAgo = (hours: number) => now - hours * HOUR - number * 10 * SECOND;
  const bookedAt = hoursAgo(sample.bookedHoursAgo);
  const changedAt = hoursAgo(change?.hoursAgo ?? 0);
  const name = `Sample Student ${String(number).padStart(2, "0")}`;
  const username = deps.env.firstAdmin?.username ?? "admin";
  const admin = { kind: "admin", username, role: "owner" } as const;
  // Only staff can move a booking that nobody has paid for hours.
  const actor = change?.by === "admin" || !pay ? admin : ({ kind: "customer" } as const);
  let id = "";
  let orderId = "";

  const book = async () => {
    const { day, time } = change?.movedFrom ?? sample;
    const input = {
      name,
      email: `${name.toLowerCase().replaceAll(" ", ".")}@captains.example`,
      phone: `+9198765430${String(number).padStart(2, "0")}`,
      counselor: findCounselorByKey(readCatalogue(deps.db), counselor)!.name,
      package: sample.minutes,
      date: addDays(today, day),
      timeSlot: time,
      state,
      notes,
    };
    const booked = bookSession(deps, input, { clientAddress: `192.0.2.${number}` });
    id = requireValue(booked).appointment.id;
    if (pay) orderId = requireValue(await createOrder(deps, id)).orderId;
  };
  const payOrder = async () => {
    const fetched = await deps.provider.fetchPayment(await pay!(orderId));
    // The sandbox's clock stands at today.
    const payment = { ...fetched, createdAt: deps.now() };
    inTransaction(deps.db, (tx) => applyPayment(tx, deps, payment, deps.now()));
  };
  const move = () => {
    const to = { date: addDays(today, sample.day), timeSlot: sample.time };
    requireValue(rescheduleAppointment(deps, actor, id, to));
  };
  const cancel = () => requireValue(cancelAppointment(deps, actor, id));

  const steps: Step[] = [[bookedAt, book]];
  if (!sample.unpaid && pay) steps.push([bookedAt + 4 * MINUTE, payOrder]);
  if (change) steps.push([changedAt, change.movedFrom ? move : cancel]);
  return steps;
}

function requireValue<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.value;
}

/** Sample data is sent to nobody: a real mail server gets none of it. */
function parkMessages(db: OpenDb): void {
  const last_error = "Not sent: sample data.";
  const parked = { state: "failed", next_try_at: null, last_error } as const;
  db.run(sqlite.updateTable("message").set(parked).where("next_try_at", "is not", null));
}

function staysHere(url: string | undefined): boolean {
  return url !== undefined && isLoopbackHost(new URL(url).hostname);
}

interface Change {
  by: "admin" | "customer";
  hoursAgo: number;
  /** Where it was before it was moved to its day and time; null: it was cancelled. */
  movedFrom: { day: number; time: string } | null;
}

interface More {
  change?: Change;
  /** GST state code. */
  state?: string;
  notes?: string;
  unpaid?: boolean;
}

type Sample = ReturnType<typeof sample>;

const DAY = 24;
const UNPAID = { unpaid: true };

/** `day` counts from today; negative is past. */
function sample(
  counselor: "asha" | "rohan",
  minutes: 30 | 45 | 60,
  day: number,
  time: string,
  bookedHoursAgo: number,
  more: More = {},
) {
  return { counselor, minutes, day, time, bookedHoursAgo, ...more };
}

function moved(by: Change["by"], hoursAgo: number, day: number, time: string): More {
  return { change: { by, hoursAgo, movedFrom: { day, time } } };
}

function cancelled(by: Change["by"], hoursAgo: number): More {
  return { change: { by, hoursAgo, movedFrom: null } };
}

/** Each is booked at a time of its own, at least an hour before its session. */
const SAMPLES: readonly Sample[] = [
  // Last week.
  sample("asha", 30, -6, "10:00", 9 * DAY),
  sample("rohan", 60, -4, "15:00", 8 * DAY, { state: "27" }),
  sample("asha", 45, -3, "11:00", 7 * DAY, cancelled("customer", 5 * DAY)),
  sample("rohan", 30, -2, "14:00", 6 * DAY, moved("admin", 4 * DAY, -2, "09:00")),
  sample("asha", 45, -1, "16:00", 5 * DAY, UNPAID),

  // Today and tomorrow.
  sample("asha", 45, 0, "10:00", 3 * DAY, {
    notes: "Should I take the Class 2 medical before my board exams?",
  }),
  sample("rohan", 60, 0, "15:00", 4 * DAY),
  sample("asha", 30, 1, "11:00", 2 * DAY),
  sample("rohan", 45, 1, "16:00", 3 * DAY, moved("admin", 8, 2, "11:00")),

  // The next two weeks.
  sample("rohan", 30, 2, "09:00", DAY),
  sample("asha", 60, 3, "14:00", 2 * DAY, {
    state: "33",
    notes: "My parents join the call. We would like to compare the cadet programmes.",
  }),
  sample("rohan", 45, 4, "10:00", 0, UNPAID),
  sample("asha", 30, 6, "15:00", 3 * DAY, moved("customer", DAY, 5, "10:00")),
  sample("rohan", 60, 8, "11:00", 2 * DAY, cancelled("admin", 12)),
  sample("asha", 60, 9, "16:00", DAY, UNPAID),
  sample("rohan", 45, 13, "09:00", 5, { state: "29" }),
];
