/** A calendar's server: the address of a roster that changes, and what hostile ones answer. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:https";
import { createSecureContext } from "node:tls";
import { type Answer, type Call, redirect, refuseForeign, typed } from "./http.ts";
import type { Switches } from "./switches.ts";

const DAY = 86_400_000;
const PATH = /^\/calendars\/([\w-]+)\.ics$/;
const MOST_READ = 2 ** 21;

/** `GET` reads a calendar, `PUT` with its text sets it; one that was not set is a roster from tomorrow on. */
export function makeCalendars(switches: Switches) {
  const texts = new Map<string, string>();

  function answer(call: Call): Answer | undefined {
    const [, name] = PATH.exec(call.path) ?? [];
    if (!name) return undefined;
    if (call.method === "PUT") {
      refuseForeign(call);
      texts.set(name, call.body.toString("utf8"));
      return typed("text/plain", "", 204);
    }
    const hang = switches.amount("calendar_slow", name);
    if (hang !== undefined) return { cutAfterSeconds: hang };
    const status = switches.amount("calendar_error", name);
    if (status !== undefined) return typed("text/plain", "no calendar", status);
    const inside = switches.take("calendar_redirect", name);
    if (inside) return redirect(String(inside.value ?? "http://169.254.169.254/"));
    const reply = typed("text/calendar; charset=utf-8", textOf(name));
    const claimed = switches.amount("calendar_lying_length", name);
    if (claimed !== undefined) reply.headers["Content-Length"] = String(claimed);
    if (switches.take("calendar_no_etag", name)) return reply;
    const etag = `"${createHash("sha256").update(reply.body).digest("hex").slice(0, 16)}"`;
    reply.headers.ETag = etag;
    return call.headers["if-none-match"] === etag ? { ...reply, status: 304, body: "" } : reply;
  }

  function textOf(name: string): string {
    if (switches.take("calendar_too_long", name)) return calendar("X".repeat(MOST_READ));
    const seconds = switches.take("calendar_endless", name);
    if (seconds) return calendar(event(1, Date.now(), "RRULE:FREQ=SECONDLY\r\n"));
    const many = switches.amount("calendar_many", name);
    return texts.get(name) ?? calendar(many === undefined ? roster() : events(many));
  }

  return { texts, answer };
}

/** A duty of eight hours on each second day of four weeks. */
function roster(): string {
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  return Array.from({ length: 14 }, (_, n) => event(n, midnight + (1 + 2 * n) * DAY)).join("");
}

function events(many: number): string {
  return Array.from(
    { length: many },
    (_, n) => `BEGIN:VEVENT\nDTSTART:${utc(n)}\nEND:VEVENT\n`,
  ).join("");
}

function event(n: number, start: number, more = ""): string {
  const [from, to] = [utc(start), utc(start + DAY / 3)];
  return `BEGIN:VEVENT\r\nUID:${n}@roster.example\r\nDTSTAMP:${from}\r\nDTSTART:${from}\r\nDTEND:${to}\r\nSUMMARY:Duty\r\n${more}END:VEVENT\r\n`;
}

function calendar(inside: string): string {
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Sandbox//Roster//EN\r\n${inside}END:VCALENDAR\r\n`;
}

function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** A server over https whose certificate, for localhost, is made at each connection. */
const ROOMY_DAYS = 90;

export function makeHttps(switches: Switches) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const context = () => {
    const days = switches.amount("certificate_days") ?? ROOMY_DAYS;
    const tbs = certificateBody(spki, new Date(Date.now() + days * DAY));
    const signature = sign("sha256", tbs, privateKey);
    const whole = der(0x30, tbs, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
    const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`;
    return createSecureContext({ key, cert });
  };
  return createServer({ SNICallback: (_, done) => done(null, context()) }, (_, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end('{"status":"ok"}');
  });
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
