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
  httpStatus: number;
  headers: Headers;
  /** Status and `Location`. */
  led: [status: number, to: string | null];
  /** The body, for answers that are no JSON. */
  bytes: Buffer;
  text: string;
  status?: "success" | "error";
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
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
    return {
      data: undefined,
      ...(isJson && text ? JSON.parse(text) : {}),
      httpStatus: response.status,
      headers: response.headers,
      led: [response.status, response.headers.get("Location")],
      bytes,
      text,
    };
  };
}
