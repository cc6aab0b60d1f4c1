/** What `npm start` and `npm run dev` share: port, secrets, sandbox, environment, sample data. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { type ChildGroup, makeChildGroup } from "./child-processes.ts";
import {
  type Environment,
  fillEnvironment,
  isSet,
  type SandboxAddresses,
  sandboxedServices,
  sandboxOptions,
} from "./local-environment.ts";
import { freePort, isFree, nextFreePort } from "./ports.ts";
import { runNodeTool, tail } from "./tool-run.mjs";

const DEFAULT_PORT = 3000;
const DEMO_DATABASE = "data/demo.db";
const SANDBOX_STATE = "data/sandbox.json";
const ADMIN_PASSWORD_FILE = "data/admin-password";
const SESSION_SECRET_FILE = "data/session-secret";

/** A reason to stop that is shown to the person as it is, without a stack. */
class PlainFailure extends Error {}

type LocalRun = Awaited<ReturnType<typeof prepareLocalRun>>;

/** Runs what `start` adds to the group until Ctrl-C or until one of it ends, then ends the process. */
export async function runLocally(
  mode: "production" | "development",
  start: (run: LocalRun, group: ChildGroup) => void | Promise<void>,
): Promise<never> {
  const group = makeChildGroup();
  const started = prepareLocalRun(group, mode).then((run) => {
    if (!group.ending) return start(run, group);
  });
  started.catch((error) => {
    if (group.ending) return;
    console.error(error instanceof PlainFailure ? error.message : error);
    group.fail();
  });
  process.exit(await group.run());
}

/** Starts the sandbox if anything needs it and fills the environment. Throws PlainFailure. */
async function prepareLocalRun(group: ChildGroup, mode: string) {
  const source: Environment = { ...process.env, NODE_ENV: mode };
  const port = await choosePort(source);
  const services = sandboxedServices(source);
  const needsSandbox = Object.values(services).some(Boolean);
  const sandbox: SandboxAddresses | null = needsSandbox
    ? await startLocalSandbox(group, source, port)
    : null;
  const env = fillEnvironment(source, {
    port,
    // 16 characters; a production start refuses fewer than 12.
    adminPassword: localSecret(ADMIN_PASSWORD_FILE, 12),
    sessionSecret: localSecret(SESSION_SECRET_FILE, 48),
    databasePath: DEMO_DATABASE,
    sandbox,
  });
  // PORT=0 asks for any free port; the webhooks and links need its number before the app has it.
  env.PORT = String(port);
  if (!isSet(source, "DATABASE_PATH") && !existsSync(DEMO_DATABASE)) await seedDemo(env);
  return { env, port, sandbox, services };
}

async function startLocalSandbox(group: ChildGroup, source: Environment, port: number) {
  const options = sandboxOptions(source, port);
  options.stateFile ??= SANDBOX_STATE;
  // The system might choose the app's port, on which nobody listens yet.
  options.port ||= await freePort();
  options.smtpPort ||= await freePort();
  const sandbox = await startSandbox(options).catch((error: Error) => {
    throw new PlainFailure(`The sandbox did not start: ${error.message}`);
  });
  group.onEnd(sandbox.close);
  return sandbox;
}

async function choosePort(source: Environment): Promise<number> {
  const host = source.HOST?.trim() || "127.0.0.1";
  const wanted = isSet(source, "PORT") ? Number(source.PORT) : DEFAULT_PORT;
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
    throw new PlainFailure(`PORT must be a number from 0 to 65535, not ${source.PORT}.`);
  }
  const isTaken = wanted > 0 && !(await isFree(wanted, host).catch((error) => refuse(host, error)));
  if (isTaken && isSet(source, "PORT")) {
    throw new PlainFailure(`Port ${wanted} is in use: stop what uses it, or set PORT to another.`);
  }
  if (wanted > 0 && !isTaken) return wanted;
  const found = isTaken ? nextFreePort(wanted, host) : freePort(host);
  const port = await found.catch((error) => refuse(host, error));
  if (isTaken) console.log(`Port ${wanted} is in use; taking ${port}. (PORT chooses another.)`);
  return port;
}

function refuse(host: string, { code }: NodeJS.ErrnoException): never {
  throw new PlainFailure(`HOST ${host} or its PORT cannot be listened on (${code}).`);
}

async function seedDemo(env: Environment): Promise<void> {
  console.log(`Making ${DEMO_DATABASE} with sample appointments …`);
  const { status, output } = await runNodeTool(["scripts/seed/seed-demo.ts"], { env });
  if (status === 0) return;
  throw new PlainFailure(`${tail(output)}\nThe sample appointments could not be made.`);
}

/** A secret of this machine, readable by its owner alone; the first call makes it, of random bytes. */
function localSecret(path: string, bytes: number): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // Refuses an existing file, so that two first calls at once agree on one secret.
    const flags = { mode: 0o600, flag: "wx" };
    writeFileSync(path, `${randomBytes(bytes).toString("base64url")}\n`, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}

/** The lines a person needs once everything runs. */
export function describeLocalRun({ env, sandbox, services }: LocalRun): string {
  const site = env.PUBLIC_URL ?? "";
  const password = isSet(process.env, "ADMIN_PASSWORD")
    ? "as in ADMIN_PASSWORD"
    : `${env.ADMIN_PASSWORD} (kept in ${ADMIN_PASSWORD_FILE}; the one you set, if you changed it)`;
  const rows = [
    ["Site", `${site}/`],
    ["Admin", `${site}/admin`],
    ["", `user ${env.ADMIN_USERNAME}, password ${password}`],
  ];
  if (sandbox) {
    const names = { razorpay: "payments", mail: "mail", whatsapp: "WhatsApp", zoom: "Zoom" };
    const isReplaced = (service: string) => services[service as keyof typeof services];
    const replaced = Object.entries(names).flatMap(([key, name]) => (isReplaced(key) ? name : []));
    const money = services.razorpay ? "; no money moves" : "";
    rows.push(["Sandbox", `${sandbox.console} (stands for ${replaced.join(", ")}${money})`]);
  }
  rows.push(["Mail", services.mail ? `${sandbox?.console} shows every mail sent` : "by SMTP_URL"]);
  rows.push(["Database", `${env.DATABASE_PATH}`]);
  return rows.map(([name = "", text]) => `  ${name.padEnd(10)}${text}`).join("\n");
}
