import type { FailureDetail } from "./entities.ts";

const failure = (
  reason: string,
  description: string,
  source: string,
  step: string,
  code = "BAD_REQUEST_ERROR",
): FailureDetail => ({ code, description, source, step, reason });

/** Failure vocabulary by reason. The provider's set is open; an unknown reason is passed on. */
const FAILURES: Record<string, FailureDetail> = {
  payment_failed: failure(
    "payment_failed",
    "Your payment could not be completed as the bank declined it. Please try another method.",
    "bank",
    "payment_authorization",
  ),
  payment_cancelled: failure(
    "payment_cancelled",
    "You may have cancelled the payment or there was a delay in response from the bank.",
    "customer",
    "payment_authentication",
  ),
  payment_timed_out: failure(
    "payment_timed_out",
    "Your payment was not completed on time. Please try again.",
    "customer",
    "payment_authentication",
  ),
  insufficient_fund: failure(
    "insufficient_fund",
    "Your payment was declined because of insufficient funds.",
    "issuer_bank",
    "payment_authorization",
  ),
  card_declined: failure(
    "card_declined",
    "Your card was declined by the bank.",
    "issuer_bank",
    "payment_authorization",
  ),
  card_disabled_for_online_payments: failure(
    "card_disabled_for_online_payments",
    "This card is not enabled for online payments.",
    "issuer_bank",
    "payment_authorization",
  ),
  card_number_invalid: failure(
    "card_number_invalid",
    "The card number is not valid.",
    "customer",
    "payment_initiation",
  ),
  invalid_vpa: failure("invalid_vpa", "The UPI id is not valid.", "customer", "payment_initiation"),
  payment_declined: failure(
    "payment_declined",
    "The payment was declined in the UPI app.",
    "customer",
    "payment_authorization",
  ),
  gateway_technical_error: failure(
    "gateway_technical_error",
    "Your payment could not be completed due to a temporary technical issue.",
    "gateway",
    "payment_authorization",
    "GATEWAY_ERROR",
  ),
  authentication_failed: failure(
    "authentication_failed",
    "Your payment could not be completed as the authentication failed.",
    "customer",
    "payment_authentication",
    "GATEWAY_ERROR",
  ),
};

export function failureOf(reason: string): FailureDetail {
  return (
    FAILURES[reason] ??
    failure(reason, "Your payment could not be completed.", "gateway", "payment_response")
  );
}

/** Test cards that fail, by number. */
const ERROR_CARDS: Record<string, string> = {
  "4100280000090000": "payment_timed_out",
  "4100280000080001": "insufficient_fund",
  "4100280000070002": "payment_cancelled",
  "4100280000060003": "card_declined",
  "4100280000050004": "card_declined",
  "4100280000040005": "card_declined",
  "4100280000030006": "card_disabled_for_online_payments",
  "4100280000010008": "card_number_invalid",
  "4100280000020007": "gateway_technical_error",
  "4100280000000009": "authentication_failed",
};

const NETWORKS: [RegExp, string][] = [
  [/^4/, "Visa"],
  [/^5/, "MasterCard"],
  [/^6/, "RuPay"],
  [/^36/, "Diners Club"],
  [/^3[47]/, "American Express"],
];

const INTERNATIONAL = new Set([
  "5555555555554444",
  "5105105105105100",
  "5104060000000008",
  "4012888888881881",
]);

export interface TestCard {
  last4: string;
  network: string;
  international: boolean;
  reason?: string;
}

export const STANDARD_CARD = "4100 2800 0000 1007";

/** Reads a typed card number; a number of a wrong length fails as invalid. */
export function readCard(typed: string): TestCard {
  const number = typed.replace(/[\s-]/g, "");
  const valid = /^\d{13,19}$/.test(number);
  const reason = valid ? ERROR_CARDS[number] : "card_number_invalid";
  return {
    last4: number.slice(-4).padStart(4, "0"),
    network: NETWORKS.find(([pattern]) => pattern.test(number))?.[1] ?? "Unknown",
    international: INTERNATIONAL.has(number),
    ...(reason ? { reason } : {}),
  };
}
