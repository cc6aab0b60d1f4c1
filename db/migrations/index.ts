/** Every migration in order, imported statically so that the bundled server carries them. */
import type { Migration } from "kysely/migration";
import * as firstSchema from "./20261120T1000_first_schema.ts";
import * as adminArea from "./20261120T1500_admin_area.ts";
import * as listTally from "./20261120T1800_list_tally.ts";

export const migrations: Record<string, Migration> = {
  "20261120T1000_first_schema": firstSchema,
  "20261120T1500_admin_area": adminArea,
  "20261120T1800_list_tally": listTally,
};
