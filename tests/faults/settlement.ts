/**
 * Lets the dust settle: switches off, what the provider still has to send is sent,
 * holds end, and the workers run until nothing is due. The database's due times are brought
 * forward instead of waited for; leases are cut only while no server runs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import type { AdminDesk } from "./caller.ts";
import { HOLD_MS, type World } from "./world.ts";

/** Everything the provider has planned falls due in it: its own retries end after 24 hours. */
const PROVIDER_LONGEST_S = 40 * 3600;
const LIMIT_MS = 120_000;
const LOOK_MS = 40;

/** Resolves with what was still moving at the end of its patience; nothing, if all came to rest. */
export async function settle(world: World, desk: AdminDesk): Promise<string[]> {
  const { sandbox, note } = world;
  note("settlement", "begins");
  await sandbox.mailbox.settled();
  await sandbox.idle();
  await restart(world);
  // Twice: what falls due may plan something of its own.
  for (let i = 0; i < 2; i++) {
    sandbox.clock.advance(PROVIDER_LONGEST_S);
    await sleep(60);
    await sandbox.idle();
  }
  note("settlement", "the provider has nothing more to come");
  await sleep(HOLD_MS);
  const db = openDb(world.databasePath);
  try {
    const deadline = Date.now() + LIMIT_MS;
    const readSince = Date.now();
    db.runRaw("UPDATE payment_order SET next_check_at = ? WHERE next_check_at IS NOT NULL", [
      readSince,
    ]);
    while (true) {
      const moving = whatMoves(db, readSince);
      if (moving.length === 0 && (await sandbox.idle(2_000))) {
        // Notices that a clock causes come at the worker's slowest pace.
        await sleep(400);
        if (whatMoves(db, readSince).length === 0) return [];
      }
      if (Date.now() > deadline) return moving;
      bringForward(db);
      await askPerson(db, desk);
      for (const refund of sandbox.ledger.refunds.values()) {
        if (refund.status === "pending") sandbox.desk.process(refund);
      }
      await sleep(LOOK_MS);
    }
  } finally {
    note("settlement", "ends");
    db.close();
  }
}

/** Ended cleanly and started again; between the two no lease has an owner. */
async function restart(world: World): Promise<void> {
  await world.end();
  const db = openDb(world.databasePath);
  for (const table of ["message", "refund"]) db.runRaw(`UPDATE ${table} SET lease_until = NULL`);
  db.close();
  await world.start();
}

const MOVING = {
  message: `kind || ' ' || channel || ' ' || state || ' ' || coalesce(last_error, '')
    FROM message WHERE next_try_at IS NOT NULL`,
  event: "kind || ' ' || coalesce(last_error, '') FROM provider_event WHERE state = 'new'",
  refund: `payment_id || ' ' || state || ' ' || coalesce(last_error, '')
    FROM refund WHERE counts AND state <> 'processed'`,
  order: `coalesce(order_id, receipt) || ' ' || state || ' ' || coalesce(last_error, '')
    FROM payment_order WHERE next_check_at <= @readSince`,
};

function whatMoves(db: OpenDb, readSince: number): string[] {
  const parts = Object.entries(MOVING).map(([name, sql]) => `SELECT '${name}: ' || ${sql}`);
  const lines = db.allRaw<Record<string, string>>(parts.join(" UNION ALL "), [{ readSince }]);
  return lines.flatMap((line) => Object.values(line));
}

/** As if the time until the next try had passed. */
function bringForward(db: OpenDb): void {
  const now = Date.now();
  for (const table of ["message", "refund", "provider_event"]) {
    db.runRaw(`UPDATE ${table} SET next_try_at = ? WHERE next_try_at > ?`, [now, now]);
  }
  db.runRaw(
    "UPDATE payment_order SET next_check_at = ? WHERE next_check_at > ? AND last_error IS NOT NULL",
    [now, now],
  );
}

/** Refunds that wait for a person are sent again. */
async function askPerson(db: OpenDb, desk: AdminDesk): Promise<void> {
  const waiting = db.allRaw<{ id: string }>(
    `SELECT id FROM refund
     WHERE state IN ('failed', 'needs_person') AND next_try_at IS NULL AND way <> 'dashboard'`,
  );
  for (const { id } of waiting) await desk.retryRefund(id);
}
