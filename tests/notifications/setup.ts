/** A fresh file, an appointment in it, and the sandbox's mail and WhatsApp sinks behind real senders. */
import type { Updateable } from "kysely";
import { beforeEach } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { createSenders } from "#app/notifications/outbox.server.ts";
import { applyWhatsAppWebhook } from "#app/notifications/whatsapp-webhook.server.ts";
import { sqlite } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Tables } from "#db/tables.ts";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { testEnvironment } from "#tests/helpers/environment.ts";
import { makeDeps } from "#tests/support/deps.ts";
import { shared } from "#tests/support/hooks.ts";
import { sampleAppointment } from "#tests/support/sample-messages.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { addRow } from "#tests/support/stored-rows.ts";

type World = Awaited<ReturnType<typeof makeWorld>>;

interface MessageRow {
  id: string;
  kind: string;
  channel: string;
  recipient: string;
  state: string;
  attempts: number;
  last_error: string | null;
}

export async function makeWorld() {
  const sandbox = await startSandbox({ whatsappAuto: "none" });
  const { env, faults } = parseEnv(testEnvironment(0, "", sandbox));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const made = await makeDeps();
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const documents = {
    ...made.deps.documents,
    renderDocument: async ({ number }: { number: string }) => Buffer.from(`%PDF-1.7 ${number}`),
  };
  const deps: Deps = { ...made.deps, env, now, documents, senders: createSenders(env) };
  const { db } = deps;
  let count = 0;
  return {
    deps,
    /** Milliseconds since 1970 of this world's clock. */
    now,
    /** Sets the clock forward, so that nothing has to be waited for. */
    pass(ms: number): void {
      ahead += ms;
    },
    sandbox,
    /** Paid, with its payment, unless the changes say otherwise. */
    addAppointment(changes: Partial<Appointment> = {}): Appointment {
      count += 1;
      const startsAt = Date.now() + 3 * 24 * 3_600_000;
      const id = `appointment${String(count).padStart(15, "z")}`;
      const appointment = sampleAppointment({
        id,
        calendarUid: `uid-${id}`,
        startsAt,
        endsAt: startsAt + 30 * 60_000,
        createdAt: Date.now(),
        ...changes,
      });
      insert(deps, appointment);
      return findAppointment(db, id) ?? appointment;
    },
    messages: () =>
      db.allRaw<MessageRow>("SELECT * FROM message ORDER BY created_at, kind, channel"),
    async close() {
      deps.senders.mail.close();
      made.close();
      await sandbox.close();
    },
  };
}

/** One for all tests of the file; before each, these tables are emptied. */
export function sharedWorld(...emptied: string[]): World {
  const world = shared(makeWorld, (made) => made.close());
  beforeEach(() => {
    for (const table of emptied) world.deps.db.runRaw(`DELETE FROM ${table}`);
  });
  return world;
}

function insert({ db }: Deps, a: Appointment): void {
  const at = { created_at: a.createdAt, updated_at: a.createdAt };
  if (isPaid(a)) {
    const payment = { appointment_id: a.id, outcome: "applied", captured_at: a.createdAt };
    addRow(db, "payment", `pay_${a.id}`, { ...payment, ...at });
  }
  addRow(db, "appointment", a.id, {
    ...at,
    ...a.contact,
    counselor_key: a.counselorKey,
    counselor_name: a.counselor,
    on_date: a.date,
    time_slot: a.timeSlot,
    starts_at: a.startsAt,
    ends_at: a.endsAt,
    status: a.status,
    state_code: a.stateCode,
    pay_before: a.window?.payBefore ?? null,
    hold_until: a.window?.holdUntil ?? null,
    calendar_uid: a.calendarUid,
  });
}

/** Meta's call with such a change, signed with the app's secret unless another is given. */
export function tellWhatsApp({ deps }: World, value: unknown, secret?: string) {
  const body = Buffer.from(
    JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "1", changes: [{ field: "messages", value }] }],
    }).replaceAll("/", "\\/"),
  );
  const key = secret ?? deps.env.whatsapp?.appSecret ?? "";
  const signature = `sha256=${signedBy(key, body)}`;
  return applyWhatsAppWebhook(deps, body, signature);
}

/** A change as the booking's own operations would write it. */
export function change(
  { deps }: World,
  id: string,
  changes: Updateable<Tables["appointment"]>,
): Appointment {
  deps.db.run(sqlite.updateTable("appointment").set(changes).where("id", "=", id));
  return findAppointment(deps.db, id)!;
}

/** Calls `run` until `done`; between two calls the world's clock goes half a second forward. */
export async function until(
  world: World,
  done: () => boolean,
  run: () => Promise<unknown>,
): Promise<void> {
  for (let turn = 0; !done(); turn++) {
    if (turn === 100) throw new Error("not done in time");
    await run();
    world.pass(500);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
