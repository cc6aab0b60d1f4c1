/** Expected outcomes are values; only bugs throw. All their codes, with their HTTP status. */

export const STATUS_OF_CODE = {
  validation_failed: 400,
  malformed_json: 400,
  invalid_signature: 400,
  too_many_rows: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  invalid_otp: 401,
  cross_site: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  slot_taken: 409,
  price_changed: 409,
  already_cancelled: 409,
  too_early: 409,
  already_paid: 409,
  payment_under_way: 409,
  payment_window_over: 409,
  order_mismatch: 409,
  amount_mismatch: 409,
  idempotency_conflict: 409,
  stale: 409,
  in_use: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  provider_unavailable: 502,
  unavailable: 503,
} as const;

export type FailureCode = keyof typeof STATUS_OF_CODE;

/** Field name → messages, as `errors` in the JSON contract. */
export type FieldErrors = Record<string, string[]>;

export interface Failure {
  ok: false;
  code: FailureCode;
  /** Can be shown to the person who asked. */
  message: string;
  errors?: FieldErrors;
  /** Seconds; sent as Retry-After. */
  retryAfter?: number;
}

export interface Success<T> {
  ok: true;
  value: T;
}

export type Outcome<T> = Success<T> | Failure;

export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}

export function failure(
  code: FailureCode,
  message: string,
  more: { errors?: FieldErrors; retryAfter?: number } = {},
): Failure {
  return { ok: false, code, message, ...more };
}

/** The database cannot be written right now (full, locked, gone), or everything is busy. */
export const UNAVAILABLE = failure(
  "unavailable",
  "We cannot do this right now, and nothing was booked or changed. Please try again in a few minutes.",
  { retryAfter: 5 },
);

/** No longer signed in, or no longer with the same rights. */
export const SIGN_IN_AGAIN = failure("unauthenticated", "Please sign in again.");

/** Signed in, but the role may not do this. */
export const FORBIDDEN = failure(
  "forbidden",
  "Your account may not do this. Please ask an owner of the business.",
);

export const NO_APPOINTMENT = failure("not_found", "There is no such appointment.");

export const NO_LEAVE = failure("not_found", "There is no such leave.");

/** A refusal of fields; the message is the first field's. */
export function invalid(errors: FieldErrors): Failure {
  const first = Object.values(errors)[0]?.[0] ?? "Please check what you entered.";
  return failure("validation_failed", first, { errors });
}
