/** What the forms that change a booking bring back when they are refused. */
import type { Submission } from "@conform-to/react";
import { type Failure, type Outcome, STATUS_OF_CODE } from "#app/model/outcome.ts";

/** `null` as outcome: the fields themselves were refused. `fieldOf`: codes that belong to a field. */
export function refuseChangeForm(
  submission: Submission<unknown>,
  outcome: Outcome<unknown> | null,
  fieldOf: Partial<Record<Failure["code"], string>> = {},
) {
  if (!outcome || outcome.ok) {
    return { body: { reply: submission.reply(), notice: null }, init: { status: 400 } };
  }
  const { code, message, errors, retryAfter } = outcome;
  const field = fieldOf[code];
  const fieldErrors = errors ?? (field ? { [field]: [message] } : null);
  return {
    body: {
      reply: submission.reply(fieldErrors ? { fieldErrors } : {}),
      notice: fieldErrors ? null : { title: "Nothing was changed", text: message },
    },
    init: {
      status: STATUS_OF_CODE[code],
      ...(retryAfter ? { headers: { "Retry-After": String(Math.ceil(retryAfter)) } } : {}),
    },
  };
}
