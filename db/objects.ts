/** Rows end in `db/`: above it their columns are an object's fields, in camelCase. */
import type { Insertable, Selectable, Updateable } from "kysely";

type FieldOf<Column> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldOf<Rest>>}`
  : Column;

export type ObjectOf<Row> = { [Column in keyof Row as FieldOf<Column>]: Row[Column] };

export type Stored<Table> = ObjectOf<Selectable<Table>>;
export type NewOf<Table> = ObjectOf<Insertable<Table>>;
export type ChangeOf<Table> = ObjectOf<Updateable<Table>>;

export function objectOf<Row extends object>(row: Row): ObjectOf<Row> {
  const fields = Object.entries(row).map(([column, value]) => [
    column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(fields);
}

/** The way back: what an object's fields are called in its table. */
export function rowOf<Row extends object>(object: ObjectOf<Row>): Row {
  const columns = Object.entries(object).map(([field, value]) => [
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(columns);
}
