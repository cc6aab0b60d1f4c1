/**
 * A query that is built and compiled once, for what a page or call asks often: building takes
 * longer than running it. `value("date")` stands where `date` is given at each run.
 */
import type { Compilable, CompiledQuery } from "kysely";
import type { Db } from "./connection.server.ts";

class Value {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type ValueOf<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

export function prepare<Values extends object>() {
  return <Row>(build: (value: ValueOf<Values>) => Compilable<Row>) => {
    const placeholder: ValueOf<Values> = (name) => new Value(name) as never;
    const { sql, parameters }: CompiledQuery<Row> = build(placeholder).compile();
    const filled = (values: Values) =>
      parameters.map((one) => (one instanceof Value ? values[one.name as keyof Values] : one));
    return {
      all: (db: Db, values: Values) => db.allRaw<Row>(sql, filled(values)),
      first: (db: Db, values: Values) => db.firstRaw<Row>(sql, filled(values)) ?? null,
      run: (db: Db, values: Values) => db.runRaw(sql, filled(values)),
    };
  };
}
