/** Another account of the team than the app's admin. */
import type { TestApp } from "#tests/helpers/app.ts";
import { type AdminApi, addAccount, callsAs, PASSWORD } from "./admin.ts";

/** Makes an account of staff, and answers calls with a session of theirs. */
export async function staffOf(app: TestApp, username = "desk"): Promise<AdminApi> {
  const email = `${username}@captains.example`;
  await addAccount(app.db, { id: username, username, email, role: "staff" });
  return callsAs(app, { username, password: PASSWORD });
}
