/** `npm run restore -- FILE`: puts a backup back; refused while the app runs or for a bad file. */
import { parseEnv } from "#app/core/env.server.ts";
import { RestoreRefused, restoreBackup } from "#db/restore.server.ts";

const [file] = process.argv.slice(2);
if (!file) {
  console.error("Which backup? npm run restore -- FILE");
  process.exit(1);
}
const { env } = parseEnv({ ...process.env, NODE_ENV: "development" });
try {
  const restored = await restoreBackup(file, env.databasePath, Date.now(), env.backup.dir);
  const { replaced, seriesLetter, erasures } = restored;
  console.log(`Restored ${file} to ${env.databasePath}.`);
  if (replaced) console.log(`What stood there is kept as ${replaced}.`);
  console.log("All sessions are ended: sign in again.");
  console.log("Passwords and access are those of the backup: look at the page Team.");
  console.log(`Invoices go on in the new series ${seriesLetter}.`);
  if (erasures.repeated > 0) {
    console.log(`The erasures of customers since then are repeated (${erasures.repeated} listed).`);
  }
  if (erasures.unknown > 0) {
    console.log(
      `${erasures.unknown} listed erasures could not be: their key is in neither file. Erase those customers again.`,
    );
  }
  console.log("At the next start the provider's orders since the backup are read.");
} catch (error) {
  if (!(error instanceof RestoreRefused)) throw error;
  console.error(`${error.message} Nothing was changed.`);
  process.exit(1);
}
