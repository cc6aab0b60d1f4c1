/** Sheets → XLSX bytes. Runs in a worker thread: writing a long workbook holds the event loop. */
import { deflateRawSync, InflateRaw } from "node:zlib";
import { CFB, type FullProperties, SSF, utils, type WorkBook, type WorkSheet, write } from "xlsx";
import { type Cell, OWN_FORMATS, text } from "./workbook-cells.ts";

/** A column's heading, its least width in characters, and its cell of a row. */
export type Column<Row> = readonly [heading: string, width: number, cell: (row: Row) => Cell];

export interface Sheet {
  name: string;
  rows: Cell[][];
  /** The row with the headings, from 0: repeated on each printed page. */
  header?: number;
  /** Lets the rows under the header be filtered. */
  filter?: boolean;
  /** The least one of each column, in characters; longer text widens it. */
  widths: readonly number[];
}

/** What the library asks of native compression, which it takes to be missing in today's Node. */
class CountingInflateRaw extends InflateRaw {
  get bytesRead(): number {
    return this.bytesWritten;
  }
}

/** A tenth longer than at the usual level, made in seven eighths of the time. */
const DEFLATE_LEVEL = 3;

CFB.utils.use_zlib({
  InflateRaw: CountingInflateRaw,
  deflateRawSync: (bytes: Uint8Array) => deflateRawSync(bytes, { level: DEFLATE_LEVEL }),
});

/** Wider text runs over its neighbour or is cut: a column is to be read beside the others. */
const WIDEST = 50;

/** A table under its headings, which stand below the rows `above`. */
export function tableSheet<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { above = [], filter = true }: { above?: Cell[][]; filter?: boolean } = {},
): Sheet {
  const cells = [...above, columns.map(([heading]) => text(heading))];
  for (const row of rows) cells.push(columns.map(([, , cell]) => cell(row)));
  const widths = columns.map(([, width]) => width);
  return { name, rows: cells, header: above.length, filter, widths };
}

export function writeXlsx(sheets: readonly Sheet[], properties: FullProperties = {}): Buffer {
  const workbook: WorkBook & { SSF: Record<number, string> } = {
    ...utils.book_new(),
    SSF: numberFormats(),
    Props: properties,
    Workbook: {
      Names: sheets.flatMap(({ name, header }, Sheet) => {
        if (header === undefined) return [];
        const row = `$${header + 1}`;
        return { Name: "_xlnm.Print_Titles", Sheet, Ref: `'${name}'!${row}:${row}` };
      }),
    },
  };
  for (const sheet of sheets) utils.book_append_sheet(workbook, sheetOf(sheet), sheet.name);
  return write(workbook, { type: "buffer", bookType: "xlsx", bookSST: true, compression: true });
}

function sheetOf({ rows, header = 0, filter = false, widths }: Sheet): WorkSheet {
  const end = { r: rows.length - 1, c: widths.length - 1 };
  return {
    "!type": "sheet",
    "!data": rows as WorkSheet["!data"],
    "!ref": utils.encode_range({ s: { r: 0, c: 0 }, e: end }),
    ...(filter && {
      "!autofilter": { ref: utils.encode_range({ s: { r: header, c: 0 }, e: end }) },
    }),
    "!cols": fittingWidths(rows, header, widths).map((wch) => ({ wch })),
  };
}

/** As wide as the longest text from the header on; what stands above it may run over. */
function fittingWidths(
  rows: readonly Cell[][],
  header: number,
  least: readonly number[],
): number[] {
  const widths = [...least];
  for (let index = header; index < rows.length; index++) {
    const row = rows[index]!;
    for (let column = 0; column < row.length; column++) {
      const cell = row[column];
      if (cell?.t !== "s") continue;
      const length = Math.min((cell.v as string).length + 2, WIDEST);
      if (length > widths[column]!) widths[column] = length;
    }
  }
  return widths;
}

/**
 * Custom formats get numbers from 164 on, as the file format wants it. The library would number
 * them lower, where some readers take them for reserved and show a date as a number.
 */
function numberFormats(): Record<number, string> {
  const formats: Record<number, string> = { ...SSF.get_table() };
  for (const id of Object.keys(formats)) if (Number(id) >= 50) delete formats[Number(id)];
  for (const [index, format] of OWN_FORMATS.entries()) formats[164 + index] = format;
  return formats;
}
