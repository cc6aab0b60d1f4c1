interface MetaError {
  status: number;
  title: string;
}

/** Error rows of the messages call. Clients decide by code, not by status. */
const ERRORS: Record<number, MetaError> = {
  0: { status: 401, title: "AuthException" },
  1: { status: 400, title: "API Unknown" },
  2: { status: 503, title: "API Service" },
  3: { status: 500, title: "API Method" },
  4: { status: 400, title: "API Too Many Calls" },
  10: { status: 403, title: "Permission Denied" },
  100: { status: 400, title: "Invalid parameter" },
  190: { status: 401, title: "Access token has expired" },
  200: { status: 403, title: "API Permission" },
  368: { status: 403, title: "Temporarily blocked for policies violations" },
  80007: { status: 400, title: "Rate limit issues" },
  130429: { status: 400, title: "Rate limit hit" },
  131000: { status: 500, title: "Something went wrong" },
  131008: { status: 400, title: "Required parameter is missing" },
  131009: { status: 400, title: "Parameter value is not valid" },
  131016: { status: 500, title: "Service unavailable" },
  131026: { status: 400, title: "Message undeliverable" },
  131030: { status: 400, title: "Recipient phone number not in allowed list" },
  131031: { status: 403, title: "Account has been locked" },
  131042: { status: 400, title: "Business eligibility payment issue" },
  131047: { status: 400, title: "Re-engagement message" },
  131048: { status: 400, title: "Spam rate limit hit" },
  131049: { status: 400, title: "Meta chose not to deliver" },
  131056: { status: 400, title: "(Business Account, Consumer Account) pair rate limit hit" },
  132000: {
    status: 400,
    title: "Number of parameters does not match the expected number of params",
  },
  132001: { status: 404, title: "Template name does not exist in the translation" },
  132005: { status: 400, title: "Translated text too long" },
  132012: { status: 400, title: "Parameter format does not match format in the created template" },
  132015: { status: 400, title: "Template is paused" },
  132016: { status: 400, title: "Template is disabled" },
  132018: { status: 400, title: "Parameter text is not valid" },
  133010: { status: 400, title: "Phone number not registered" },
};

function isKnownCode(code: number): boolean {
  return Object.hasOwn(ERRORS, code);
}

export function titleOf(code: number): string {
  return ERRORS[code]?.title ?? "Something went wrong";
}

export class MetaRefusal extends Error {
  readonly code: number;
  readonly details: string;

  constructor(code: number, details = "") {
    super(titleOf(code));
    this.code = code;
    this.details = details || titleOf(code);
  }

  get status(): number {
    return ERRORS[this.code]?.status ?? 400;
  }

  body() {
    return {
      error: {
        message: `(#${this.code}) ${this.message}`,
        type: "OAuthException",
        code: this.code,
        error_data: { messaging_product: "whatsapp", details: this.details },
        fbtrace_id: "SandboxTrace",
      },
    };
  }
}

/** `+919000` and six digits: the call answers with that code. `+919100`: accepted, then fails with it. */
export function magicCode(phone: string): { code: number; when: "call" | "later" } | undefined {
  const match = /^91(9000|9100)(\d{6})$/.exec(phone.replace(/\D/g, ""));
  const code = Number(match?.[2] ?? Number.NaN);
  if (!match || !isKnownCode(code)) return undefined;
  return { code, when: match[1] === "9000" ? "call" : "later" };
}
