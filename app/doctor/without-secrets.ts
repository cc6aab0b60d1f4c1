import type { Env } from "#app/core/env.server.ts";

/** The words with each of our secrets taken out: what others answer may hold what they were sent. */
export function withoutSecrets(env: Env, words: string): string {
  const { razorpay, whatsapp, backup } = env;
  const { password } = URL.parse(env.smtpUrl) ?? { password: "" };
  const secrets = [
    ...env.sessionSecrets,
    razorpay.keySecret,
    ...razorpay.webhookSecrets,
    ...[password, decodeURIComponent(password), env.firstAdmin?.password, env.metricsToken],
    ...[whatsapp?.token, whatsapp?.appSecret, whatsapp?.verifyToken],
    ...[backup.offSite?.secretAccessKey, backup.offSite?.encryptionKey.toString("base64")],
  ];
  return secrets.reduce<string>(
    (left, secret) => (secret ? left.replaceAll(secret, "…") : left),
    words,
  );
}
