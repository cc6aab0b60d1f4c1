/** The sandbox as a process of its own. Configuration from the environment; one JSON line when ready. */
import { startSandbox } from "./sandbox.ts";

const { env } = process;

const secrets = env.RAZORPAY_WEBHOOK_SECRET?.split(",").map((secret) => secret.trim());
try {
  const sandbox = await startSandbox({
    port: Number(env.SANDBOX_PORT || 0),
    smtpPort: Number(env.SANDBOX_SMTP_PORT || 0),
    stateFile: env.SANDBOX_STATE_FILE,
    webhookUrl: env.SANDBOX_WEBHOOK_URL,
    webhookSecrets: secrets?.[0] ? secrets : undefined,
    whatsappWebhookUrl: env.SANDBOX_WHATSAPP_WEBHOOK_URL,
  });
  console.log(JSON.stringify({ ready: true, ...sandbox.addresses }));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => void sandbox.close().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(`the sandbox did not start: ${(error as Error).message}`);
  process.exit(1);
}
