/** How a sandbox is started, by a test or from the environment. */
export interface SandboxOptions {
  port?: number;
  smtpPort?: number;
  /** A JSON file that keeps the provider's entities; without it they are in memory alone. */
  stateFile?: string | undefined;
  /** The first signs; the second is the one that it replaced. */
  webhookSecrets?: string[] | undefined;
  webhookUrl?: string | undefined;
  webhookTimeoutMs?: number;
  whatsappWebhookUrl?: string | undefined;
  /** How far a message goes by itself. */
  whatsappAuto?: "none" | "sent" | "delivered" | "read";
  clockScale?: number;
  seed?: number;
}

/** Blank variables count as unset. */
export function optionsOf(env: Record<string, string | undefined>): SandboxOptions {
  const secrets = env.RAZORPAY_WEBHOOK_SECRET?.split(",").map((secret) => secret.trim());
  return {
    port: Number(env.SANDBOX_PORT || 0),
    smtpPort: Number(env.SANDBOX_SMTP_PORT || 0),
    stateFile: env.SANDBOX_STATE_FILE || undefined,
    webhookUrl: env.SANDBOX_WEBHOOK_URL || undefined,
    webhookSecrets: secrets?.[0] ? secrets : undefined,
    whatsappWebhookUrl: env.SANDBOX_WHATSAPP_WEBHOOK_URL || undefined,
  };
}
