/** Whether money may still come of a payment that was begun. Pure. */
import { MINUTE } from "#app/model/duration.ts";

/** A payment without an answer ends as failed after about ten minutes. */
const BEGUN_MS = 12 * MINUTE;
/** What is authorised is captured or goes back by then: orders say so. */
const AUTHORISED_MS = 30 * MINUTE;

/**
 * `status` is the provider's word, or `unknown` for a signed claim that could not be read yet;
 * `since` is when it came to be so, milliseconds UTC.
 */
export function isUnderWay(status: string, since: number, now: number): boolean {
  if (status === "failed" || status === "captured" || status === "refunded") return false;
  return since > now - (status === "created" ? BEGUN_MS : AUTHORISED_MS);
}
