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

/** A cached GET, read as JSON. Failures are not cached. */
export function query<T>(url: string): Promise<T> {
  return remember(url, async () => {
    const response = await fetch(url, { credentials: "include" });
    if (response.ok) return response.json();
    throw new Error(codeAndBody(response.status, await response.text(), response.statusText));
  });
}

/** A cached GET of a booking call; throws like `bookingRequest`. */
export function bookingQuery<T>(url: string): Promise<T> {
  return remember(url, () => bookingRequest<T>("GET", url));
}

function remember<T>(url: string, read: () => Promise<T>): Promise<T> {
  const earlier = remembered.get(url);
  if (earlier) return earlier as Promise<T>;
  const answer = read();
  remembered.set(url, answer);
  answer.catch(() => remembered.delete(url));
  return answer;
}

/** Drops the cached responses whose path begins with `path`. */
export function forget(path: string): void {
  for (const url of remembered.keys()) {
    if (url.startsWith(path)) remembered.delete(url);
  }
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
