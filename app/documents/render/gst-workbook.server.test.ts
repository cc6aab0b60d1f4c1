/** The accountant's workbook, cell by cell; `tests/operations` holds that its sums tie. */
import { describe, expect, it } from "vitest";
import { codeWithState, LAYOUT } from "#app/documents/document-facts.ts";
import { GST_STATES } from "#app/model/gstin.ts";
import { leftOf } from "#app/model/refund.ts";
import type { GstDocument, SessionPayment } from "#db/queries/reports.server.ts";
import { FILER, gstBook, NO_PARTS, rowsOf, textOf } from "#tests/support/gst-month.ts";
import { gstDocument } from "#tests/support/ledger-rows.ts";
import { bridgeLines } from "./gst-summary.server.ts";

/** What is configured, which is not what the documents print. */
const TODAY = { name: "Test Aviation Private Limited", gstin: "27AAACB2894G1ZN" };
const supplier = (printed: object) => JSON.stringify(printed);

const document = (changes: Partial<GstDocument> = {}) =>
  gstDocument({
    onDate: "2026-11-05",
    layout: LAYOUT,
    supplier: supplier(FILER),
    paidAt: Date.UTC(2026, 10, 5, 6, 30),
    ...changes,
  });

const ELSEWHERE = { stateCode: "27", tax: { cgst: 0, sgst: 0, igst: 18_000 } };
const COMPANY = { ...ELSEWHERE, customerGstin: "27AAACB2894G1ZN", customerName: "Müller’s Air" };
const NOTE = { kind: "credit_note", series: "CN", invoiceNumber: "AC/26-27/00002" } as const;
const MONTH = [
  document(),
  document({ ...COMPANY, number: "AC/26-27/00002", serial: 2 }),
  document({ ...COMPANY, ...NOTE, number: "CN/26-27/00001" }),
];

const sheetsOf = (documents: GstDocument[], more = {}) => gstBook(documents, more, TODAY);

/** What happens seldom, all in one month. */
const ODD = [
  { roundOffPaise: 18 },
  { stateCode: "__proto__" },
  { ...COMPANY, customerGstin: "27AAACB2894G1ZA" },
  { layout: 99 },
  { supplier: "{" },
  { ...COMPANY, supplier: supplier(TODAY) },
  { paidAt: Date.UTC(2026, 9, 28, 6) },
  { paidAt: Date.UTC(2026, 1, 28, 6) },
  { ...COMPANY, taxablePaise: 123_456_750, totalPaise: 145_679_000 },
  { ...NOTE, number: "CN/26-27/00001", paidAt: Date.UTC(2026, 9, 28, 6), roundOffPaise: 8 },
].map((changes, n) => document({ number: `AC/26-27/0000${n + 1}`, serial: n + 1, ...changes }));

it("says of what cannot be read what it is, and of what was paid in an earlier month when", async () => {
  const book = sheetsOf(ODD, { undated: 2 });
  const sheets = ["Register", "Summary", "b2b,sez,de", "b2cs", "docs"];
  await expect(textOf(book, sheets)).toMatchFileSnapshot("golden/odd-month.txt");
});

/**
 * Sheets made for the accountant; the others follow the tool's template, whose headings and labels
 * `golden/month.txt` has.
 */
const OWN = ["Register", "Summary", "Settlements", "Journal"];

it("names what is not settled only where something is", () => {
  expect(rowsOf(sheetsOf(MONTH), "Settlements")).toHaveLength(1);
});

