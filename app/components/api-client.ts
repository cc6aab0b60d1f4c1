/**
 * The browser's calls to `/api`. Credentials are sent; nothing is retried, refetched or polled, and
 * a cached response stays until `forget` is called.
 */

interface RefusalBody {
  message?: string;
  code?: string;
  errors?: Record<string, string[]>;
}

/** A refusal by a booking call; `message` can be shown to visitors. */
export class BookingRequestError extends Error {
  override readonly name = "BookingRequestError";
  readonly status: number;
  /** The contract's code, or null if the response had none. */
  readonly code: string | null;
  /** Field name → messages. */
  readonly errors: Record<string, string[]>;

  constructor(status: number, { message, code, errors }: RefusalBody) {
    super(message || `HTTP error! status: ${status}`);
    this.status = status;
    this.code = code ?? null;
    this.errors = errors ?? {};
  }
}

/** Longer than the server waits for the payment provider. */
const TIMEOUT_MS = 30_000;

const remembered = new Map<string, Promise<unknown>>();

/**
 * GET of the path made of `segments`, read as JSON and cached. On 401 it throws, or returns null
 * with `on401: "null"`. Failures are not cached.
 */
export function query<T>(
  segments: readonly string[],
  { on401 = "throw" }: { on401?: "throw" | "null" } = {},
): Promise<T | null> {
  const url = segments.join("/");
  return remember(`${on401} ${url}`, () => read<T>(url, on401));
}

/** A cached GET of a booking call; throws like `bookingRequest`. */
export function bookingQuery<T>(url: string): Promise<T> {
  return remember(`booking ${url}`, () => bookingRequest<T>("GET", url));
}

function remember<T>(key: string, read: () => Promise<T>): Promise<T> {
  const earlier = remembered.get(key);
  if (earlier) return earlier as Promise<T>;
  const answer = read();
  remembered.set(key, answer);
  answer.catch(() => remembered.delete(key));
  return answer;
}

/** Drops the cached responses whose path begins with `path`. */
export function forget(path: string): void {
  for (const key of remembered.keys()) {
    if (key.slice(key.indexOf(" ") + 1).startsWith(path)) remembered.delete(key);
  }
}

async function read<T>(url: string, on401: "throw" | "null"): Promise<T | null> {
  const response = await fetch(url, { credentials: "include" });
  if (on401 === "null" && response.status === 401) return null;
  if (!response.ok) {
    throw new Error(codeAndBody(response.status, await response.text(), response.statusText));
  }
  return (await response.json()) as T;
}

/**
 * A booking call; returns the contract's `data`. Throws BookingRequestError with the server's
 * message, else 'Request failed' (no JSON), else 'HTTP error! status: {code}'; a TypeError without
 * a connection, a TimeoutError without a response in time.
 */
export async function bookingRequest<T>(
  method: "GET" | "POST",
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const init: RequestInit = { method, credentials: "include", headers };
  // Older browsers use their own timeout.
  if (typeof AbortSignal.timeout === "function") init.signal = AbortSignal.timeout(TIMEOUT_MS);
  if (body !== undefined) {
    init.headers = { ...headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(body);
  }
  const response = await fetch(url, init);
  if (!response.ok) {
    const refusal = await response.json().catch(() => ({ message: "Request failed" }));
    throw new BookingRequestError(response.status, refusal ?? {});
  }
  return ((await response.json()) as { data: T }).data;
}

/** Describes a response that does not follow the contract. */
export function codeAndBody(status: number, body: string, statusText = ""): string {
  return `${status}: ${body || statusText}`;
}
