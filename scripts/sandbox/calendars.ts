/** A calendar server: rosters, and what a hostile server might answer. */
import { createHash } from "node:crypto";
import { type Answer, type Call, redirect, refuseForeign, typed } from "./http.ts";
import type { Switches } from "./switches.ts";

const DAY = 86_400_000;
const PATH = /^\/calendars\/([\w-]+)\.ics$/;

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
    const reply = typed("text/calendar; charset=utf-8", texts.get(name) ?? roster());
    const claimed = switches.amount("calendar_lying_length", name);
    if (claimed !== undefined) reply.headers["Content-Length"] = String(claimed);
    if (switches.take("calendar_no_etag", name)) return reply;
    const etag = `"${createHash("sha256").update(reply.body).digest("hex").slice(0, 16)}"`;
    reply.headers.ETag = etag;
    return call.headers["if-none-match"] === etag ? { ...reply, status: 304, body: "" } : reply;
  }

  return { texts, answer };
}

/** A duty of eight hours on each second day of four weeks. */
function roster(): string {
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const events = Array.from({ length: 14 }, (_, n) => {
    const start = midnight + (1 + 2 * n) * DAY;
    return `BEGIN:VEVENT\r\nUID:${n}@roster.example\r\nDTSTAMP:${utc(start)}\r\nDTSTART:${utc(start)}\r\nDTEND:${utc(start + DAY / 3)}\r\nSUMMARY:Duty\r\nEND:VEVENT\r\n`;
  });
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Sandbox//Roster//EN\r\n${events.join("")}END:VCALENDAR\r\n`;
}

function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d+/g, "");
}
