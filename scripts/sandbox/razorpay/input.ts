/** What the provider takes in its calls, and the words with which it refuses the rest. */
import { type Fields, HttpError, isRecord, json, type Reply } from "#scripts/sandbox/http.ts";
import type { CaptureSetting, NewOrder, NewRefund, Notes } from "./entities.ts";

const LONGEST_MANUAL = 7200;

export function readOrder(fields: Fields): NewOrder {
  refuseUnknown(fields, "amount currency receipt notes payment unique_receipt");
  const amount = readAmount(fields);
  refuseIf(!fields.currency, "The currency field is required.", "currency");
  refuseIf(fields.currency !== "INR", "The currency is not supported.", "currency");
  const capture = readCapture(fields.payment);
  return {
    amount,
    currency: "INR",
    receipt: readReceipt(fields),
    notes: readNotes(fields),
    capture,
  };
}

export function readRefund(fields: Fields): NewRefund {
  refuseUnknown(fields, "amount speed receipt notes");
  const speed = String(fields.speed ?? "normal");
  refuseIf(!["normal", "optimum"].includes(speed), "The selected speed is invalid.", "speed");
  const amount = fields.amount === undefined ? undefined : readAmount(fields);
  return { amount, speed, receipt: readReceipt(fields), notes: readNotes(fields) };
}

export function readAmount({ amount }: Fields): number {
  refuseIf((amount ?? "") === "", "The amount field is required.", "amount");
  const paise = Number(amount);
  refuseIf(!Number.isSafeInteger(paise), "The amount must be an integer.", "amount");
  refuseIf(paise < 100, "The amount must be at least INR 1.00.", "amount");
  return paise;
}

/** Newest first, as a collection. `items` comes oldest first. */
export function collection<T extends { created_at: number }>(items: T[], query: URLSearchParams) {
  const read = (name: string, otherwise: number): number => {
    const value = query.get(name) || String(otherwise);
    refuseIf(!/^\d+$/.test(value), `The ${name} must be an integer.`, name);
    return Number(value);
  };
  const [count, skip] = [read("count", 10), read("skip", 0)];
  const [from, to] = [read("from", 0), read("to", Number.MAX_SAFE_INTEGER)];
  refuseIf(count < 1 || count > 100, "The count must be between 1 and 100.", "count");
  const chosen = items
    .filter(({ created_at }) => created_at >= from && created_at <= to)
    .reverse()
    .slice(skip, skip + count);
  return { entity: "collection", count: chosen.length, items: chosen };
}

function refuseUnknown(fields: Fields, known: string): void {
  const unknown = Object.keys(fields).filter((name) => !known.split(" ").includes(name));
  const words = `${unknown.join(", ")} is/are not required and should not be sent`;
  refuseIf(unknown.length > 0, words);
}

function readReceipt({ receipt }: Fields): string | null {
  const text = String(receipt ?? "");
  refuseIf(text.length > 40, "receipt: the length must be no more than 40.", "receipt");
  return text || null;
}

function readNotes({ notes = {} }: Fields): Notes {
  const pairs = Object.entries(isRecord(notes) ? notes : {}).map(([k, v]) => [k, String(v)]);
  const most = "notes: the number of pairs must be no more than 15.";
  refuseIf(pairs.length > 15, most, "notes");
  const tooLong = pairs.flat().some((text) => text.length > 256);
  refuseIf(tooLong, "notes: the length must be no more than 256.", "notes");
  return pairs.length > 0 ? Object.fromEntries(pairs) : [];
}

function readCapture(payment: unknown): CaptureSetting | undefined {
  if (!isRecord(payment)) return undefined;
  const { capture: mode, capture_options: options } = payment;
  const known = mode === "automatic" || mode === "manual";
  refuseIf(!known, "The selected capture is invalid.", "capture");
  const given: Fields = isRecord(options) ? options : {};
  refuseUnknown(given, "automatic_expiry_period manual_expiry_period refund_speed");
  const automatic = Number(given.automatic_expiry_period ?? (mode === "manual" ? 12 : 0));
  const manual = Number(given.manual_expiry_period ?? LONGEST_MANUAL);
  refuseIf(!(automatic >= 12), "The automatic expiry period must be at least 12.");
  const order = "The manual expiry period must not be less than the automatic expiry period.";
  refuseIf(!(manual >= automatic), order);
  const most = "The manual expiry period may not be greater than 7200.";
  refuseIf(manual > LONGEST_MANUAL, most);
  return { isManual: mode === "manual", automaticMinutes: automatic, manualMinutes: manual };
}

/** The provider's error object; `description` is a wire value. */
const NA = { source: "NA", step: "NA", reason: "NA" };
const INPUT = {
  source: "business",
  step: "payment_initiation",
  reason: "input_validation_failed",
};

type Detail = { status?: number; code?: string; field?: string | undefined } & Partial<typeof NA>;

export class ApiError extends HttpError {
  readonly #detail: Detail;

  constructor(description: string, { status = 400, ...detail }: Detail = {}) {
    super(status, description);
    this.#detail = detail;
  }

  override reply(): Reply {
    const { code = "BAD_REQUEST_ERROR", field, ...where } = this.#detail;
    const said = { code, description: this.message, field, ...NA, ...where, metadata: {} };
    return json({ error: said }, this.status);
  }
}

export const ALREADY_PAID =
  "Your payment has been declined as the order is already paid. Please initiate the payment with a new order.";

export function refuseIf(isWrong: boolean, description: string, field?: string): void {
  if (isWrong) throw new ApiError(description, { field, ...INPUT });
}

/** The entity of this id, of the right shape and known. */
export function found<T>(known: Map<string, T>, prefix: string, id: string): T {
  const shape = new RegExp(`^${prefix}_[A-Za-z0-9]{14}$`);
  refuseIf(!shape.test(id), `${id} is not a valid id`);
  refuseIf(!known.has(id), "The id provided does not exist");
  return known.get(id) as T;
}
