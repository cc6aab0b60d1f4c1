/** What `npm start` and `npm run dev` share: port, secrets, sandbox, environment, sample data. */
import { existsSync } from "node:fs";
import { ChildGroup } from "./child-processes.ts";
import { keptSecret } from "./kept-secret.ts";
import {
  fillEnvironment,
  isSet,
  type SandboxedServices,
  sandboxEnvironment,
  sandboxedServices,
} from "./local-environment.ts";
import { freePort, isFree, nextFreePort } from "./ports.ts";
import { type SandboxProcess, startSandboxProcess } from "./sandbox-process.ts";
import { runNodeTool, tail } from "./tool-run.ts";

const DEFAULT_PORT = 3000;
const DEMO_DATABASE = "data/demo.db";
const SANDBOX_STATE = "data/sandbox.json";
const ADMIN_PASSWORD_FILE = "data/admin-password";
const SESSION_SECRET_FILE = "data/session-secret";

/** A reason to stop that is shown to the person as it is, without a stack. */
class PlainFailure extends Error {}

export interface LocalRun {
  env: Record<string, string | undefined>;
  port: number;
  sandbox: SandboxProcess | null;
  services: SandboxedServices;
}

type Mode = "production" | "development";

/** Runs what `start` adds to the group until Ctrl-C or until one of it ends, then ends the process. */
export async function runLocally(
  mode: Mode,
  start: (run: LocalRun, group: ChildGroup) => void | Promise<void>,
): Promise<never> {
  const group = new ChildGroup();
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
async function prepareLocalRun(group: ChildGroup, mode: Mode): Promise<LocalRun> {
  const source: Record<string, string | undefined> = { ...process.env, NODE_ENV: mode };
  const port = await choosePort(source);
  const services = sandboxedServices(source);
  const sandbox = Object.values(services).some(Boolean)
    ? await startSandbox(group, source, port)
    : null;
  const env = fillEnvironment(source, {
    port,
    // 16 characters; a production start refuses fewer than 12.
    adminPassword: keptSecret(ADMIN_PASSWORD_FILE, 12),
    sessionSecret: keptSecret(SESSION_SECRET_FILE, 48),
    databasePath: DEMO_DATABASE,
    sandbox,
  });
  // PORT=0 asks for any free port; the webhooks and links need its number before the app has it.
  env.PORT = String(port);
  if (!isSet(source, "DATABASE_PATH") && !existsSync(DEMO_DATABASE)) await seedDemo(env);
  return { env, port, sandbox, services };
}

async function choosePort(source: Record<string, string | undefined>): Promise<number> {
  const host = source.HOST?.trim() || "127.0.0.1";
  try {
    if (!isSet(source, "PORT")) {
      const port = await nextFreePort(DEFAULT_PORT, host);
      if (port !== DEFAULT_PORT) {
        console.log(`Port ${DEFAULT_PORT} is in use; taking ${port}. (PORT chooses another.)`);
      }
      return port;
    }
    const port = Number(source.PORT);
    if (!Number.isInteger(port) || port < 0 || port > 65535) {
      throw new PlainFailure(`PORT must be a number from 0 to 65535, not ${source.PORT}.`);
    }
    if (port === 0) return await freePort(host);
    if (await isFree(port, host)) return port;
    throw new PlainFailure(`Port ${port} is in use: stop what uses it, or set PORT to another.`);
  } catch (error) {
    if (error instanceof PlainFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new PlainFailure(`HOST ${host} or its PORT cannot be listened on (${code}).`);
  }
}

async function startSandbox(
  group: ChildGroup,
  source: Record<string, string | undefined>,
  port: number,
): Promise<SandboxProcess> {
  const env = sandboxEnvironment(source, port);
  env.SANDBOX_STATE_FILE ??= SANDBOX_STATE;
  // Not any port of the system's choice: that could be the app's, which is not taken yet.
  env.SANDBOX_PORT ??= String(await freePort());
  env.SANDBOX_SMTP_PORT ??= String(await freePort());
  try {
    return await startSandboxProcess(env, (child) => group.add("sandbox", child));
  } catch (error) {
    throw new PlainFailure(`The sandbox did not start: ${(error as Error).message}`);
  }
}

async function seedDemo(env: Record<string, string | undefined>): Promise<void> {
  console.log(`Making ${DEMO_DATABASE} with sample appointments …`);
  const { status, output } = await runNodeTool(["scripts/seed/seed-demo.ts"], { env });
  if (status === 0) return;
  throw new PlainFailure(`${tail(output)}\nThe sample appointments could not be made.`);
}

/** The lines a person needs once everything runs. */
export function describeLocalRun({ env, sandbox, services }: LocalRun): string {
  const site = env.PUBLIC_URL ?? "";
  const rows: [string, string][] = [
    ["Site", `${site}/`],
    ["Admin", `${site}/admin`],
    ["", `user ${env.ADMIN_USERNAME}, password ${passwordText(env)}`],
  ];
  if (sandbox) {
    const stoodFor = [
      services.razorpay ? "payments" : "",
      services.mail ? "mail" : "",
      services.whatsapp ? "WhatsApp" : "",
    ].filter(Boolean);
    rows.push([
      "Sandbox",
      `${sandbox.console} (stands for ${stoodFor.join(", ")}; no money moves)`,
    ]);
  }
  rows.push(["Mail", services.mail ? `${sandbox?.console} shows every mail sent` : "by SMTP_URL"]);
  rows.push(["Database", `${env.DATABASE_PATH}`]);
  return rows.map(([name, text]) => `  ${name.padEnd(10)}${text}`).join("\n");
}

function passwordText(env: Record<string, string | undefined>): string {
  return isSet(process.env, "ADMIN_PASSWORD")
    ? "as in ADMIN_PASSWORD"
    : `${env.ADMIN_PASSWORD} (kept in ${ADMIN_PASSWORD_FILE}; the one you set, if you changed it)`;
}
