import { read, utils, type WorkBook } from "xlsx";
import { renderGstMonth } from "#app/documents/render/gst-workbook.server.ts";
import { monthOf } from "#app/model/month.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";

type Month = Parameters<typeof renderGstMonth>[0];

const NONE = { count: 0, paise: 0 };
export const NO_PARTS = { deleted: NONE, otherSessions: NONE, otherDates: NONE };
export const FILER = { name: "Test Aviation Counselling", gstin: "29ABCDE1234F1ZW" };

/** The accountant's workbook of November 2026, as a reader that did not write it sees it. */
export function gstBook(documents: GstDocument[], more: Partial<Month> = {}, filer = FILER) {
  const books = { settlements: [], settlementsInBooks: [], unsettled: [], movements: [] };
  const none = { undated: 0, numberedAmong: [], parts: NO_PARTS, payments: [], revenuePaise: 0 };
  const month = { documents, advances: [], ...none, ...books, ...more };
  return read(renderGstMonth(month, monthOf("2026-11"), filer), { cellNF: true });
}

export const rowsOf = (book: WorkBook, sheet: string) =>
  utils.sheet_to_json<string[]>(book.Sheets[sheet]!, { header: 1, raw: false, defval: "" });

/** Its sheets as texts, for a golden file. */
export const textOf = (book: WorkBook, sheets: readonly string[] = book.SheetNames) =>
  sheets
    .map((name) => `${name}\n${utils.sheet_to_csv(book.Sheets[name]!, { FS: " | " })}`)
    .join("\n\n");
