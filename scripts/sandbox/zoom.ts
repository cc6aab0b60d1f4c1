/** Zoom's API for meetings, as a server-to-server app calls it. */
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Credentials } from "./credentials.ts";
import { type Answer, type Call, type Fields, fieldsOf, json, type Reply, typed } from "./http.ts";
import type { Switches } from "./switches.ts";

interface ZoomMeeting {
  id: number;
  /** The user's e-mail address. */
  host: string;
  topic: string;
  agenda: string;
  start_time: string;
  duration: number;
}

const PATH = /^\/zoom\/v2\/(users|meetings)\/([^/]+)(\/meetings)?$/;
const TOKEN = "sandbox_zoom_token_1";
/** HTTP statuses of Zoom's error codes; all others come with 400. */
const STATUSES: Record<number, number> = { 1001: 404, 3001: 404, 124: 401, 429: 429 };

/** Users whose address begins with `nobody` do not exist; those with `basic` have no licence. */
export function makeZoom(account: Credentials, switches: Switches) {
  const meetings = new Map<number, ZoomMeeting>();

  async function answer(call: Call): Promise<Answer | undefined> {
    if (!call.path.startsWith("/zoom/")) return undefined;
    const subject = `${call.method} ${call.path}`;
    await pause(switches.amount("zoom_slow", subject) ?? 0);
    const code = switches.amount("zoom_refuse", subject);
    if (code !== undefined) return refusal(code);
    const late = switches.amount("zoom_done_late", subject);
    if (late !== undefined) {
      setTimeout(() => act(call), late).unref();
      return { cutAfterSeconds: 0 };
    }
    const isLost = switches.take("zoom_answer_lost", subject);
    const reply = act(call);
    return isLost ? { cutAfterSeconds: 0 } : reply;
  }

  function act(call: Call): Reply {
    if (call.path === "/zoom/oauth/token") return tokenFor(call);
    if (/^\/zoom\/[js]\//.test(call.path)) return typed("text/plain", "The meeting (sandbox)");
    if (call.headers.authorization !== `Bearer ${TOKEN}`) return refusal(124);
    const [, area, name = "", ofUser] = PATH.exec(call.path) ?? [];
    const host = decodeURIComponent(name);
    if (area === "meetings") return ofMeeting(call, Number(name));
    if (area !== "users" || host.startsWith("nobody")) return refusal(1001);
    if (!ofUser) return json({ email: host, type: host.startsWith("basic") ? 1 : 2 });
    return call.method === "POST" ? make(call, host) : list(call, host);
  }

  function tokenFor(call: Call): Reply {
    const { zoomAccountId, zoomClientId, zoomClientSecret } = account;
    const basic = Buffer.from(`${zoomClientId}:${zoomClientSecret}`).toString("base64");
    const { grant_type, account_id } = fieldsOf(call);
    const isRight =
      call.headers.authorization === `Basic ${basic}` &&
      grant_type === "account_credentials" &&
      account_id === zoomAccountId;
    return isRight
      ? json({ access_token: TOKEN, token_type: "bearer", expires_in: 3600 })
      : json({ reason: "Invalid client_id or client_secret", error: "invalid_client" }, 400);
  }

  function make(call: Call, host: string): Reply {
    const fields = fieldsOf(call);
    if (!fields.topic || fields.type !== 2 || !isTime(fields)) return refusal(300);
    const { topic, agenda = "", start_time, duration } = fields as unknown as ZoomMeeting;
    const meeting = { id: randomInt(1e10, 1e11), host, topic, agenda, start_time, duration };
    meetings.set(meeting.id, meeting);
    return json(shown(call, meeting), 201);
  }

  /** Pages of `page_size`, with the agenda cut as Zoom cuts it. */
  function list({ query, origin }: Call, host: string): Reply {
    const all = [...meetings.values()].filter((one) => one.host === host);
    const from = Number(query.get("next_page_token") ?? 0);
    const to = from + Number(query.get("page_size") ?? 30);
    const page = all.slice(from, to).map((one) => ({
      ...one,
      agenda: one.agenda.slice(0, 250),
      join_url: `${origin}/zoom/j/${one.id}`,
    }));
    return json({ meetings: page, next_page_token: to < all.length ? String(to) : "" });
  }

  function ofMeeting(call: Call, id: number): Reply {
    const meeting = meetings.get(id);
    if (!meeting) return refusal(3001);
    if (call.method === "DELETE") meetings.delete(id);
    else if (call.method === "PATCH") {
      const fields = fieldsOf(call);
      if (!isTime(fields)) return refusal(300);
      Object.assign(meeting, { start_time: fields.start_time, duration: fields.duration });
    } else return json(shown(call, meeting));
    return typed("text/plain", "", 204);
  }

  return { meetings, answer };
}

function isTime({ start_time, duration }: Fields): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(`${start_time}`) && Number(duration) > 0;
}

function shown({ origin }: Call, meeting: ZoomMeeting) {
  const { id } = meeting;
  const start_url = `${origin}/zoom/s/${id}?zak=${randomInt(1e9)}`;
  return { ...meeting, join_url: `${origin}/zoom/j/${id}`, start_url };
}

function refusal(code: number): Reply {
  return json({ code, message: `Error ${code}` }, STATUSES[code] ?? 400);
}
