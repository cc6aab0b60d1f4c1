/** What the product needs rendered; implemented by a worker-thread pool. */
import type { Selectable } from "kysely";
import type { DocumentTable } from "#db/tables.ts";

export type LedgerDocument = Selectable<DocumentTable>;

export class RendererBusy extends Error {}

export interface DocumentRenderer {
  /** The PDF of a ledger row; the same row gives the same bytes. Throws RendererBusy when full. */
  renderDocument(document: LedgerDocument): Promise<Buffer>;
  close(): Promise<void>;
}
