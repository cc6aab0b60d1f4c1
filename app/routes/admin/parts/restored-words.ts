/** What is said of a restore that nobody has looked through. */
import type { RestoredCopy } from "#app/documents/restored.server.ts";
import { adminInstant } from "#app/model/dates.ts";

/** Where it stands among the documents. */
export const RESTORED_ID = "restored";

export function numbersWords({ takenAt, last }: Pick<RestoredCopy, "takenAt" | "last">): string {
  const known =
    last.length > 0 ? `numbers after ${last.join(" and ")}` : "invoices and credit notes";
  return `After the copy of ${adminInstant(takenAt)}, ${known} may have gone out`;
}