describe("the sheets of the portal's tool", () => {
  it("have a customer abroad in those of exports, and in the summary how they paid", () => {
    const abroad = { ...ELSEWHERE, stateCode: "96", customerCountry: "Nepal" };
    const formula = document({ ...abroad, customerCountry: "=1+1" });
    expect(rowsOf(sheetsOf([formula]), "Summary").flat()).toContain("'=1+1");
    const book = sheetsOf([document(abroad)]);
    expect(book.SheetNames).toEqual([...OWN, "exp", "hsn(b2c)", "docs"]);
    const flags = (international: number | null) =>
      rowsOf(sheetsOf([document({ ...abroad, international })]), "Summary")
        .filter(([country]) => country === "Nepal")
        .map((row) => row[3]);
    expect([null, 0, 1].flatMap(flags)).toEqual(["not known", "no", "yes"]);
    expect(rowsOf(sheetsOf(MONTH), "Summary").flat()).not.toContain("Outside India");
  });

  it("are named with the credit notes that come too late to take the tax back", () => {
    const note = (onDate: string, number: string) =>
      document({ ...NOTE, number, onDate, invoiceDate: "2027-03-31" });
    const lines = rowsOf(
      sheetsOf([note("2027-11-30", "CN/1"), note("2027-12-01", "CN/2")]),
      "Summary",
    );
    const late = lines
      .map(([first]) => first)
      .filter((first) => /^CN|30 November/.test(first ?? ""));
    expect(late).toEqual(["Credit note after 30 November", "CN/2"]);
  });

  it("take the tax of a state's two halves as it was charged where they state it", () => {
    const odd = { taxablePaise: 100_003, tax: { cgst: 9_000, sgst: 9_001, igst: 0 } };
    const lines = rowsOf(sheetsOf([document(odd)]), "Summary");
    const differences = new Map(lines.map((row) => [row[0], row[4]]));
    expect([differences.get("b2cs"), differences.get("hsn(b2c)")]).toEqual(["0.01", "0.00"]);
  });

  it("take a consumer's credit note off the place of its invoice, below zero too", () => {
    const half = { taxablePaise: 50_000, tax: { cgst: 4_500, sgst: 4_500, igst: 0 } };
    const note = document({ ...NOTE, ...half, totalPaise: 59_000, number: "CN/26-27/00001" });
    expect(rowsOf(sheetsOf([document(), note]), "b2cs").slice(4)).toEqual([
      ["OE", "29-Karnataka", "", "18", "499.00", "0.00", ""],
    ]);
    expect(rowsOf(sheetsOf([note]), "b2cs").at(-1)?.[4]).toBe("-500.00");
    expect(rowsOf(sheetsOf([note]), "hsn(b2c)").at(-1)?.[4]).toBe("-590.00");
  });

  it("spell every place as the tool's list does", () => {
    const places = [...GST_STATES.keys()].sort().map(codeWithState).join(", ");
    expect(places).toBe(
      "01-Jammu & Kashmir, 02-Himachal Pradesh, 03-Punjab, 04-Chandigarh, 05-Uttarakhand, 06-Haryana, 07-Delhi, 08-Rajasthan, 09-Uttar Pradesh, 10-Bihar, 11-Sikkim, 12-Arunachal Pradesh, 13-Nagaland, 14-Manipur, 15-Mizoram, 16-Tripura, 17-Meghalaya, 18-Assam, 19-West Bengal, 20-Jharkhand, 21-Odisha, 22-Chhattisgarh, 23-Madhya Pradesh, 24-Gujarat, 26-Dadra & Nagar Haveli & Daman & Diu, 27-Maharashtra, 29-Karnataka, 30-Goa, 31-Lakshdweep, 32-Kerala, 33-Tamil Nadu, 34-Puducherry, 35-Andaman & Nicobar Islands, 36-Telangana, 37-Andhra Pradesh, 38-Ladakh, 97-Other Territory",
    );
  });
});

describe("what is no tax document, or cannot be read", () => {
  it("a sample stands in no sheet of the tool, even alone", () => {
    const sample = document({ sample: true, series: "RC", number: "RC/26-27/00001" });
    expect(sheetsOf([sample]).SheetNames).toEqual(OWN);
  });

  it("a number among the month's that stands in no month is not called cancelled", () => {
    const third = document({ number: "AC/26-27/00003", serial: 3 });
    const second = document({ number: "AC/26-27/00002", serial: 2, onDate: "someday" });
    const docs = (more = {}) => rowsOf(sheetsOf([document(), third], more), "docs").at(-1);
    const numbers = ["AC/26-27/00001", "AC/26-27/00003", "3"];
    expect(docs()).toEqual(["Invoices for outward supply", ...numbers, "1"]);
    expect(docs({ undated: 1, numberedAmong: [second] })?.slice(1)).toEqual([...numbers, "0"]);
  });

  it("names who issued the documents, and who would now", () => {
    const head = (documents: GstDocument[]) => rowsOf(sheetsOf(documents), "Register").slice(0, 4);
    expect(head([document()])).toEqual(
      [[FILER.name], [FILER.gstin], ["November 2026 (2026-11)"], [""]].map((one) =>
        expect.arrayContaining(one),
      ),
    );
    expect(head([])[1]![0]).toBe(TODAY.gstin);
    const { gstin: _, ...unregistered } = FILER;
    const sample = document({ sample: true, supplier: supplier(unregistered) });
    expect(head([sample])[1]![0]).toBe("No GSTIN: sample documents");
  });

  it("a month without documents says so", () => {
    const book = sheetsOf([]);
    expect(book.SheetNames).toEqual(OWN);
    for (const sheet of ["Register", "Summary"]) {
      expect(rowsOf(book, sheet)[3]![0]).toBe("No documents in this month.");
    }
    expect(rowsOf(book, "Register")).toHaveLength(5);
  });

  it("has the register's and each tool sheet's headings on every printed page", () => {
    const names = sheetsOf([document()]).Workbook?.Names;
    const titles = names?.filter(({ Name }) => Name === "_xlnm.Print_Titles");
    expect(titles?.map(({ Ref }) => Ref)).toEqual([
      "'Register'!$5:$5",
      "'Settlements'!$1:$1",
      "'Journal'!$1:$1",
      "'b2cs'!$4:$4",
      "'hsn(b2c)'!$4:$4",
      "'docs'!$4:$4",
    ]);
  });
});

