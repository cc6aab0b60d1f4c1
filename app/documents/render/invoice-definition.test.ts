import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, it } from "vitest";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { creditNoteRow, interStateRow, ledgerRow, sampleRow } from "#tests/support/ledger-rows.ts";
import { footOf, pagesOf } from "#tests/support/pdf-text.ts";
import { renderPdf } from "./pdf.ts";

async function textOf(document: PrintableDocument): Promise<string> {
  const pages = await pagesOf(await renderPdf(document));
  expect(pages).toHaveLength(1);
  return pages.join("");
}

describe("a tax invoice", () => {
  it("holds what its page is defined to hold, from the head to the foot", async () => {
    const text = await textOf(ledgerRow());
    for (const part of [
      "Tax Invoice",
      "GSTIN: 29ABCDE1234F1ZW",
      "Capt. Asha Sample, Sat, 21 Nov 2026, 2:00 PM IST",
      "Total ₹1,179.00",
      "Notification 74/2018-Central Tax).",
    ]) {
      expect(text).toContain(part);
    }
  });

  const COMPANY = {
    customerName: "Sky Lines Pvt. Ltd.",
    customerAddress: "4 Marine Drive\nMumbai 400002",
    customerGstin: "27AAPFU0939F1ZV",
  };

  it("takes any name on one page", async () => {
    const names = ["क्षत्रियवर्धन".repeat(7), "A B ".repeat(25), "ശ്രീകൃഷ്ണൻ നമ്പൂതിരി"];
    for (const customerName of names) await textOf(ledgerRow({ customerName }));
  });

  const LONGEST = { customerName: "W".repeat(100), customerAddress: "W".repeat(300) };
  it.each([
    ["an invoice", ledgerRow({ ...COMPANY, ...LONGEST })],
    ["one for another state", interStateRow({ ...COMPANY, ...LONGEST })],
    ["a credit note", creditNoteRow({ ...COMPANY, ...LONGEST })],
  ])("keeps the foot of %s free for its note, whatever name and address", async (_, row) => {
    const pdf = await renderPdf(row);
    const all = (await pagesOf(pdf)).join(" ");
    expect(all).toContain("₹1,179.00");
    expect(await footOf(pdf, 734)).toMatch(/^For [^.]*\. ?Issued electronically .*Tax\)\.$/);
  });

  it("ends the name of its supplier with one full stop", async () => {
    const supplier = JSON.stringify({ ...JSON.parse(ledgerRow().supplier), name: "Sky Pvt. Ltd." });
    const text = await textOf(ledgerRow({ supplier }));
    expect(text).toContain("For Sky Pvt. Ltd. Issued");
  });

  it("prints names of scripts that share a font", async () => {
    const name = "王小明 鈴木 一郎 김철수 😀 Rao";
    expect(await textOf(ledgerRow({ customerName: name }))).toContain(`Billed to ${name} `);
    const abroad = { customerAddress: "1 Ring Road", stateCode: "96", customerCountry: "尼泊尔" };
    expect(await textOf(interStateRow(abroad))).toContain(" 1 Ring Road 尼泊尔 ");
  });
});

describe("the bytes", () => {
  it("are the same when rendered again", async () => {
    const row = ledgerRow({ customerName: "राजेश्वरी Rao" });
    const first = await renderPdf(row);
    await renderPdf(interStateRow());
    expect((await renderPdf({ ...row })).equals(first)).toBe(true);
  });

  it("hold the characters of their own document, where two spellings are one sign", async () => {
    for (const customerName of ["തിരിൻ", "തിരിന്\u200d"]) {
      expect(await textOf(ledgerRow({ customerName }))).toContain(`Billed to ${customerName} `);
    }
  });

  it("say language, title and date of issue, and hold no contact data", async () => {
    const task = getDocument({ data: new Uint8Array(await renderPdf(ledgerRow())), verbosity: 0 });
    const { info } = await (await task.promise).getMetadata();
    await task.destroy();
    expect(info).toMatchObject({
      Title: "Tax Invoice AC/26-27/00001",
      Language: "en-IN",
      CreationDate: "D:20261120063015Z",
    });
    expect(JSON.stringify(info)).not.toContain("Ananya");
  });

  it("do not claim a structure that they lack", async () => {
    const bytes = await renderPdf(ledgerRow());
    const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
    expect((await (await task.promise).getMarkInfo())?.Marked ?? false).toBe(false);
    await task.destroy();
    expect(bytes.includes("StructTreeRoot")).toBe(false);
  });
});

describe("a month", () => {
  it("is one file with a page for each document, in order, the same each time", async () => {
    const rows = [ledgerRow(), interStateRow(), creditNoteRow(), sampleRow()];
    const pdf = await renderPdf(rows);
    const pages = await pagesOf(pdf);
    expect(pages).toHaveLength(4);
    for (const [index, row] of rows.entries()) expect(pages[index]).toContain(row.number);
    expect((await renderPdf(rows)).equals(pdf)).toBe(true);
  });

  it("has bookmarks", async () => {
    const pdf = await renderPdf([ledgerRow(), creditNoteRow()]);
    const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
    const outline = await (await task.promise).getOutline();
    await task.destroy();
    expect(outline.map((entry) => entry.title)).toEqual(["AC/26-27/00001", "CN/26-27/00001"]);
  });

  it("shows of a row that cannot be read what is wrong, and prints the others", async () => {
    const unreadable = [ledgerRow({ layout: 7 }), ledgerRow({ stateCode: "25" })];
    const [layout, state, last] = await pagesOf(await renderPdf([...unreadable, sampleRow()]));
    expect(layout).toContain("its layout 7 is not known here. Invoice number AC/26-27/00001");
    expect(layout).not.toContain("1,179.00");
    expect(state).toContain("The place of supply cannot be read: Unknown (25).");
    expect(state).toContain("1,179.00");
    expect(last).toContain("RC/26-27/00001");
  });

  it("refuses to be empty", async () => {
    expect(() => renderPdf([])).toThrow(RangeError);
  });
});
