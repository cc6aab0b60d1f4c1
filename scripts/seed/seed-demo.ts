/**
 * Makes the sample database of `npm start` at DATABASE_PATH, which must not exist. It is made under
 * another name and renamed when whole, so a run that is cut short is made again, never continued.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { parseEnv } from "#app/core/env.server.ts";
import { isLoopbackHost } from "#app/core/env-fields.ts";
import { migrate, openDb } from "#db/connection.server.ts";
import { seedDemo } from "./demo.server.ts";

const path = process.env.DATABASE_PATH ?? "";
if (path === "" || existsSync(path)) {
  console.error("DATABASE_PATH must name a file that does not exist.");
  process.exit(1);
}
const partial = `${path}.partial`;
for (const suffix of ["", "-wal", "-shm"]) rmSync(`${partial}${suffix}`, { force: true });

const { env, faults } = parseEnv({ ...process.env, DATABASE_PATH: partial });
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
const db = openDb(partial);
await migrate(db);
await seedDemo({ db, env, pay: await findSandboxPayer(env.razorpay.apiUrl) });
// The last connection to close leaves one file without a log beside it.
db.close();
renameSync(partial, path);

/** Pays orders as a customer would, if the provider is the sandbox; else undefined. */
async function findSandboxPayer(apiUrl: string) {
  const sandbox = `${apiUrl}/__sandbox`;
  if (!isLoopbackHost(new URL(apiUrl).hostname)) return undefined;
  const health = await fetch(`${sandbox}/health`).catch(() => null);
  if (!health?.ok) return undefined;
  return async (orderId: string) => {
    const response = await fetch(`${sandbox}/orders/${orderId}/pay`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      // The app that would hear of it is not up yet.
      body: JSON.stringify({ outcome: "captured", webhooks: false }),
    });
    if (!response.ok) throw new Error(`The sandbox did not pay: ${await response.text()}`);
    return ((await response.json()) as { razorpay_payment_id: string }).razorpay_payment_id;
  };
}
