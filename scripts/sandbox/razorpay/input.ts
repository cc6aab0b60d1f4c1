/** What the provider takes in its calls, and the error object with which it refuses the rest. */
import { z } from "zod";
import { HttpError, json, type Reply } from "#scripts/sandbox/http.ts";

const NA = { source: "NA", step: "NA", reason: "NA" };
const INPUT = { source: "business", step: "payment_initiation", reason: "input_validation_failed" };

type Detail = { status?: number; code?: string; field?: string | undefined } & Partial<typeof NA>;

/** `description` is a wire value. */
export class ApiError extends HttpError {
  readonly #detail: Detail;

  constructor(description: string, { status = 400, ...detail }: Detail = {}) {
    super(status, description);
    this.#detail = detail;
  }

  override reply(): Reply {
    const { code = "BAD_REQUEST_ERROR", field, ...where } = this.#detail;
    const error = { code, description: this.message, field, ...NA, ...where, metadata: {} };
    return json({ error }, this.status);
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

const amount = z.coerce
  .number("The amount must be an integer.")
  .int("The amount must be an integer.")
  .min(100, "The amount must be at least INR 1.00.");
const receipt = z.string().max(40, "receipt: the length must be no more than 40.").nullish();
const notes = z
  .record(z.string(), z.coerce.string().max(256, "notes: no more than 256 characters."))
  .refine((pairs) => Object.keys(pairs).length <= 15, "notes: no more than 15 pairs.")
  .optional();

/** Periods in minutes from the payment's creation. */
const payment = z
  .strictObject({
    capture: z.enum(["automatic", "manual"], "The selected capture is invalid."),
    capture_options: z
      .strictObject({
        automatic_expiry_period: z.int().min(12),
        manual_expiry_period: z.int().max(7200),
        refund_speed: z.string().optional(),
      })
      .refine((options) => options.manual_expiry_period >= options.automatic_expiry_period),
  })
  .transform(({ capture, capture_options }) => ({
    isManual: capture === "manual",
    automaticMinutes: capture_options.automatic_expiry_period,
    manualMinutes: capture_options.manual_expiry_period,
  }));

/** How an order's payments are captured. */
export type CaptureSetting = z.output<typeof payment>;
export type NewOrder = z.output<typeof orderInput>;
/** Without `amount` all that is left. */
export type NewRefund = z.output<typeof refundInput>;

export const amountInput = z.object({ amount });
export const refundInput = z.strictObject({
  amount: amount.optional(),
  speed: z.enum(["normal", "optimum"], "The selected speed is invalid.").optional(),
  receipt,
  notes,
});
export const orderInput = z.strictObject({
  amount,
  currency: z.literal("INR", "The currency is not supported."),
  receipt,
  notes,
  payment: payment.optional(),
  unique_receipt: z.boolean().optional(),
});
const pageInput = z.object({
  count: z.coerce.number().int().min(1).max(100).default(10),
  skip: z.coerce.number().int().default(0),
  from: z.coerce.number().int().default(0),
  to: z.coerce.number().int().default(Number.MAX_SAFE_INTEGER),
});

/** Throws the provider's refusal of the first field that is wrong. */
export function read<T extends z.ZodType>(schema: T, fields: unknown): z.output<T> {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const words =
    issue.code === "unrecognized_keys"
      ? `${issue.keys.join(", ")} is/are not required and should not be sent`
      : issue.message;
  throw new ApiError(words, { field: issue.path.join("."), ...INPUT });
}

/** A page of a collection, newest first. `items` comes oldest first. */
export function collection<T extends { created_at: number }>(items: T[], query: URLSearchParams) {
  const { count, skip, from, to } = read(pageInput, Object.fromEntries(query));
  const chosen = items
    .filter(({ created_at }) => created_at >= from && created_at <= to)
    .reverse()
    .slice(skip, skip + count);
  return { entity: "collection", count: chosen.length, items: chosen };
}
