/** Rows of every table as a query may meet them; a test names only the columns it is about. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Db, OpenDb } from "#db/connection.server.ts";
import { makeDeps, type TestDeps } from "./deps.ts";

type Row = Record<string, string | number | null>;

const HALF_HOUR = 1_800_000;

const USUAL = {
  appointment: (id: string): Row => ({
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
    starts_at: 0,
    status: "confirmed",
    base_paise: 99_900,
    gst_paise: 18_000,
    total_paise: 117_900,
    notice_version: "1",
    notice_at: 0,
    created_at: 0,
    updated_at: 0,
  }),
  session_time: (appointment_id: string): Row => ({
    appointment_id,
    counselor_key: "asha",
    starts_at: 0,
    held_until: null,
  }),
  message: (id: string): Row => ({
    id,
    cause: id,
    kind: "booking_confirmed",
    channel: "email",
    audience: "customer",
    recipient: `${id}@b.in`,
    data: "{}",
    state: "queued",
    created_at: 0,
  }),
  payment: (payment_id: string): Row => ({
    payment_id,
    amount_paise: 117_900,
    currency: "INR",
    provider_status: "captured",
    outcome: "time_gone",
    created_at: 0,
    updated_at: 0,
  }),
  refund: (id: string): Row => ({
    id,
    amount_paise: 1,
    state: "wanted",
    way: "provider",
    reason: "time_gone",
    created_at: 0,
    updated_at: 0,
  }),
  failed_refund: (provider_refund_id: string): Row => ({ provider_refund_id }),
  payment_order: (receipt: string): Row => ({
    receipt,
    order_id: `order_${receipt}`,
    amount_paise: 1,
    currency: "INR",
    appointment_id: receipt,
    state: "open",
    created_at: 0,
    watch_until: 0,
  }),
  provider_event: (event_id: string): Row => ({
    event_id,
    kind: "payment.captured",
    body: "{}",
    state: "new",
    received_at: 0,
  }),
  dispute: (dispute_id: string): Row => ({
    dispute_id,
    phase: "chargeback",
    status: "lost",
    amount_paise: 1,
    deducted_paise: 0,
    created_at: 0,
    updated_at: 0,
  }),
  session_room: (room_key: string): Row => ({
    room_key,
    appointment_id: room_key,
    created_at: 0,
  }),
  help_call: (appointment_id: string): Row => ({
    appointment_id,
    starts_at: 0,
    side: "customer",
    called_at: 0,
  }),
  plan: (appointment_id: string): Row => ({ appointment_id, text: "Do", updated_at: 0 }),
  rating: (id: string): Row => ({ id, counselor_key: "asha", token_hash: id, asked_at: 0 }),
  guardian: (appointment_id: string): Row => ({ appointment_id, token: appointment_id }),
  activity: (target: string): Row => ({ target, at: 0, actor: "admin", action: "cancel" }),
  idempotency: (key: string): Row => ({
    key,
    body_hash: "",
    appointment_id: "",
    created_at: 0,
  }),
  own_booking: (token_hash: string): Row => ({ token_hash, appointment_id: "", given_at: 0 }),
  admin: (id: string): Row => ({
    id,
    username: id,
    email: `${id}@b.in`,
    password_hash: "",
    created_at: 0,
    updated_at: 0,
  }),
  admin_session: (token_hash: string): Row => ({
    token_hash,
    admin_id: "one",
    created_at: 0,
    last_seen_at: 0,
    expires_at: 0,
  }),
  one_time_code: (email_key: string): Row => ({
    email_key,
    device: "",
    requested_at: 0,
    expires_at: 0,
  }),
};

type Table = keyof typeof USUAL;

/** Puts a row into a table and answers what names it. */
export function addRow(db: Db, table: Table, name: string, changes: Row = {}): string {
  const row: Row = { ...USUAL[table](name), ...changes };
  if ("starts_at" in row && table !== "help_call")
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
