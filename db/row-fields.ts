/** Rows end in `db/`: above it their columns are fields in camelCase. */
import type { Insertable, Selectable, Updateable } from "kysely";

export type FieldOf<Column> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldOf<Rest>>}`
  : Column;

export type FieldsOf<Row> = { [Column in keyof Row as FieldOf<Column>]: Row[Column] };

export type Stored<Table> = FieldsOf<Selectable<Table>>;
export type NewOf<Table> = FieldsOf<Insertable<Table>>;
export type ChangeOf<Table> = FieldsOf<Updateable<Table>>;

/** Kept, because a month of documents asks for each some thousand times. */
const fields = new Map<string, string>();

export function toFields<Row extends object>(row: Row): FieldsOf<Row> {
  const object: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const field = fields.get(column) ?? column.replace(/_(.)/g, (_, next) => next.toUpperCase());
    fields.set(column, field);
    object[field] = value;
  }
  return object as FieldsOf<Row>;
}

/** The way back: what an object's fields are called in its table. */
export function rowOf<Row extends object>(object: FieldsOf<Row>): Row {
  const columns = Object.entries(object).map(([field, value]) => [
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(columns);
}
