/**
 * Sheets → XLSX bytes. The library makes a workbook with empty sheets, and the rows are streamed
 * into it, so that neither the cells nor the text of a long table are ever whole in memory. Runs in
 * a worker thread, because it blocks the event loop.
 */
import { Zip, ZipDeflate } from "fflate";
import { CFB, type FullProperties, SSF, utils, type WorkBook, type WorkSheet, write } from "xlsx";
import { lookUp } from "#app/model/unknown-code.ts";
import { type Cell, FORMATS, OWN_FORMATS, text } from "./workbook-cells.ts";

/** Heading, least width in characters, and the cell of a row. */
export type Column<Row> = readonly [heading: string, width: number, cell: (row: Row) => Cell];

/** The cells of each row; iterated twice, so they may be made on demand. */
interface Rows {
  readonly length: number;
  [Symbol.iterator](): Iterator<readonly Cell[]>;
}

export interface Sheet {
  name: string;
  rows: Rows;
  /** Index of the heading row, repeated on each printed page. */
  header?: number;
  /** Adds a filter to the heading row. */
  filter?: boolean;
  /** Least width of each column in characters; longer text widens it. */
  widths: readonly number[];
}

/** The widest column, in characters; longer text overflows or is cut. */
const WIDEST = 50;

/** A table under its headings, which follow the rows `above`. */
export function tableSheet<Row>(
  name: string,
  columns: readonly Column<Row>[],
  table: readonly Row[],
  { above = [], filter = true }: { above?: Cell[][]; filter?: boolean } = {},
): Sheet {
  const rows: Rows = {
    length: above.length + 1 + table.length,
    *[Symbol.iterator]() {
      yield* above;
      yield columns.map(([heading]) => text(heading));
      for (const row of table) yield columns.map(([, , cell]) => cell(row));
    },
  };
  const widths = columns.map(([, width]) => width);
  return { name, rows, header: above.length, filter, widths };
}

export function writeXlsx(sheets: readonly Sheet[], properties: FullProperties = {}): Buffer {
  return zipOf(partsOf(sheets, properties));
}

function* partsOf(
  sheets: readonly Sheet[],
  properties: FullProperties,
): Generator<[path: string, text: Iterable<string>]> {
  const frame = CFB.read(writeFrame(sheets, properties), { type: "buffer" });
  const part = (path: string) => Buffer.from(CFB.find(frame, `/${path}`)!.content).toString();
  /** Each text and its index; shared, because some programs cannot read inline texts. */
  const strings = new Map<string, number>();
  for (const [at, { rows, widths }] of sheets.entries()) {
    const path = `xl/worksheets/sheet${at + 1}.xml`;
    yield [path, filled(part(path), "sheetData", rowsXml(rows, widths.length, strings))];
  }
  const texts = part(TEXTS).replace(/ count="1" uniqueCount="1"/, ` uniqueCount="${strings.size}"`);
  yield [TEXTS, filled(texts, "sst", textsXml(strings))];
  for (const [at, fullPath] of frame.FullPaths.entries()) {
    const path = fullPath.slice("Root Entry/".length);
    if (path === TEXTS || path.startsWith("xl/worksheets/") || !IS_PART.test(path)) continue;
    yield [path, [Buffer.from(frame.FileIndex[at]!.content).toString()]];
  }
}

const TEXTS = "xl/sharedStrings.xml";
/** Matches the workbook's parts, but no folder and not the library's own marker. */
const IS_PART = /\.(xml|rels)$/;

/** The workbook without its rows. */
function writeFrame(sheets: readonly Sheet[], properties: FullProperties): Buffer {
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
  for (const sheet of sheets) utils.book_append_sheet(workbook, emptySheet(sheet), sheet.name);
  // The library numbers styles as it meets them; this makes it the order of FORMATS, from 1 on.
  const samples = FORMATS.map((z) => ({ t: "n", v: 0, z }) as const);
  workbook.Sheets[sheets[0]!.name]!["!data"]![0] = [...samples, { t: "s", v: "text" }];
  return write(workbook, { type: "buffer", bookType: "xlsx", bookSST: true });
}

