/** Calls the JSON API of an app under test. */

export interface ApiInit {
  method?: string;
  /** Sent as JSON; a body without it is sent as it is. */
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Sent as a browser without scripts sends a form. */
  form?: Record<string, string> | string[][];
  /** Bearer token of an admin session. */
  token?: string;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
type Unchecked = any;

export interface ApiAnswer<Data = Unchecked> {
  /** Of HTTP; the one in the body is only in `text`. */
  status: number;
  headers: Headers;
  /** `Location`. */
  to: string | null;
  /** Status and `Location`. */
  led: [status: number, to: string | null];
  /** The body, for answers that are no JSON. */
  bytes: Buffer;
  text: string;
  /** Without the marks that React puts between texts. */
  html: string;
  /** What is read of a page: a tag is a blank. */
  words: string;
  /** What a browser would send again. */
  cookie: string;
  data: Data;
  code?: string;
  message?: string;
  errors?: Record<string, string[]>;
}

export type Api = <Data = Unchecked>(path: string, init?: ApiInit) => Promise<ApiAnswer<Data>>;

/** The method is GET without a body and POST with one, unless `init` names it. */
export function apiOf(origin: string): Api {
  return async (path, { json, form, token, headers, ...init } = {}) => {
    const sent = form ? String(new URLSearchParams(form)) : init.body;
    const body = json === undefined ? sent : JSON.stringify(json);
    const response = await fetch(origin + path, {
      method: init.method ?? (body === undefined ? "GET" : "POST"),
      body,
      redirect: "manual",
      headers: {
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const to = response.headers.get("Location");
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    return {
      data: undefined,
      ...(isJson && text ? JSON.parse(text) : {}),
      status: response.status,
      headers: response.headers,
      to,
      led: [response.status, to],
      bytes,
      text,
      get html() {
        return text.replaceAll("<!-- -->", "");
      },
      get words() {
        return wordsOf(text);
      },
      get cookie() {
        const set = response.headers.getSetCookie();
        return set.map((one) => one.split(";")[0]).join("; ");
      },
    };
  };
}

const ENTITIES = { amp: "&", quot: '"', "#x27": "'", lt: "<", gt: ">" };

/** Of markup in an answer, as people read it. */
export const readable = (text = "") =>
  text.replace(/&(amp|quot|#x27|lt|gt);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);

const wordsOf = (html: string) =>
  readable(
    html
      .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
      .replaceAll("<!-- -->", "")
      .replace(/<[^>]*>/g, " "),
  ).replace(/\s+/g, " ");
