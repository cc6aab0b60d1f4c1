/** The end of what an app writes by itself. */
import type { TestApp } from "#tests/helpers/app.ts";
import { eventually } from "./eventually.ts";

/** Waits until none of its messages waits to be sent. */
export const allSent = ({ db }: Pick<TestApp, "db">): Promise<void> =>
  eventually(() => {
    const waiting = db.firstRaw("SELECT kind, state FROM message WHERE next_try_at IS NOT NULL");
    if (waiting) throw new Error(`waits to be sent: ${JSON.stringify(waiting)}`);
  });
