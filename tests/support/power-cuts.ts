/** For a file that only its own test needs: its commits do not wait for the disk. */
import type { OpenDb } from "#db/connection.server.ts";

export function forgetPowerCuts(db: OpenDb): void {
  db.driver.pragma("synchronous = OFF");
}
