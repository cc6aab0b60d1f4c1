/** The process: configuration, database, worker, HTTP server, and a clean shutdown. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as build from "virtual:react-router/server-build";
import { createRequestHandler, type ServerBuild } from "react-router";
import { ensureFirstAdmin, missingAdmin } from "#app/auth/manage-admins.server.ts";
import { sealTotpSecrets } from "#app/auth/second-factor.server.ts";
import { accountOf } from "#app/auth/session.server.ts";
import { sealBusyCalendars } from "#app/availability/busy-calendars.server.ts";
import { ensureCounselorFeeds } from "#app/booking/captains.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { createLog } from "#app/core/deps.server.ts";
import { type Env, parseEnv } from "#app/core/env.server.ts";
import { liveEnv } from "#app/core/live-env.server.ts";
import { createDocumentRenderer } from "#app/documents/render/pool.server.ts";
import { drainable } from "#app/http/drain.ts";
import { createListener } from "#app/http/listener.ts";
import { createMetrics } from "#app/http/metrics.server.ts";
import { pageMethodsOf } from "#app/http/page-methods.ts";
import { wordsOf } from "#app/http/request-log.server.ts";
import { staticFiles } from "#app/http/respond.ts";
import { startWatchdog, type Watchdog, type WatchdogOptions } from "#app/http/watchdog/watchdog.ts";
import { startWorker } from "#app/jobs/worker.server.ts";
import { onUnknownCode } from "#app/model/unknown-code.ts";
import { createSenders } from "#app/notifications/outbox.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { readOfferQuery } from "#app/routes/api/offer-query.server.ts";
import { createZoom } from "#app/session-rooms/zoom.server.ts";
import { createAddressHandlers } from "#app/speed/address-handlers.ts";
import { copyAtOnce, removePartial } from "#db/backup.server.ts";
import { isOfFormerRelease, migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { keepFolderPrivate } from "#db/copy-files.ts";
import { fileFault } from "#db/file-fault.server.ts";

/**
 * In milliseconds and bytes. `body.ts` has stricter limits; `requestTimeout` covers headers, body and the rest of a
 * refused body together. `connectionsCheckingInterval` is how often Node enforces them.
 */
const LIMITS = {
  headersTimeout: 20_000,
  requestTimeout: 160_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  /** Four times Node's own, so that a long address is refused by `path.ts` and in words. */
  maxHeaderSize: 64 * 1024,
};

/** Connections that wait to be accepted while the event loop is busy: Linux's own maximum. */
const BACKLOG = 4_096;

/** After which an idle connection is cut, for example one whose client does not read the response. */
const SILENCE_MS = 120_000;

export interface Running {
  origin: string;
  port: number;
  deps: Deps;
  /** Finishes running requests and jobs, then closes the database. */
  close(): Promise<void>;
}

/** An invalid configuration; each fault is one line that names its variable. */
export class ConfigurationError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.name = "ConfigurationError";
    this.faults = faults;
  }
}

interface StartOptions {
  env?: Record<string, string | undefined>;
  now?: () => number;
  /** False for none: a process that hangs is not ended. */
  watchdog?: WatchdogOptions | false;
}

