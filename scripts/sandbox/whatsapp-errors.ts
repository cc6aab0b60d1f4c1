import { HttpError, json, type Reply } from "./http.ts";

/** Error rows of Meta's messages call: status and title. Clients decide by code, not by status. */
const ERRORS: Record<number, [status: number, title: string]> = {
  0: [401, "AuthException"],
  1: [400, "API Unknown"],
  2: [503, "API Service"],
  3: [500, "API Method"],
  4: [400, "API Too Many Calls"],
  10: [403, "Permission Denied"],
  100: [400, "Invalid parameter"],
  190: [401, "Access token has expired"],
  200: [403, "API Permission"],
  368: [403, "Temporarily blocked for policies violations"],
  80007: [400, "Rate limit issues"],
  130429: [400, "Rate limit hit"],
  131000: [500, "Something went wrong"],
  131008: [400, "Required parameter is missing"],
  131009: [400, "Parameter value is not valid"],
  131016: [500, "Service unavailable"],
  131026: [400, "Message undeliverable"],
  131030: [400, "Recipient phone number not in allowed list"],
  131031: [403, "Account has been locked"],
  131042: [400, "Business eligibility payment issue"],
  131047: [400, "Re-engagement message"],
  131048: [400, "Spam rate limit hit"],
  131049: [400, "Meta chose not to deliver"],
  131056: [400, "(Business Account, Consumer Account) pair rate limit hit"],
  132000: [400, "Number of parameters does not match the expected number of params"],
  132001: [404, "Template name does not exist in the translation"],
  132005: [400, "Translated text too long"],
  132012: [400, "Parameter format does not match format in the created template"],
  132015: [400, "Template is paused"],
  132016: [400, "Template is disabled"],
  132018: [400, "Parameter text is not valid"],
  133010: [400, "Phone number not registered"],
};

export function titleOf(code: number): string {
  return ERRORS[code]?.[1] ?? "Something went wrong";
}

class MetaRefusal extends HttpError {
  readonly #code: number;

  constructor(code: number, details = titleOf(code)) {
    super(ERRORS[code]?.[0] ?? 400, details);
    this.#code = code;
  }

  override reply(): Reply {
    const error = {
      message: `(#${this.#code}) ${titleOf(this.#code)}`,
      type: "OAuthException",
      code: this.#code,
      error_data: { messaging_product: "whatsapp", details: this.message },
      fbtrace_id: "SandboxTrace",
    };
    return json({ error }, this.status);
  }
}

export function refuseIf(isWrong: boolean, code: number, details?: string): void {
  if (isWrong) throw new MetaRefusal(code, details);
}

/** `+919000` and six digits: the call answers with that code. `+919100`: accepted, then fails with it. */
export function magicCodes(phone: string): { now?: number; later?: number } {
  const [, when, digits] = /^91(9000|9100)(\d{6})$/.exec(phone.replace(/\D/g, "")) ?? [];
  const code = Number(digits);
  if (!(code in ERRORS)) return {};
  return when === "9000" ? { now: code } : { later: code };
}
