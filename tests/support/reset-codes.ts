/** Reads the codes of the reset flow in the mail. */
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { eventually } from "./eventually.ts";

/** The code that was mailed after `ask`; a mail may come twice, and late. */
export async function codeMailedBy(app: TestApp, ask: () => Promise<unknown>): Promise<string> {
  const waiting =
    "SELECT 1 FROM message WHERE kind = 'reset_code' AND state IN ('queued', 'retrying')";
  const codes = () =>
    app.sandbox.mailbox
      .list({ to: ADMIN.email })
      .flatMap(({ text }) => /\b\d{6}\b/.exec(text ?? "") ?? []);
  await eventually(() => {
    if (app.db.firstRaw(waiting)) throw new Error("an earlier code waits to be sent");
  });
  const earlier = new Set(codes());
  await ask();
  return eventually(() => {
    const fresh = codes().find((code) => !earlier.has(code));
    if (fresh === undefined) throw new Error("no mail with a new code");
    return fresh;
  });
}
