/** Zoom's meetings, by a server-to-server account: the only file that asks Zoom. */
import { z } from "zod";
import type { Env } from "#app/core/env.server.ts";
import { isSafe, urlOf } from "#app/core/env-fields.ts";
import {
  type MadeRoom,
  OutsideError,
  parseJson,
  type RoomServer,
  UNANSWERED,
} from "#app/core/services.ts";
import { MINUTE, SECOND } from "#app/model/dates.ts";

const TIMEOUT_MS = 10 * SECOND;
/** Of up to 300 meetings each: one host's meetings to come. */
const MOST_PAGES = 10;

const address = z
  .string()
  .max(2000)
  .refine((text) => {
    const url = urlOf(text);
    return url !== null && isSafe(url);
  });
const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const meetingSchema = z.object({ id: z.coerce.string().min(1), join_url: address });
const startSchema = z.object({ start_url: address });
const listSchema = z.object({
  // Most are not ours, and may be of any form.
  meetings: z.array(z.unknown()),
  next_page_token: z.string().default(""),
});
const agendaSchema = z.object({ agenda: z.string() });
const userSchema = z.object({ type: z.number() });
const refusalSchema = z.object({ code: z.number() });

/** Zoom's own: there is no such meeting, or no such user. */
const NO_MEETING = 3001;
const NO_USER = 1001;
/** A user's meetings go with the user. */
const GONE = [NO_MEETING, NO_USER];
/** A user's type with meetings of more than 40 minutes. */
const LICENSED = 2;

/** What Zoom answered: no words of it, which name people. */
class ZoomRefusal extends OutsideError {
  readonly status: number;
  readonly zoomCode: number | undefined;

  constructor(status: number, zoomCode: number | undefined) {
    super(`zoom ${zoomCode ?? status}`, `HTTP ${status}`, status < 500 && status !== 429);
    this.status = status;
    this.zoomCode = zoomCode;
  }
}

interface Asked {
  method?: "POST" | "PATCH" | "DELETE";
  body?: object;
  signal?: AbortSignal | undefined;
}

export function createZoom(config: NonNullable<Env["zoom"]>): RoomServer {
  let token = { text: "", until: 0 };

  async function readToken(signal?: AbortSignal): Promise<string> {
    if (Date.now() < token.until) return token.text;
    const { accountId, clientId, clientSecret, oauthUrl } = config;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const form = { grant_type: "account_credentials", account_id: accountId };
    const answer = await send(oauthUrl, `Basic ${basic}`, {
      method: "POST",
      body: new URLSearchParams(form),
      signal,
    });
    const { access_token, expires_in } = read(tokenSchema, answer);
    token = { text: access_token, until: Date.now() + expires_in * SECOND - MINUTE };
    return access_token;
  }

  async function ask(path: string, { method, body, signal }: Asked = {}): Promise<unknown> {
    const bearer = `Bearer ${await readToken(signal)}`;
    try {
      return await send(`${config.apiUrl}${path}`, bearer, {
        ...(method && { method }),
        ...(body && { body: JSON.stringify(body) }),
        signal,
      });
    } catch (error) {
      // It was withdrawn; the next try takes another one.
      if (error instanceof ZoomRefusal && error.status === 401) token.until = 0;
      throw error;
    }
  }

  const ofUser = (host: string) => `/users/${encodeURIComponent(host)}`;
  const ofMeeting = (id: string) => `/meetings/${encodeURIComponent(id)}`;

  return {
    async make(host, { key, title, startsAt, minutes }, signal) {
      const body = {
        topic: title,
        type: 2,
        ...timeOf(startsAt, minutes),
        agenda: key,
        settings: { waiting_room: true, join_before_host: false },
      };
      const answer = await ask(`${ofUser(host)}/meetings`, { method: "POST", body, signal });
      return roomOf(read(meetingSchema, answer));
    },
    async find(host, key, signal) {
      const isOurs = (one: unknown) => agendaSchema.safeParse(one).data?.agenda === key;
      const found: MadeRoom[] = [];
      let page = "";
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const query = new URLSearchParams({ type: "scheduled", page_size: "300" });
        if (page) query.set("next_page_token", page);
        const list = await unless([NO_USER], ask(`${ofUser(host)}/meetings?${query}`, { signal }));
        // Who is no user any more has none.
        if (list === undefined) return [];
        const answer = read(listSchema, list);
        const ours = answer.meetings.filter(isOurs).map((one) => read(meetingSchema, one));
        found.push(...ours.map(roomOf));
        page = answer.next_page_token;
        if (!page) break;
      }
      return found;
    },
    async move(id, startsAt, minutes, signal) {
      const body = timeOf(startsAt, minutes);
      const moved = ask(ofMeeting(id), { method: "PATCH", body, signal });
      return (await unless(GONE, moved)) !== undefined;
    },
    async remove(id, signal) {
      await unless(GONE, ask(ofMeeting(id), { method: "DELETE", signal }));
    },
    async hostLink(id) {
      const meeting = await unless(GONE, ask(ofMeeting(id)));
      return meeting === undefined ? null : read(startSchema, meeting).start_url;
    },
    async hostState(host) {
      const user = await unless([NO_USER], ask(ofUser(host)));
      if (user === undefined) return "unknown";
      return read(userSchema, user).type === LICENSED ? "licensed" : "basic";
    },
  };
}

function timeOf(startsAt: number, minutes: number) {
  const start_time = new Date(startsAt).toISOString().replace(".000Z", "Z");
  return { start_time, duration: minutes, timezone: "Asia/Kolkata" };
}

function roomOf({ id, join_url }: z.output<typeof meetingSchema>): MadeRoom {
  return { id, joinUrl: join_url };
}

/** Undefined if it is refused with one of those codes. */
async function unless(codes: readonly number[], asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    const code = error instanceof ZoomRefusal ? error.zoomCode : undefined;
    if (code !== undefined && codes.includes(code)) return undefined;
    throw error;
  }
}

/** Null for an answer without a body. */
async function send(
  url: string,
  authorization: string,
  { signal, ...init }: RequestInit & { signal?: AbortSignal | undefined },
): Promise<unknown> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const isJson = typeof init.body === "string";
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      ...init,
      headers: { authorization, ...(isJson && { "content-type": "application/json" }) },
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    throw new OutsideError(UNANSWERED, error instanceof Error ? error.name : "no answer");
  }
  if (status >= 500) throw new OutsideError(UNANSWERED, `HTTP ${status}`);
  const answer = parseJson(text) ?? null;
  if (status >= 300) throw new ZoomRefusal(status, refusalSchema.safeParse(answer).data?.code);
  return answer;
}

/** What cannot be read may have been done. */
function read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const { success, data } = schema.safeParse(answer);
  if (!success) throw new OutsideError(UNANSWERED, "an answer of another form");
  return data;
}
