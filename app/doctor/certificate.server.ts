/** How long the certificate of the public address still holds. */
import { isIP } from "node:net";
import { connect } from "node:tls";
import { formatInstant } from "#app/model/dates.ts";
import { DAY, SECOND } from "#app/model/duration.ts";
import { type Examination, fine, wrong } from "./finding.server.ts";

/** What renews by itself does so 30 days before the end: two weeks later that has failed. */
const LEAST_LEFT = 14 * DAY;

/** Throws what the connection says: `examineSite` tells what to do about that. */
export const examineCertificate: Examination = async ({ env, now }) => {
  const url = new URL(env.publicUrl);
  if (url.protocol !== "https:") return [];
  const endsAt = await endOfCertificate(url);
  const days = Math.floor((endsAt - now) / DAY);
  const says =
    endsAt < now ? "it has ended" : `it ends in ${days} days, on ${formatInstant(endsAt)}`;
  const subject = "Certificate";
  if (endsAt - now > LEAST_LEFT) return [fine(subject, says)];
  const mend = `Renew it (on Fly: fly certs check ${url.hostname}), or browsers refuse the page.`;
  return [wrong(subject, says, mend)];
};

/** Milliseconds UTC; of one that has ended, or that nobody vouches for, too. */
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