function emptySheet({ rows, header = 0, filter = false, widths }: Sheet): WorkSheet {
  const end = { r: rows.length - 1, c: widths.length - 1 };
  return {
    "!type": "sheet",
    "!data": Array(rows.length).fill([]),
    "!ref": utils.encode_range({ s: { r: 0, c: 0 }, e: end }),
    ...(filter && {
      "!autofilter": { ref: utils.encode_range({ s: { r: header, c: 0 }, e: end }) },
    }),
    "!cols": fittingWidths(rows, header, widths).map((wch) => ({ wch })),
  };
}

/** The XML with the content of its only `element` replaced. */
function* filled(xml: string, element: string, content: Iterable<string>): Generator<string> {
  const [, before, attributes, after] = new RegExp(
    `^(.*?)<${element}\\b([^>]*?)(?:/>|>.*</${element}>)(.*)$`,
    "s",
  ).exec(xml)!;
  yield `${before}<${element}${attributes}>`;
  yield* content;
  yield `</${element}>${after}`;
}

function* rowsXml(rows: Rows, width: number, strings: Map<string, number>): Generator<string> {
  const names = Array.from({ length: width }, (_, column) => utils.encode_col(column));
  let number = 0;
  for (const cells of rows) {
    number += 1;
    let written = "";
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column];
      if (cell) written += cellXml(cell, `${names[column]}${number}`, strings);
    }
    yield `<row r="${number}">${written}</row>`;
  }
}

function cellXml(cell: NonNullable<Cell>, at: string, strings: Map<string, number>): string {
  const style = cell.z === undefined ? "" : ` s="${FORMATS.indexOf(cell.z) + 1}"`;
  if (cell.t === "n") return `<c r="${at}"${style}><v>${cell.v}</v></c>`;
  let index = strings.get(cell.v);
  if (index === undefined) {
    index = strings.size;
    strings.set(cell.v, index);
  }
  return `<c r="${at}"${style} t="s"><v>${index}</v></c>`;
}

/** As wide as the longest text from the header on; text above the header may overflow. */
function fittingWidths(rows: Rows, header: number, least: readonly number[]): number[] {
  const widths = [...least];
  let index = 0;
  for (const row of rows) {
    if (index++ < header) continue;
    for (let column = 0; column < row.length; column++) {
      const cell = row[column];
      if (cell?.t !== "s") continue;
      const length = Math.min(cell.v.length + 2, WIDEST);
      if (length > widths[column]!) widths[column] = length;
    }
  }
  return widths;
}

function* textsXml(strings: Map<string, number>): Generator<string> {
  for (const value of strings.keys()) {
    const kept = value.trim() === value ? "" : ' xml:space="preserve"';
    yield `<si><t${kept}>${escaped(value)}</t></si>`;
  }
}

/**
 * Custom formats start at 164, as the file format demands. The library would number them lower,
 * where some readers take them for reserved and show a date as a number.
 */
function numberFormats(): Record<number, string> {
  const formats: Record<number, string> = { ...SSF.get_table() };
  for (const id of Object.keys(formats)) if (Number(id) >= 50) delete formats[Number(id)];
  for (const [index, format] of OWN_FORMATS.entries()) formats[164 + index] = format;
  return formats;
}

const SPECIAL = /[&<>]|_(?=x[\dA-Fa-f]{4}_)/g;
const escapeOf = lookUp<string, string>({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  // `_x` and four hexadecimal digits would be read as an escaped character.
  _: "_x005F_",
});

function escaped(value: string): string {
  return value.replace(SPECIAL, (character) => escapeOf(character)!);
}

// The archive is compressed while its texts are made, so that none is ever whole in memory.

/** Characters compressed at a time. */
const PIECE = 2 ** 16;
const NOTHING = new Uint8Array();

/** Reads the texts piece by piece, in order. */
export function zipOf(files: Iterable<readonly [path: string, text: Iterable<string>]>): Buffer {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  // The first day of the ZIP format: the same content gives the same bytes.
  const mtime = new Date(1980, 0, 1);
  for (const [path, text] of files) {
    const file = Object.assign(new ZipDeflate(path), { mtime });
    zip.add(file);
    let waiting = "";
    for (const piece of text) {
      waiting += piece;
      if (waiting.length < PIECE) continue;
      file.push(Buffer.from(waiting));
      waiting = "";
    }
    file.push(Buffer.from(waiting));
    file.push(NOTHING, true);
  }
  zip.end();
  return Buffer.concat(written);
}
