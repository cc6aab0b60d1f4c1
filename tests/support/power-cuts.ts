/** Lets a file that no test survives be written without waiting for the disk at every commit. */
import type { OpenDb } from "#db/connection.server.ts";

export function forgetPowerCuts(db: OpenDb): void {
  db.driver.pragma("synchronous = OFF");
}
