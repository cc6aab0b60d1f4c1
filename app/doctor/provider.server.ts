/** Checks of Razorpay: whether the keys work, the script can be loaded, and the clocks agree. */
import { isLoopbackSite } from "#app/core/env-fields.ts";
import { ProviderError } from "#app/core/services.ts";
import { about, ask, type Examination, type Finding, reasonOf } from "./finding.server.ts";

const KEYS = "Dashboard → Account & Settings → API keys";

export const examineRazorpay: Examination = async ({ env, provider, now }) => {
  const { fine, warning, wrong } = about("Razorpay keys");
  const { keyId } = env.razorpay;
  try {
    await provider.listOrders(now - 1_000, now);
  } catch (error) {
    if (error instanceof ProviderError && error.fault === "config") {
      const mend = `Copy RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET anew from ${KEYS}; both of one mode.`;
      return wrong("the provider refuses them", mend);
    }
    const mend = "Can this machine reach https://api.razorpay.com? Try again in a few minutes.";
    return wrong(`the provider cannot be asked (${reasonOf(error)})`, mend);
  }
  if (keyId.startsWith("rzp_test_") && !isLoopbackSite(env)) {
    const says = "they open, but are test keys: no real money moves";
    const mend = `Make live keys at ${KEYS} when the account is activated, and a live webhook.`;
    if (env.sampleDocuments) return warning(says, mend);
    return warning(
      `${says}, but invoices are real`,
      `Set SAMPLE_DOCUMENTS to 1 till then. ${mend}`,
    );
  }
  return fine(`they open (${keyId.slice(0, 8)}…)`);
};

export const examineWebhookSecret: Examination = async ({ env }) => {
  const { fine, warning, wrong } = about("Razorpay webhook secret");
  const { webhookSecrets, keySecret } = env.razorpay;
  const made = "Dashboard → Account & Settings → Webhooks";
  if (webhookSecrets.length === 0) {
    return wrong("there is none", `Make a webhook at ${made} and set its secret here.`);
  }
  const findings: Finding[] = [];
  if (webhookSecrets.includes(keySecret)) {
    const says = "it is the API secret, so every webhook will be refused";
    findings.push(wrong(says, `Use the secret typed in when making it at ${made}.`));
  }
  if (webhookSecrets.some((secret) => secret.length < 12)) {
    const mend = `Set a long random one at ${made} and here; both may stand here meanwhile.`;
    findings.push(warning("it is short enough to be guessed", mend));
  }
  return findings.length > 0 ? findings : fine("it is set");
};

export const examineCheckoutScript: Examination = async ({ env }) => {
  const { fine, wrong } = about("Razorpay checkout script");
  try {
    const { ok, status } = await ask(env.razorpay.checkoutUrl, { redirect: "follow" });
    if (ok) return fine("it is there");
    throw new Error(`status ${status}`);
  } catch (error) {
    const mend = "Can this machine reach it? Leave RAZORPAY_CHECKOUT_URL unset.";
    return wrong(`${env.razorpay.checkoutUrl}: ${reasonOf(error)}`, mend);
  }
};

const SKEW_WARNING_MS = 5_000;
const SKEW_WRONG_MS = 60_000;

/**
 * The provider's `Date` is cut to whole seconds, so half a second is added to it; it is compared with
 * the middle of the request.
 */
export const examineClock: Examination = async ({ env }) => {
  const { fine, warning, wrong } = about("Clock");
  const askedAt = Date.now();
  let date: string | null;
  try {
    const orders = `${env.razorpay.apiUrl}/v1/orders?count=1`;
    date = (await ask(orders, { redirect: "follow" })).headers.get("date");
  } catch (error) {
    const mend = "Compare this machine's clock with another one.";
    return warning(`cannot be compared (${reasonOf(error)})`, mend);
  }
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return warning("cannot be compared", "Compare it by hand.");
  const skew = Math.round((askedAt + Date.now()) / 2 - (theirs + 500));
  const says = `${Math.abs(skew / 1000).toFixed(1)} s ${skew > 0 ? "ahead of" : "behind"} the provider's`;
  const mend = "Turn on time synchronisation (chrony, systemd-timesyncd) on this machine.";
  if (Math.abs(skew) > SKEW_WRONG_MS) return wrong(says, mend);
  return Math.abs(skew) > SKEW_WARNING_MS ? warning(says, mend) : fine(says);
};
