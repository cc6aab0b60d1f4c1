import { json, type Reply } from "./http.ts";

interface ErrorExtras {
  status?: number;
  code?: string;
  field?: string;
  source?: string;
  step?: string;
  reason?: string;
  metadata?: Record<string, string>;
}

/** The provider's error object; `description` is a wire value. */
export class ApiError extends Error {
  readonly status: number;
  readonly #extras: ErrorExtras;

  constructor(description: string, extras: ErrorExtras = {}) {
    super(description);
    this.status = extras.status ?? 400;
    this.#extras = extras;
  }

  body(): { error: Record<string, unknown> } {
    const { code, field, source, step, reason, metadata } = this.#extras;
    return {
      error: {
        code: code ?? "BAD_REQUEST_ERROR",
        description: this.message,
        ...(field ? { field } : {}),
        source: source ?? "NA",
        step: step ?? "NA",
        reason: reason ?? "NA",
        metadata: metadata ?? {},
      },
    };
  }

  reply(headers: Record<string, string> = {}): Reply {
    return json(this.body(), this.status, headers);
  }
}

export const ALREADY_PAID =
  "Your payment has been declined as the order is already paid. Please initiate the payment with a new order.";
export const OTHER_AMOUNT =
  "Your payment amount is different from your order amount. To pay successfully, please try using right amount.";
export const LOW_BALANCE =
  "Your account does not have enough balance to carry out the refund operation. You can add funds to your account from your Razorpay dashboard or capture new payments.";
export const KEY_IN_PROGRESS =
  "Another request with the same idempotency key is still in progress.";
export const KEY_DIFFERENT =
  "Different request with the same idempotency key has already been processed.";

export const unknownUrl = () =>
  new ApiError("The requested URL was not found on the server", { source: "internal" });

export const missingField = (name: string) =>
  new ApiError(`The ${name} field is required.`, {
    field: name,
    source: "business",
    step: "payment_initiation",
    reason: "input_validation_failed",
  });

export const invalidInput = (description: string, field: string) =>
  new ApiError(description, {
    field,
    source: "business",
    step: "payment_initiation",
    reason: "input_validation_failed",
  });

/** Refuses an id of a wrong shape. */
export function checkId(prefix: string, id: string): string {
  if (!new RegExp(`^${prefix}_[A-Za-z0-9]{14}$`).test(id)) {
    throw new ApiError(`${id} is not a valid id`, {
      source: "business",
      step: "payment_initiation",
      reason: "input_validation_failed",
    });
  }
  return id;
}

export const unknownId = () =>
  new ApiError("The id provided does not exist", {
    source: "business",
    step: "payment_initiation",
    reason: "input_validation_failed",
  });
