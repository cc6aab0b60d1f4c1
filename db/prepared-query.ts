/**
 * A query that is built and compiled once, for what a page or call asks often: building takes
 * longer than running it. `value("date")` stands where `date` is given at each run.
 */
import type { Compilable, CompiledQuery } from "kysely";
import type { Db } from "./connection.server.ts";

export interface PreparedQuery<Values, Row> {
  all(db: Db, values: Values): Row[];
  first(db: Db, values: Values): Row | null;
  run(db: Db, values: Values): number;
}

class Value {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type ValueOf<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

export function prepare<Values extends object>() {
  return <Row>(build: (value: ValueOf<Values>) => Compilable<Row>): PreparedQuery<Values, Row> => {
    const placeholder: ValueOf<Values> = (name) => new Value(name) as never;
    const { sql, parameters }: CompiledQuery<Row> = build(placeholder).compile();
    const filled = (values: Values) =>
      parameters.map((one) => (one instanceof Value ? values[one.name as keyof Values] : one));
    return {
      all: (db, values) => db.allRaw<Row>(sql, filled(values)),
      first: (db, values) => db.firstRaw<Row>(sql, filled(values)) ?? null,
      run: (db, values) => db.runRaw(sql, filled(values)),
    };
  };
}
