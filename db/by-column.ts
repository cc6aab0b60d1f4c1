/**
 * What most tables need alike: a new row, and one found, changed or deleted by a column. SQL text by
 * hand: the builder's types can name no column of a table that is a parameter itself. A field given
 * as undefined is left to the column's default, or in a change as it is.
 */
import type { Insertable } from "kysely";
import type { Db } from "./connection.server.ts";
import {
  type ChangeOf,
  type FieldOf,
  type NewOf,
  rowOf,
  type Stored,
  toFields,
} from "./row-fields.ts";
import type { Tables } from "./tables.ts";

type Table = keyof Tables;
type ColumnOf<Name extends Table> = string & keyof Tables[Name];

export function findBy<Name extends Table>(table: Name, column: ColumnOf<Name>) {
  const text = `SELECT * FROM ${table} WHERE ${column} = ?`;
  return (db: Db, value: string): Stored<Tables[Name]> | null => {
    const row = db.firstRaw<object>(text, [value]);
    return row ? (toFields(row) as Stored<Tables[Name]>) : null;
  };
}

export function insertInto<Name extends Table>(table: Name) {
  return (tx: Db, fields: NewOf<Tables[Name]>): void => write(tx, "INSERT", table, rowOf(fields));
}

/** Takes the place of the row with the same key. */
export function replaceIn<Name extends Table>(table: Name) {
  return (tx: Db, fields: NewOf<Tables[Name]>): void => write(tx, "REPLACE", table, rowOf(fields));
}

/** A new row that is given by its columns. */
export function insertRow<Name extends Table>(tx: Db, table: Name, row: Insertable<Tables[Name]>) {
  write(tx, "INSERT", table, row);
}

function write(tx: Db, verb: "INSERT" | "REPLACE", table: Table, row: object): void {
  const given = givenIn(row);
  const columns = given.map(([column]) => column).join();
  const places = given.map(() => "?").join();
  const cells = given.map(([, cell]) => cell);
  tx.runRaw(`${verb} INTO ${table} (${columns}) VALUES (${places})`, cells);
}

function givenIn(row: object): [column: string, cell: unknown][] {
  return Object.entries(row).filter(([, cell]) => cell !== undefined);
}

export function updateBy<Name extends Table, Column extends ColumnOf<Name>>(
  table: Name,
  column: Column,
) {
  return (
    tx: Db,
    value: string | number,
    change: Omit<ChangeOf<Tables[Name]>, FieldOf<Column>>,
  ): void => {
    const given = givenIn(rowOf<object>(change));
    const sets = given.map(([changed]) => `${changed} = ?`).join();
    const cells = given.map(([, cell]) => cell);
    tx.runRaw(`UPDATE ${table} SET ${sets} WHERE ${column} = ?`, [...cells, value]);
  };
}

export function deleteBy<Name extends Table>(table: Name, column: ColumnOf<Name>) {
  const text = `DELETE FROM ${table} WHERE ${column} = ?`;
  return (tx: Db, value: string): void => void tx.runRaw(text, [value]);
}

interface Leasing {
  now: number;
  leaseUntil: number;
  limit: number;
}

/**
 * Takes the rows that are due longest, so that two workers do not take one at once: each gets
 * `leaseUntil` in the column `until`, by default that of its next try.
 */
export function leaseDue<Name extends Table>(
  table: Name,
  key: ColumnOf<Name>,
  how: { due: ColumnOf<Name>; until?: ColumnOf<Name>; which?: string; first?: string },
) {
  const { due, until = due, which = "true", first = due } = how;
  const rows = `SELECT ${key} FROM ${table} WHERE ${due} <= @now AND ${which}
    ORDER BY ${first} LIMIT @limit`;
  const lease = `UPDATE ${table} SET ${until} = @leaseUntil WHERE ${key} IN (${rows}) RETURNING *`;
  return (db: Db, leasing: Leasing): Stored<Tables[Name]>[] => {
    // Read first: looking costs no write lock, and mostly nothing is due.
    if (!db.firstRaw(rows, [leasing])) return [];
    return db.allRaw<object>(lease, [leasing]).map((row) => toFields(row) as Stored<Tables[Name]>);
  };
}

/** For `which`: no other worker has it in hand. */
export const UNLEASED = "(lease_until IS NULL OR lease_until <= @now)";
