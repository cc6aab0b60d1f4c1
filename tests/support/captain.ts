/** The account of a captain: their own sessions and days, and nothing else. */
import { COUNSELORS } from "#app/catalogue.ts";
import { newId } from "#app/model/ids.ts";
import { findAdminByUsername } from "#db/queries/admins.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { type AdminApi, addAccount, callsAs } from "./admin.ts";
import { ASHA } from "./bookings.ts";

/** Made once for each captain of the app; answers what they sign in with. */
export async function captainAccount(app: TestApp, counselor = ASHA) {
  const { key } = COUNSELORS.find(({ name }) => name === counselor)!;
  const account = { ...ADMIN, username: `captain-${key}`, email: `${key}@roster.example` };
  if (!findAdminByUsername(app.db, account.username)) {
    const { username, email } = account;
    await addAccount(app.db, { id: newId(), username, email, role: "captain", counselorKey: key });
  }
  return account;
}

/** Calls with a session of theirs. */
export async function captainOf(app: TestApp, counselor = ASHA): Promise<AdminApi> {
  return callsAs(app, await captainAccount(app, counselor));
}
