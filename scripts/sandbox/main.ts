/** The sandbox as a process of its own. Configuration from the environment; one JSON line when ready. */
import { type SandboxOptions, startSandbox } from "./sandbox.ts";

const AUTO = ["none", "sent", "delivered", "read"] as const;

function port(name: string): number {
  const value = process.env[name] ?? "0";
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65535) stop(`${name}: not a port`);
  return number;
}

function number(name: string): number | undefined {
  const value = process.env[name];
  if (!value) return undefined;
  if (!(Number(value) > 0)) stop(`${name}: not a number above 0`);
  return Number(value);
}

function stop(words: string): never {
  console.error(words);
  process.exit(1);
}

function texts(): SandboxOptions {
  const names = {
    host: "SANDBOX_HOST",
    keyId: "RAZORPAY_KEY_ID",
    keySecret: "RAZORPAY_KEY_SECRET",
    webhookUrl: "SANDBOX_WEBHOOK_URL",
    whatsappPhoneNumberId: "WHATSAPP_PHONE_NUMBER_ID",
    whatsappToken: "WHATSAPP_TOKEN",
    whatsappAppSecret: "WHATSAPP_APP_SECRET",
    whatsappVerifyToken: "WHATSAPP_VERIFY_TOKEN",
    whatsappWebhookUrl: "SANDBOX_WHATSAPP_WEBHOOK_URL",
    stateFile: "SANDBOX_STATE_FILE",
  } as const;
  const given = Object.entries(names).flatMap(([option, name]) =>
    process.env[name] ? [[option, process.env[name]]] : [],
  );
  return Object.fromEntries(given);
}

function readOptions(): SandboxOptions {
  const secrets = (process.env.RAZORPAY_WEBHOOK_SECRET ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter(Boolean);
  const auto = process.env.SANDBOX_WHATSAPP_AUTO;
  const known = AUTO.find((name) => name === auto);
  if (auto && !known) stop(`SANDBOX_WHATSAPP_AUTO: one of ${AUTO.join(", ")}`);
  const clockScale = number("SANDBOX_CLOCK_SCALE");
  const seed = number("SANDBOX_SEED");
  return {
    ...texts(),
    port: port("SANDBOX_PORT"),
    smtpPort: port("SANDBOX_SMTP_PORT"),
    ...(secrets.length > 0 ? { webhookSecrets: secrets } : {}),
    ...(known ? { whatsappAuto: known } : {}),
    ...(clockScale ? { clockScale } : {}),
    ...(seed ? { seed } : {}),
  };
}

const sandbox = await startSandbox(readOptions()).catch((error: Error) =>
  stop(`the sandbox did not start: ${error.message}`),
);
console.log(JSON.stringify({ ready: true, ...sandbox.addresses }));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void sandbox.close().then(() => process.exit(0));
  });
}
