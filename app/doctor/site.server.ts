/** Checks of the public address, as a browser and the provider see it, and of its certificate. */
import { createHmac } from "node:crypto";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Env } from "#app/core/env.server.ts";
import { isLoopbackSite } from "#app/core/env-fields.ts";
import { DAY, formatInstant, SECOND } from "#app/model/dates.ts";
import {
  type Answer,
  about,
  ask,
  type Examination,
  type Finding,
  reasonOf,
} from "./finding.server.ts";

export const examineSite: Examination = async ({ env }) => {
  const { fine, wrong } = about("Public address");
  const { publicUrl } = env;
  let health: Answer;
  try {
    health = await ask(`${publicUrl}/health`);
  } catch (error) {
    return wrong(`${publicUrl}: ${reasonOf(error)}`, adviceFor(reasonOf(error)));
  }
  if (health.status !== 200 || health.text !== '{"status":"ok"}') {
    const says = `${publicUrl}/health answers ${health.status}, and not as this app does`;
    const mend = "Is the app running there, and does the name lead to it and not elsewhere?";
    return wrong(says, mend);
  }
  const findings = [fine(`${publicUrl} answers`)];
  findings.push(await examineForms(publicUrl));
  findings.push(await examineWebhook(env));
  if (!isLoopbackSite(env)) findings.push(await examinePlainHttp(publicUrl));
  return findings;
};

function adviceFor(reason: string): string {
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return "Let the DNS entry of the name lead here.";
  if (/CERT|certificate|TLS|SSL/i.test(reason)) {
    return "Get a certificate for the name (fly certs add), or wait until it is issued.";
  }
  return "Start the app, and check that the proxy passes PUBLIC_URL on to PORT.";
}

/** A form that a browser posts at the public address must not be refused as cross-site. */
async function examineForms(publicUrl: string): Promise<Finding> {
  const { fine, wrong } = about("Forms");
  const mend = "PUBLIC_URL must be exactly what stands in the visitor's address bar.";
  try {
    const answer = await ask(`${publicUrl}/?index`, {
      method: "POST",
      headers: { Origin: publicUrl },
      body: new URLSearchParams({ intent: "show-times" }),
    });
    // Refused only for its missing fields.
    if (answer.status === 400 || answer.status === 429) return fine("they are accepted");
    return wrong(`a form is answered with ${answer.status}`, mend);
  } catch (error) {
    return wrong(reasonOf(error), mend);
  }
}

/** Sends an event without effect, whose signature fits only if every byte arrives, and a forged one. */
async function examineWebhook({ publicUrl, razorpay }: Env) {
  const { fine, wrong } = about("Razorpay webhook");
  const body = JSON.stringify({ event: "doctor.check", payload: {}, note: "é \u2192 \\u00e9" });
  const secret = razorpay.webhookSecrets[0] ?? "";
  const send = (signature: string) =>
    ask(`${publicUrl}/webhooks/razorpay`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Razorpay-Signature": signature,
        "X-Razorpay-Event-Id": "doctor-check",
      },
      body,
    });
  try {
    const signed = await send(createHmac("sha256", secret).update(body).digest("hex"));
    if (signed.status !== 200) {
      const mend =
        "The running app has another RAZORPAY_WEBHOOK_SECRET, or a proxy changes or blocks bodies.";
      return wrong(`a rightly signed event is answered with ${signed.status}`, mend);
    }
    const forged = await send("0".repeat(64));
    if (forged.status !== 400) {
      const mend = "Something before the app answers in its place.";
      return wrong(`a forged event is answered with ${forged.status}`, mend);
    }
    return fine("signed events arrive whole, forged ones are refused");
  } catch (error) {
    return wrong(reasonOf(error), "Let /webhooks/razorpay through to the app.");
  }
}

async function examinePlainHttp(publicUrl: string): Promise<Finding> {
  const { fine, warning } = about("Plain http");
  const mend = "Let the proxy send http on to https (on Fly: force_https).";
  try {
    const { headers } = await ask(publicUrl.replace(/^https:/, "http:"));
    const location = headers.get("location") ?? "";
    if (location.startsWith(publicUrl)) return fine("it leads to https");
    return warning("it does not lead to https", mend);
  } catch {
    return fine("it is closed");
  }
}

/** Automatic renewal takes place 30 days before the end; with two weeks left, it has failed. */
const LEAST_LEFT = 14 * DAY;

/** Throws a connection error; `examineSite` says how to fix it. */
export const examineCertificate: Examination = async ({ env, now }) => {
  const url = new URL(env.publicUrl);
  if (url.protocol !== "https:") return [];
  const endsAt = await endOfCertificate(url);
  const days = Math.floor((endsAt - now) / DAY);
  const says =
    endsAt < now
      ? "it has ended"
      : `it ends in ${days} ${days === 1 ? "day" : "days"}, on ${formatInstant(endsAt)}`;
  const { fine, wrong } = about("Certificate");
  if (endsAt - now > LEAST_LEFT) return fine(says);
  const mend = `Renew it (on Fly: fly certs check ${url.hostname}), or browsers refuse the page.`;
  return wrong(says, mend);
};

/** In milliseconds UTC, even if the certificate has expired or is not trusted. */
function endOfCertificate({ hostname, port }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port) || 443,
      ...(isIP(hostname) ? {} : { servername: hostname }),
      rejectUnauthorized: false,
      timeout: 10 * SECOND,
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
  });
}
