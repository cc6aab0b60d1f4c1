export type SwitchGroup =
  | "API"
  | "Refunds"
  | "Webhooks"
  | "Browser"
  | "Payments"
  | "Mail"
  | "WhatsApp";

export interface SwitchMeaning {
  group: SwitchGroup;
  effect: string;
  /** Default of `value`, where the switch has one. */
  value?: string | number;
  unit?: string;
}

const entry = (
  group: SwitchGroup,
  effect: string,
  value?: string | number,
  unit?: string,
): SwitchMeaning => ({
  group,
  effect,
  ...(value === undefined ? {} : { value }),
  ...(unit === undefined ? {} : { unit }),
});

const catalogue = {
  api_html_error: entry("API", "Nothing done; an HTML error page", 500, "status"),
  api_json_error: entry("API", "Nothing done; the standard error object", 500, "status"),
  api_429: entry("API", "Nothing done; 429"),
  api_429_retry_after: entry("API", "Nothing done; 429 with Retry-After", 2, "seconds"),
  api_empty: entry("API", "Nothing done; an empty body", 200, "status"),
  api_null: entry("API", "Nothing done; the body null", 200, "status"),
  api_401: entry("API", "Nothing done; 401 Authentication failed"),
  api_hang: entry("API", "Nothing done; no answer, then the connection is cut", 60, "seconds"),
  api_slow: entry("API", "The answer is late", 2000, "ms"),
  api_reset: entry("API", "Nothing done; connection cut"),
  order_answer_lost: entry("API", "Order made, answer lost", "reset", "reset, 500 or seconds"),
  capture_answer_lost: entry("API", "Captured, answer lost", "reset", "reset, 500 or seconds"),
  answer_lost: entry("API", "Any call: done, answer lost", "reset", "reset, 500 or seconds"),

  refund_answer_lost: entry("Refunds", "Refunded, answer lost", "reset", "reset, 500 or seconds"),
  refund_409_in_progress: entry("Refunds", "409: same key still in progress"),
  refund_409_different: entry("Refunds", "409: same key, different request"),
  refund_low_balance: entry("Refunds", "400: not enough balance"),
  refund_invalid_request: entry("Refunds", "400: invalid request sent"),
  refund_slow: entry("Refunds", "Key taken, the answer is late", 2000, "ms"),
  refund_remember_errors: entry("Refunds", "Error answers are kept under the key too"),
  refund_starts_pending: entry("Refunds", "Born pending, then processed", 5, "seconds"),
  refund_stays_pending: entry("Refunds", "Born pending, stays so"),
  refund_fails_later: entry("Refunds", "Born pending, then failed", 5, "seconds"),
  refund_only_processed_event: entry("Refunds", "refund.created is not sent"),

  webhook_off: entry("Webhooks", "Event recorded, never sent"),
  webhook_delay: entry("Webhooks", "First attempt late", 3600, "seconds"),
  webhook_first: entry("Webhooks", "The payer's answer waits for the webhooks"),
  webhook_duplicate: entry("Webhooks", "Delivered twice, same event id"),
  webhook_duplicate_new_id: entry("Webhooks", "Delivered twice, another event id"),
  webhook_shuffle: entry("Webhooks", "Events of one step in another order"),
  webhook_old_secret: entry("Webhooks", "Signed with the old secret"),
  webhook_wrong_signature: entry("Webhooks", "Signed with a wrong secret"),
  webhook_unsigned: entry("Webhooks", "No signature header"),
  webhook_escaped: entry("Webhooks", "Non-ASCII text, escaped slashes", "raw", "raw or escaped"),

  checkout_js_404: entry("Browser", "checkout.js answers 404"),
  checkout_js_500: entry("Browser", "checkout.js answers 500"),
  checkout_js_hang: entry("Browser", "checkout.js does not answer", 60, "seconds"),
  callback_lost: entry("Browser", "Success is never brought back"),
  callback_twice: entry("Browser", "Success is brought back twice"),
  callback_other_order: entry("Browser", "Right signature, but of another order"),
  callback_wrong_signature: entry("Browser", "Wrong signature"),

  payment_stays_authorized: entry("Payments", "Authorised, never captured"),
  payment_captured_late: entry("Payments", "Authorised now, captured later", 30, "seconds"),
  payment_fails_first: entry("Payments", "The attempt fails"),
  payment_failed_then_captured: entry(
    "Payments",
    "Fails, then the same id is captured",
    5,
    "seconds",
  ),
  payment_twice: entry("Payments", "A second captured payment on the order"),
  payment_other_amount: entry("Payments", "Another amount than the order's", 100, "paise"),

  smtp_451: entry("Mail", "Recipient refused for now (451)"),
  smtp_550: entry("Mail", "Recipient refused (550)"),
  smtp_hang: entry("Mail", "No answer after the data", 60, "seconds"),
  smtp_answer_lost: entry("Mail", "Mail kept, connection cut before the answer"),
  smtp_refuse: entry("Mail", "Connections refused until cleared"),

  whatsapp_error: entry("WhatsApp", "Error answer", 131000, "code"),
  whatsapp_status_failed: entry("WhatsApp", "Accepted, then state failed", 131026, "code"),
  whatsapp_no_status: entry("WhatsApp", "States are not sent"),
  whatsapp_duplicate_status: entry("WhatsApp", "States are sent twice"),
  whatsapp_hang: entry("WhatsApp", "No answer, then the connection is cut", 60, "seconds"),
  whatsapp_html_error: entry("WhatsApp", "HTML error page", 502, "status"),
  whatsapp_answer_lost: entry("WhatsApp", "Accepted, connection cut"),
} satisfies Record<string, SwitchMeaning>;

export type SwitchName = keyof typeof catalogue;

export const SWITCH_CATALOGUE: Record<SwitchName, SwitchMeaning> = catalogue;
