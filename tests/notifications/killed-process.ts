/** Sends what is due and dies by SIGKILL after the mail server took it, before the row is marked. */
import { pino } from "pino";
import type { Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { createSenders } from "#app/notifications/senders.server.ts";
import { openDb } from "#db/connection.server.ts";

const { env } = parseEnv(process.env);
const senders = createSenders(env);
const deps = {
  db: openDb(env.databasePath),
  env,
  now: Date.now,
  log: pino({ level: "silent" }),
  wake: () => {},
  senders: {
    ...senders,
    mail: {
      ...senders.mail,
      async send(mail, signal) {
        const result = await senders.mail.send(mail, signal);
        process.kill(process.pid, "SIGKILL");
        return result;
      },
    },
  },
} as Partial<Deps> as Deps;
await runOutbox(deps);