describe("the bridge", () => {
  const refund = {
    ...({ amountPaise: 400, state: "processed", way: "provider", reason: "cancelled" } as const),
    counts: 1,
    creditedPaise: 400,
  };
  const wanted = { ...refund, state: "wanted", creditedPaise: null } as const;
  const dashboard = { ...refund, way: "dashboard", reason: "dashboard" } as const;
  const failedThere = { ...dashboard, state: "failed", counts: 0 } as const;
  const superseded = { ...refund, state: "superseded", counts: 0 } as const;
  const usual = { amountPaise: 1_000, takenBackPaise: 0, invoicePaise: 1_000, refunds: [] };
  const PAYMENTS: Record<string, Partial<SessionPayment>> = {
    nothing: { refunds: [refund] },
    "a refund asked for": { refunds: [wanted] },
    "what the provider counts and nobody has read": {
      refunds: [refund, { ...dashboard, state: "pending", amountPaise: 250, creditedPaise: null }],
    },
    "a credited refund that failed in the dashboard": { refunds: [failedThere] },
    "a credited refund of ours that failed": { refunds: [{ ...refund, state: "failed" }] },
    "a payment of which part had gone back before it was assigned": {
      amountPaise: 1_400,
      refunds: [{ ...dashboard, creditedPaise: null }],
    },
    "a second payment that stays for now": {
      invoicePaise: null,
      refunds: [{ ...wanted, amountPaise: 100 }],
    },
    "a failed refund that was made again in the dashboard": {
      refunds: [
        { ...superseded, amountPaise: 1_000, creditedPaise: 1_000 },
        { ...dashboard, amountPaise: 1_000, creditedPaise: null },
      ],
    },
    "one made again that is credited in part": {
      refunds: [superseded, { ...dashboard, amountPaise: 1_000, creditedPaise: 600 }],
    },
    "a lost dispute, where the rest had gone back": { takenBackPaise: 600, refunds: [refund] },
    "a lost dispute of a payment without an invoice": { invoicePaise: null, takenBackPaise: 600 },
  };

  it("counts these under these lines", async () => {
    const counted = Object.entries(PAYMENTS).flatMap(([name, payment]) => [
      `${name}:`,
      ...bridgeLines(NO_PARTS, [{ ...usual, ...payment }])
        .filter(({ paise }) => paise !== 0)
        .map(({ label, count, paise }) => `  ${label}: ${count}, ${paise} paise`),
    ]);
    await expect(`${counted.join("\n")}\n`).toMatchFileSnapshot("golden/bridge.txt");
  });

  it("closes to what the list keeps of any payment", () => {
    const refunds: SessionPayment["refunds"] = [
      refund,
      { ...dashboard, amountPaise: 1_000, creditedPaise: 600 },
      { ...refund, amountPaise: 1_000, creditedPaise: null, state: "failed" },
      failedThere,
      wanted,
      { ...superseded, creditedPaise: null },
    ];
    for (let chosen = 0; chosen < 2 ** refunds.length; chosen++) {
      for (const takenBackPaise of [0, 400, 1_000]) {
        const some = refunds.filter((_, i) => (chosen >> i) & 1);
        const payment = { ...usual, takenBackPaise, refunds: some };
        const credited = some.reduce((sum, one) => sum + (one.creditedPaise ?? 0), 0);
        const lines = bridgeLines(NO_PARTS, [payment]).reduce((sum, { paise }) => sum + paise, 0);
        expect([payment, 1_000 - credited + lines]).toEqual([payment, leftOf(payment, some)]);
      }
    }
  });

  it("that does not close says by how much", () => {
    const rows = rowsOf(sheetsOf([document()], { revenuePaise: 120_000 }), "Summary");
    expect(rows.at(-1)!.slice(0, 3)).toEqual(["Difference", "", "21.00"]);
  });
});
