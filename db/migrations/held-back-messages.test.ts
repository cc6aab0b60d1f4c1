/** A file from before: every message is there afterwards, in its order, and found as fast. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Compilable, Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { countHeldBack, countRecentMails } from "#db/queries/held-back.server.ts";
import { migrations } from "./index.ts";

const NAME = "20261121T2310_held_back_messages";
const STATES = ["queued", "retrying", "sent", "delivered", "read", "failed"];

const folder = mkdtempSync(join(tmpdir(), "migration-"));
let db: OpenDb;
let before: unknown[];
let schemaBefore: string[];

const rows = () => db.allRaw("SELECT rowid, * FROM message ORDER BY rowid");
const schema = () =>
  db
    .allRaw<{ type: string; name: string }>(
      `SELECT type, name FROM sqlite_master WHERE tbl_name = 'message' OR sql LIKE '%message%'`,
    )
    .map(({ type, name }) => `${type} ${name}`)
    .sort();

beforeAll(async () => {
  db = openDb(join(folder, "before.db"));
  const older = Object.entries(migrations).filter(([name]) => name < NAME);
  const migrator = new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: db.driver }) }),
    provider: { getMigrations: async () => Object.fromEntries(older) },
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  for (let n = 40; n > 0; n--) {
    const state = STATES[n % STATES.length];
    db.runRaw(
      `INSERT INTO message (rowid, id, cause, kind, channel, audience, recipient, appointment_id, data,
         state, attempts, next_try_at, lease_until, not_after, last_error, transport_id, created_at, sent_at)
       VALUES (?, ?, ?, 'booking_unpaid', ?, 'customer', 'A@b.in', ?, '{"resend":1}', ?, 2, ?, 3, 4, 'why', ?, ?, ?)`,
      [
        ...[n * 3, `m${n}`, `cause${n}`, n % 2 ? "email" : "whatsapp", n % 3 ? `a${n}` : null],
        ...[state, n % 4 ? null : n, `t${n}`, n, n % 5 ? n : null],
      ],
    );
  }
  before = rows();
  schemaBefore = schema();
  expect(await migrate(db)).toContain(NAME);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

it("keeps every row with its number, every index and trigger", () => {
  expect(before).toHaveLength(40);
  expect(rows()).toEqual(before);
  expect(schema()).toEqual(
    [
      ...schemaBefore,
      ...["index message_by_mailbox", "index message_held_back", "trigger message_outlived"],
    ].sort(),
  );
  expect(db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(db.allRaw("PRAGMA foreign_key_check")).toEqual([]);
});

it("takes the new state with a reason and without a next try, and no other word", () => {
  const to = (state: string, why: string | null, next: number | null = null) =>
    db.runRaw("UPDATE message SET state = ?, last_error = ?, next_try_at = ? WHERE id = 'm1'", [
      ...[state, why, next],
    ]);
  expect(to("held_back", "why")).toBe(1);
  for (const change of [
    () => to("held_back", null),
    () => to("held_back", "why", 1),
    () => to("__proto__", "why"),
    () => db.runRaw("UPDATE message SET cause = 'cause3' WHERE id = 'm1'"),
  ]) {
    expect(change).toThrow(/constraint/);
  }
});

it("finds by index what an address got and what was held back", () => {
  expect(countRecentMails(db, "booking_unpaid", "a@B.IN", 0)).toBe(39);
  expect(countRecentMails(db, "booking_links", "a@b.in", 0)).toBe(0);
  expect(countHeldBack(db, 0)).toEqual(new Map([["booking_unpaid", 1]]));
  const seen: string[] = [];
  const note = <T>(sql: string, answer: T): T => {
    seen.push(sql);
    return answer;
  };
  const spy = {
    first: (query: Compilable) => note(query.compile().sql, { count: 0 }),
    all: (query: Compilable) => note(query.compile().sql, []),
  } as unknown as OpenDb;
  countRecentMails(spy, "booking_unpaid", "a@b.in", 0);
  countHeldBack(spy, 0);
  const plans = seen.map((sql) =>
    db
      .allRaw<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${sql}`,
        Array(sql.split("?").length - 1).fill(0),
      )
      .map(({ detail }) => detail)
      .join(),
  );
  expect(plans[0]).toMatch(
    /SEARCH message USING INDEX message_by_mailbox \(kind=\? AND <expr>=\?\)/,
  );
  expect(plans[1]).toMatch(
    /SEARCH message USING COVERING INDEX message_held_back \(created_at>\?\)/,
  );
});