/** Starts serving. Throws ConfigurationError, or the error of a port in use. */
export async function start(options: StartOptions = {}): Promise<Running> {
  const { env: source = process.env, now = Date.now } = options;
  let watchdog: Watchdog | undefined;
  const beat = () => watchdog?.beat();
  const { deps, worker, warnings } = await createDeps(source, now, beat);
  const { env, log } = deps;
  for (const warning of warnings) log.warn(warning);
  if (options.watchdog !== false) watchdog = startWatchdog(deps, options.watchdog);
  const server = createServer(LIMITS, listenerOf(deps, staticFiles(clientFolder()), watchdog));
  server.setTimeout(SILENCE_MS);
  const drain = drainable(server);
  try {
    await listen(server, env.port, env.host);
  } catch (error) {
    await watchdog?.stop();
    await worker.stop();
    await closeDeps(deps);
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  log.info({ port, host: env.host, publicUrl: env.publicUrl }, "serving");
  return {
    origin: `http://${env.host.includes(":") ? `[${env.host}]` : env.host}:${port}`,
    port,
    deps,
    async close() {
      await watchdog?.stop();
      await Promise.all([drain(), worker.stop()]);
      await closeDeps(deps);
      log.info("stopped");
    },
  };
}

async function createDeps(
  source: Record<string, string | undefined>,
  now: () => number,
  beat = () => {},
): Promise<{ deps: Deps; worker: { stop(): Promise<void> }; warnings: string[] }> {
  const { env, faults, warnings } = parseEnv(source);
  const log = createLog(env.logLevel);
  if (faults.length > 0) {
    const isNew = !existsSync(env.databasePath);
    throw new ConfigurationError([...faults, ...(isNew ? missingAdmin(env, source) : [])]);
  }
  opened("BACKUP_DIR", env.backup.dir, keepFolderPrivate);
  const db = opened("DATABASE_PATH", env.databasePath, openDb);
  try {
    const copy = (await isOfFormerRelease(db)) ? await copyOf(db, env, log, now()) : null;
    try {
      await migrate(db);
    } catch (error) {
      // Nothing was changed, and every further start would leave another one.
      await copy?.looked;
      if (copy) removePartial(copy.path);
      throw error;
    }
    sealTotpSecrets({ db, env, now, log });
    sealBusyCalendars({ db, env, log });
    ensureCounselorFeeds({ db, env, now });
  } catch (error) {
    db.close();
    const fault = fileFault("DATABASE_PATH", env.databasePath, error);
    throw fault === null ? error : new ConfigurationError([fault]);
  }
  onUnknownCode((code) => log.warn({ code }, "stored, but not known here"));
  let wake = () => {};
  const live = liveEnv(env, db);
  const deps: Deps = {
    db,
    env: live,
    now,
    log,
    provider: createRazorpay(env.razorpay),
    documents: createDocumentRenderer({ databasePath: db.path }),
    metrics: createMetrics(db, now),
    senders: createSenders(live),
    rooms: env.zoom && createZoom(env.zoom),
    wake: () => wake(),
  };
  const adminFaults = await ensureFirstAdmin(deps, source);
  if (adminFaults.length > 0) {
    await closeDeps(deps);
    throw new ConfigurationError(adminFaults);
  }
  const worker = startWorker(deps, beat);
  wake = worker.wake;
  return { deps, worker, warnings };
}

/** Throws ConfigurationError if what the variable names cannot be opened. */
function opened<T>(variable: string, path: string, open: (path: string) => T): T {
  try {
    return open(path);
  } catch (error) {
    const { message } = error as Error;
    const fault = fileFault(variable, path, error);
    throw new ConfigurationError([fault ?? `${variable} ${path} cannot be opened: ${message}`]);
  }
}

/** Copies the file before its schema is changed, for going back to the previous release. Throws. */
async function copyOf(db: OpenDb, env: Env, log: Deps["log"], now: number) {
  const { path, bytes, checked } = await copyAtOnce(db, { folder: env.backup.dir, now });
  log.info({ path, bytes }, "copied before the schema is changed");
  // The start does not wait for the check: it takes three seconds for 100,000 appointments.
  const looked = checked.catch((error) =>
    log.error({ err: error, path }, "the copy before the change has a fault"),
  );
  return { path, looked };
}

async function closeDeps(deps: Deps): Promise<void> {
  deps.senders.mail.close();
  deps.metrics.close();
  await deps.documents.close();
  deps.db.close();
}

function listenerOf(
  deps: Deps,
  files: Parameters<typeof createListener>[0]["files"],
  watchdog?: Watchdog,
) {
  const whole = build as unknown as ServerBuild;
  const handle = import.meta.env.DEV
    ? createRequestHandler(whole, "development")
    : createAddressHandlers(whole);
  return createListener({
    deps,
    files,
    handle,
    words: wordsOf(whole.routes),
    pageMethodsOf: pageMethodsOf(whole.routes),
    watchdog,
    readOfferQuery,
    accountOf: (headers) => accountOf(deps, headers),
  });
}

/** `build/client/`, beside the bundle `build/server/index.js`. */
function clientFolder(): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), "../client");
  return existsSync(beside) ? beside : join(process.cwd(), "build/client");
}

/** Rejects with the error of a port in use. */
async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host, BACKLOG);
  await once(server, "listening");
}

/** Kept across reloads of this module by the development server. */
const development = globalThis as { developmentDeps?: Promise<Deps> };

/** Answers every request that Vite's development server does not answer itself. */
export const developmentListener: RequestListener = async (request, response) => {
  development.developmentDeps ??= createDeps(process.env, Date.now).then(({ deps }) => deps);
  listenerOf(await development.developmentDeps, null)(request, response);
};
