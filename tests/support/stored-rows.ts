/** Rows of every table as a query may meet them; a test names only the columns it is about. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Db, OpenDb } from "#db/connection.server.ts";
import { makeDeps, type TestDeps } from "./deps.ts";

type Row = Record<string, string | number | null>;

const HALF_HOUR = 1_800_000;

/** Numbers that a table demands and that do not stand here, such as times, are 0. */
const USUAL = {
  appointment: (id) => ({
    id,
    calendar_uid: id,
    name: "A",
    email: "a@b.in",
    phone: "+919845012345",
    counselor_key: "asha",
    counselor_name: "A captain",
    on_date: "2026-12-01",
    time_slot: "10:00",
    minutes: 30,
    status: "confirmed",
    base_paise: 99_900,
    gst_paise: 18_000,
    total_paise: 117_900,
    notice_version: "1",
    notice_at: 0,
  }),
  session_time: (appointment_id) => ({ appointment_id, counselor_key: "asha" }),
  message: (id) => ({
    id,
    cause: id,
    kind: "booking_confirmed",
    channel: "email",
    audience: "customer",
    recipient: `${id}@b.in`,
    data: "{}",
    state: "queued",
  }),
  payment: (payment_id) => ({
    payment_id,
    amount_paise: 117_900,
    currency: "INR",
    provider_status: "captured",
    outcome: "time_gone",
  }),
  refund: (id) => ({ id, amount_paise: 1, state: "wanted", way: "provider", reason: "time_gone" }),
  failed_refund: (provider_refund_id) => ({ provider_refund_id }),
  payment_order: (receipt) => ({
    receipt,
    order_id: `order_${receipt}`,
    amount_paise: 1,
    currency: "INR",
    appointment_id: receipt,
    state: "open",
    watch_until: 0,
  }),
  provider_event: (event_id) => ({ event_id, kind: "payment.captured", body: "{}", state: "new" }),
  dispute: (dispute_id) => ({ dispute_id, phase: "chargeback", status: "lost", amount_paise: 1 }),
  session_room: (room_key) => ({ room_key, appointment_id: room_key }),
  help_call: (appointment_id) => ({ appointment_id, side: "customer" }),
  plan: (appointment_id) => ({ appointment_id, text: "Do" }),
  rating: (id) => ({ id, counselor_key: "asha", token_hash: id }),
  guardian: (appointment_id) => ({ appointment_id, token: appointment_id }),
  activity: (target) => ({ target, actor: "admin", action: "cancel" }),
  idempotency: (key) => ({ key, body_hash: "", appointment_id: "" }),
  own_booking: (token_hash) => ({ token_hash, appointment_id: "" }),
  admin: (id) => ({ id, username: id, email: `${id}@b.in`, password_hash: "" }),
  admin_session: (token_hash) => ({ token_hash, admin_id: "one" }),
  one_time_code: (email_key) => ({ email_key, device: "" }),
} satisfies Record<string, (name: string) => Row>;

type Table = keyof typeof USUAL;

const demanded = new Map<Table, Row>();

function zerosOf(db: Db, table: Table): Row {
  const columns = `SELECT name FROM pragma_table_info('${table}')
    WHERE "notnull" AND dflt_value IS NULL AND type = 'INTEGER' AND name <> 'ends_at'`;
  const names = db.allRaw<{ name: string }>(columns).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** Puts a row into a table and answers what names it. */
export function addRow(db: Db, table: Table, name: string, changes: Row = {}): string {
  if (!demanded.has(table)) demanded.set(table, zerosOf(db, table));
  const row: Row = { ...demanded.get(table), ...USUAL[table](name), ...changes };
  if ("starts_at" in row && table !== "help_call" && table !== "plan")
    row.ends_at ??= Number(row.starts_at) + HALF_HOUR;
  const columns = Object.keys(row).map((column) => `"${column}"`);
  const places = columns.map(() => "?");
  const text = `INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`;
  db.runRaw(text, Object.values(row));
  return name;
}

/** Gives each test an empty file; `add` puts a row into it and answers what names the row. */
export function storedRows(env: Record<string, string> = {}) {
  let world: TestDeps;
  beforeAll(async () => {
    world = await makeDeps(env);
  });
  afterAll(() => world.close());
  beforeEach(() => void world.deps.db.driver.exec("BEGIN"));
  afterEach(() => void world.deps.db.driver.exec("ROLLBACK"));
  const db = (): OpenDb => world.deps.db;
  const add = (table: Table, name: string, changes?: Row): string =>
    addRow(db(), table, name, changes);
  /** The names of a table's rows, in order, with what stands in a column of theirs. */
  const column = (table: Table, name: string): Record<string, unknown> => {
    const rows = db().allRaw<{ k: string; v: unknown }>(
      `SELECT "${keyOf(table)}" AS k, "${name}" AS v FROM ${table} ORDER BY 1`,
    );
    return Object.fromEntries(rows.map(({ k, v }) => [k, v]));
  };
  const left = (table: Table): string[] => Object.keys(column(table, keyOf(table)));
  return { deps: () => world.deps, db, add, column, left };
}

/** The column that names a row. */
function keyOf(table: Table): string {
  return Object.entries(USUAL[table]("?")).find(([, value]) => value === "?")![0];
}
