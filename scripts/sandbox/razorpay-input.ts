import { ApiError, invalidInput, missingField } from "./api-error.ts";
import type { CaptureSetting, Notes } from "./entities.ts";
import { type Fields, isRecord } from "./http.ts";
import type { NewOrder } from "./ledger.ts";

const ORDER_FIELDS = new Set([
  "amount",
  "currency",
  "receipt",
  "notes",
  "partial_payment",
  "first_payment_min_amount",
  "payment",
  "payment_capture",
  "unique_receipt",
]);

export function refuseUnknown(fields: Fields, known: Set<string>): void {
  const unknown = Object.keys(fields).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new ApiError(`${unknown.join(", ")} is/are not required and should not be sent`, {
      source: "business",
      step: "payment_initiation",
      reason: "input_validation_failed",
    });
  }
}

export function readAmount(fields: Fields): number {
  const value = fields.amount;
  if (value === undefined || value === null || value === "") throw missingField("amount");
  const amount = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof amount !== "number" || !Number.isSafeInteger(amount)) {
    throw invalidInput("The amount must be an integer.", "amount");
  }
  if (amount < 100) throw invalidInput("The amount must be at least INR 1.00.", "amount");
  return amount;
}

export function readNotes(fields: Fields): Notes {
  const value = fields.notes;
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
    return [];
  }
  if (!isRecord(value)) throw invalidInput("The notes must be an object.", "notes");
  const pairs = Object.entries(value);
  if (pairs.length > 15) {
    throw invalidInput("notes: the number of pairs must be no more than 15.", "notes");
  }
  const notes: Record<string, string> = {};
  for (const [key, note] of pairs) {
    if (typeof note !== "string" && typeof note !== "number") {
      throw invalidInput("notes: a value must be a text or a number.", "notes");
    }
    if (String(note).length > 256 || key.length > 256) {
      throw invalidInput("notes: the length must be no more than 256.", "notes");
    }
    notes[key] = String(note);
  }
  return pairs.length > 0 ? notes : [];
}

export function readReceipt(fields: Fields): string | null {
  const value = fields.receipt;
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw invalidInput("receipt: must be a string.", "receipt");
  if (value.length > 40) {
    throw invalidInput("receipt: the length must be no more than 40.", "receipt");
  }
  return value;
}

export function readOrder(fields: Fields): NewOrder & { uniqueReceipt: boolean } {
  refuseUnknown(fields, ORDER_FIELDS);
  const amount = readAmount(fields);
  const currency = fields.currency;
  if (currency === undefined || currency === null || currency === "")
    throw missingField("currency");
  if (currency !== "INR") throw invalidInput("The currency is not supported.", "currency");
  if (fields.first_payment_min_amount !== undefined && fields.partial_payment !== true) {
    throw invalidInput(
      "first_payment_min_amount is/are not required and should not be sent",
      "first_payment_min_amount",
    );
  }
  const capture = readCapture(fields);
  return {
    amount,
    currency,
    receipt: readReceipt(fields),
    notes: readNotes(fields),
    uniqueReceipt: fields.unique_receipt === true,
    ...(capture ? { capture } : {}),
  };
}

const LONGEST_MANUAL = 7200;

function readCapture(fields: Fields): CaptureSetting | undefined {
  const payment = fields.payment;
  if (payment === undefined || payment === null) return undefined;
  if (!isRecord(payment)) throw invalidInput("The payment must be an object.", "payment");
  refuseUnknown(payment, new Set(["capture", "capture_options"]));
  const mode = payment.capture;
  if (mode !== "automatic" && mode !== "manual") {
    throw mode === undefined
      ? missingField("capture")
      : invalidInput("The selected capture is invalid.", "capture");
  }
  const options = isRecord(payment.capture_options) ? payment.capture_options : {};
  refuseUnknown(
    options,
    new Set(["automatic_expiry_period", "manual_expiry_period", "refund_speed"]),
  );
  const automatic = readMinutes(options, "automatic_expiry_period");
  const manual = readMinutes(options, "manual_expiry_period") ?? LONGEST_MANUAL;
  if (mode === "automatic" && automatic === undefined) {
    throw missingField("automatic_expiry_period");
  }
  if (automatic !== undefined && automatic < 12) {
    throw invalidInput(
      "The automatic expiry period must be at least 12.",
      "automatic_expiry_period",
    );
  }
  if (manual < (automatic ?? 0)) {
    throw invalidInput(
      "The manual expiry period must not be less than the automatic expiry period.",
      "manual_expiry_period",
    );
  }
  if (manual > LONGEST_MANUAL) {
    throw invalidInput(
      "The manual expiry period may not be greater than 7200.",
      "manual_expiry_period",
    );
  }
  const speed = options.refund_speed;
  if (speed !== undefined && speed !== "normal" && speed !== "optimum") {
    throw invalidInput("The selected refund speed is invalid.", "refund_speed");
  }
  return { mode, automaticMinutes: automatic ?? 0, manualMinutes: manual };
}

function readMinutes(options: Fields, name: string): number | undefined {
  const value = options[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw invalidInput(`The ${name.replaceAll("_", " ")} must be an integer.`, name);
  }
  return value;
}

export interface Window {
  from: number | undefined;
  to: number | undefined;
  count: number;
  skip: number;
}

export function readWindow(query: URLSearchParams): Window {
  const read = (name: string): number | undefined => {
    const value = query.get(name);
    if (value === null || value === "") return undefined;
    if (!/^\d+$/.test(value)) throw invalidInput(`The ${name} must be an integer.`, name);
    return Number(value);
  };
  const count = read("count") ?? 10;
  if (count < 1 || count > 100) {
    throw invalidInput("The count must be between 1 and 100.", "count");
  }
  return { from: read("from"), to: read("to"), count, skip: read("skip") ?? 0 };
}

/** Newest first, as a collection. `items` comes oldest first. */
export function collection<T extends { created_at: number }>(items: T[], window: Window) {
  const chosen = items
    .filter(
      ({ created_at }) =>
        (window.from === undefined || created_at >= window.from) &&
        (window.to === undefined || created_at <= window.to),
    )
    .reverse()
    .slice(window.skip, window.skip + window.count);
  return { entity: "collection", count: chosen.length, items: chosen };
}

/** The SDK writes `expand[]` as `expand[expand]`; `expand[0]` is seen too. */
export function readExpand(query: URLSearchParams): Set<string> {
  const wanted = new Set<string>();
  for (const [key, value] of query) if (/^expand\[(\d*|expand)\]$/.test(key)) wanted.add(value);
  return wanted;
}
