/** The provider's error object; `description` is a wire value. */
import { HttpError, json, type Reply } from "#scripts/sandbox/http.ts";

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
