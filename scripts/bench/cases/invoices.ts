/** A hundred invoices asked for at once, and the slowest page that a visitor gets meanwhile. */
import { openDb } from "#db/connection.server.ts";
import { probe, requestBytes } from "#scripts/bench/load.ts";
import { spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";

const AT_ONCE = 100;
const VISITOR_EVERY = 5;

export async function invoicesAtOnce(
  setting: Setting,
  app: AppServer,
  database: string,
): Promise<Row[]> {
  const ids = invoicedAppointments(database, AT_ONCE * (setting.effort.rounds + 1));
  const one: number[] = [];
  const all: number[] = [];
  const slowest: number[] = [];
  await invoice(app, ids[0]!);
  for (let round = 0; round < setting.effort.rounds; round++) {
    one.push(await invoice(app, ids[round + 1]!));
    const asked = ids.slice(AT_ONCE * (round + 1), AT_ONCE * (round + 2));
    const visitors = probe({ port: app.port, request: requestBytes("/") }, VISITOR_EVERY);
    const started = performance.now();
    await Promise.all(asked.map((id) => invoice(app, id)));
    all.push(performance.now() - started);
    slowest.push((await visitors.stop()).max);
  }
  return [
    {
      case: "100 invoices at once, beside one",
      unit: "ms",
      ours: spreadOf(all),
      floor: spreadOf(one),
      ratio: null,
      mustReach: null,
    },
    {
      case: "slowest GET / meanwhile",
      unit: "ms",
      ours: spreadOf(slowest),
      floor: null,
      ratio: null,
      mustReach: { atMost: 100 },
    },
  ];
}

/** Milliseconds until the whole document is there. */
async function invoice(app: AppServer, id: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${app.origin}/api/invoice/${id}`);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`an invoice answered ${response.status}`);
  return performance.now() - started;
}

function invoicedAppointments(database: string, count: number): string[] {
  const db = openDb(database, { readonly: true });
  const rows = db.allRaw<{ id: string }>(
    "SELECT appointment_id AS id FROM document WHERE kind = 'invoice' LIMIT ?",
    [count],
  );
  db.close();
  return rows.map(({ id }) => id);
}
