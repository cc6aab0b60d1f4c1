/** Checks of the configuration; only those of Zoom ask an outside service. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { isLoopbackSite } from "#app/core/env-fields.ts";
import { settingsOf } from "#app/core/live-env.server.ts";
import { SETTING_VARIABLES } from "#app/model/settings.ts";
import { createZoom } from "#app/session-rooms/zoom.server.ts";
import { about, type Examination, type Finding, reasonOf } from "./finding.server.ts";
import { readDatabase } from "./machine.server.ts";

/** Headers in which a proxy passes the client's address on. */
const KNOWN_PROXY_HEADERS = [
  "fly-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "x-real-ip",
  "x-forwarded-for",
];

export function examineFaults(faults: string[], warnings: string[]): Finding[] {
  const { fine, warning, wrong } = about("Configuration");
  const mend =
    "Set what is named, then start the app again. docs/operations.md lists every variable.";
  const last = faults.at(-1);
  const all = faults.map((says) => wrong(says, says === last ? mend : ""));
  const findings = [...all, ...warnings.map((says) => warning(says, "Change it if not meant."))];
  return findings.length > 0 ? findings : [fine("every variable is there and well-formed")];
}

export const examineCatalogue: Examination = async ({ env }) => {
  const { fine, warning, wrong } = about("Catalogue");
  const findings: Finding[] = [];
  const { counselors, links } = readDatabase(env, readCatalogue) ?? { counselors: [], links: [] };
  if (counselors.length === 0) {
    const mend = "Start the app once, then enter captains, prices and links on /admin/catalogue.";
    findings.push(warning("nothing can be read before the first start", mend));
  }
  const samples = counselors
    .filter(({ active, sample }) => active && sample)
    .map(({ name }) => name);
  if (samples.length > 0) {
    const says = `${samples.join(" and ")}: samples, not people who can be booked`;
    const mend = "Enter your captains on /admin/catalogue, and take the samples off the page.";
    findings.push((env.production ? wrong : warning)(says, mend));
  }
  const outside = links.filter(({ url }) => /\.example\b/.test(url));
  if (outside.length > 0) {
    const labels = outside.map(({ label }) => label).join(", ");
    const mend = "Enter the real addresses on /admin/catalogue.";
    findings.push(warning(`${labels}: the links lead nowhere`, mend));
  }
  if (env.sampleDocuments) {
    const isLive = env.razorpay.keyId.startsWith("rzp_live_");
    const mend = "Unset SAMPLE_DOCUMENTS and set BUSINESS_GSTIN before money is taken.";
    findings.push((isLive ? wrong : warning)("invoices are headed SAMPLE and are none", mend));
  }
  return findings.length > 0 ? findings : fine("captains and links are not samples");
};

/** Variables that have no effect, because the owner has saved another value. */
export const examineSettings: Examination = async ({ env, source }) => {
  const { fine, warning } = about("Settings");
  const now = settingsOf(env);
  const started = settingsOf(parseEnv(source).env);
  const overruled = SETTING_VARIABLES.filter(
    ({ field, variable }) => now[field] !== started[field] && source[variable]?.trim(),
  ).map(({ variable }) => variable);
  if (overruled.length === 0) return fine("every variable that is set counts");
  const says = `${overruled.join(", ")}: no longer counted, since another value is saved`;
  return warning(says, "Change the value on /admin/settings, and the variable to the same.");
};

/** Zoom ends meetings of users without a licence too early for some sessions. */
export const examineRooms: Examination = async ({ env }) => {
  const { fine, wrong } = about("Zoom rooms");
  const { counselors } = readDatabase(env, readCatalogue) ?? { counselors: [] };
  const hosts = counselors.filter(({ active, room }) => active && room.kind === "zoom");
  if (hosts.length === 0) return fine("no captain meets in them");
  if (!env.zoom) {
    const mend = "Set ZOOM_ACCOUNT_ID, ZOOM_CLIENT_ID and ZOOM_CLIENT_SECRET.";
    return wrong("Zoom’s account is not configured, so the fallback links are used", mend);
  }
  const rooms = createZoom(env.zoom);
  const findings: Finding[] = [];
  for (const { name, email } of hosts) {
    try {
      const state = await rooms.hostState(email);
      if (state === "licensed") continue;
      const says = `${name} is ${state === "basic" ? "a user without a licence (meetings end after 40 minutes)" : "no user"} of Zoom’s account`;
      findings.push(wrong(says, "Add the captain’s email there as a licensed user."));
    } catch (error) {
      const mend =
        "Check the ZOOM variables, and that the app there is active with the scopes of docs/operations.md.";
      return wrong(`Zoom cannot be asked (${reasonOf(error)})`, mend);
    }
  }
  return findings.length > 0 ? findings : fine("the captains are licensed users");
};

export const examineProxyHeader: Examination = async ({ env, source }) => {
  const { fine, warning, wrong } = about("Client address");
  const header = env.trustedProxyHeader;
  const onFly = Boolean(source.FLY_APP_NAME);
  const forFly = "Set TRUSTED_PROXY_HEADER=fly-client-ip.";
  if (header === null) {
    if (isLoopbackSite(env)) return fine("taken from the connection");
    const says = "TRUSTED_PROXY_HEADER is not set, so behind a proxy all visitors count as one";
    if (onFly) return wrong(says, forFly);
    const mend = "Set it to the header in which your proxy passes the client's address on.";
    return warning(says, mend);
  }
  if (!KNOWN_PROXY_HEADERS.includes(header)) {
    const mend = `Use one of ${KNOWN_PROXY_HEADERS.join(", ")} that your proxy sets by itself.`;
    return warning(`TRUSTED_PROXY_HEADER ${header} is none that we know`, mend);
  }
  if (onFly && header !== "fly-client-ip") {
    return wrong(`on Fly, ${header} can be set by anybody`, forFly);
  }
  return fine(`taken from ${header}`);
};
