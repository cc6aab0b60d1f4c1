/** The sandbox as a process of its own. Configuration from the environment; one JSON line when ready. */
import { type SandboxOptions, startSandbox } from "./sandbox.ts";

const TEXTS: Partial<Record<keyof SandboxOptions, string>> = {
  host: "SANDBOX_HOST",
  keyId: "RAZORPAY_KEY_ID",
  keySecret: "RAZORPAY_KEY_SECRET",
  webhookUrl: "SANDBOX_WEBHOOK_URL",
  whatsappPhoneNumberId: "WHATSAPP_PHONE_NUMBER_ID",
  whatsappToken: "WHATSAPP_TOKEN",
  whatsappAppSecret: "WHATSAPP_APP_SECRET",
  whatsappVerifyToken: "WHATSAPP_VERIFY_TOKEN",
  whatsappWebhookUrl: "SANDBOX_WHATSAPP_WEBHOOK_URL",
  whatsappAuto: "SANDBOX_WHATSAPP_AUTO",
  stateFile: "SANDBOX_STATE_FILE",
};
const NUMBERS: Partial<Record<keyof SandboxOptions, string>> = {
  port: "SANDBOX_PORT",
  smtpPort: "SANDBOX_SMTP_PORT",
  clockScale: "SANDBOX_CLOCK_SCALE",
  seed: "SANDBOX_SEED",
};

function stop(words: string): never {
  console.error(words);
  process.exit(1);
}

const options: Record<string, unknown> = {};
for (const [option, name] of Object.entries(TEXTS)) {
  if (process.env[name]) options[option] = process.env[name];
}
for (const [option, name] of Object.entries(NUMBERS)) {
  const value = process.env[name];
  if (value && !(Number(value) >= 0)) stop(`${name}: not a number`);
  if (value) options[option] = Number(value);
}
const secrets = process.env.RAZORPAY_WEBHOOK_SECRET?.split(",").map((secret) => secret.trim());
if (secrets?.[0]) options.webhookSecrets = secrets;
if (!/^(none|sent|delivered|read|undefined)$/.test(String(options.whatsappAuto))) {
  stop("SANDBOX_WHATSAPP_AUTO: one of none, sent, delivered, read");
}

const sandbox = await startSandbox(options).catch((error: Error) =>
  stop(`the sandbox did not start: ${error.message}`),
);
console.log(JSON.stringify({ ready: true, ...sandbox.addresses }));

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => void sandbox.close().then(() => process.exit(0)));
}
