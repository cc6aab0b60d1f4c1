/** A server over https that answers as a healthy app does, its certificate made at each connection. */
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import { DAY } from "#app/model/dates.ts";
import { listening } from "./listening.ts";

type Done = (error: Error | null, context: SecureContext) => void;

/** `daysLeft` is how long the certificate, for localhost, is valid at the next connection. */
export async function startHttps() {
  const state = { daysLeft: 90 };
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const context = () => {
    const tbs = certificateBody(spki, new Date(Date.now() + state.daysLeft * DAY));
    const signature = sign("sha256", tbs, privateKey);
    const whole = der(0x30, tbs, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
    const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`;
    return createSecureContext({ key, cert });
  };
  const options = { SNICallback: (_: string, done: Done) => done(null, context()) };
  const server = createServer(options, (_, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end('{"status":"ok"}');
  });
  const port = await listening(server);
  return {
    state,
    url: `https://localhost:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A DER value of up to 65,535 bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const ECDSA_SHA256 = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
const COMMON_NAME = Buffer.from("0603550403", "hex");

/** Version 1, for localhost, of 400 days that end at `end`. */
function certificateBody(spki: Buffer, end: Date): Buffer {
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from("localhost")))));
  const time = (at: Date) =>
    der(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/\D/g, "")}Z`));
  const validity = der(0x30, time(new Date(end.getTime() - 400 * DAY)), time(end));
  return der(0x30, der(0x02, Buffer.from([1])), ECDSA_SHA256, name, validity, name, spki);
}
