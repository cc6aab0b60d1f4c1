/** The doctor against the sandbox: nothing wrong but the samples, then one thing wrong at a time. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { runCheck } from "#app/doctor/checks.server.ts";
import { faultsOfTemplate } from "#app/doctor/messages.server.ts";
import { ALL_CHECKS } from "#app/jobs/doctor.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { freePort } from "#scripts/process/ports.ts";
import { scratchFolder, sharedApp } from "#tests/support/hooks.ts";
import { creditNoteRow, ledgerRow } from "#tests/support/ledger-rows.ts";
import { listening } from "#tests/support/listening.ts";
import { runScript } from "#tests/support/run-script.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const app = sharedApp();
const folder = scratchFolder();

const FINE = [
  "Settings",
  "Razorpay keys",
  "Razorpay webhook secret",
  "Razorpay checkout script",
  "Clock",
  "Mail server",
  "WhatsApp",
  "WhatsApp texts",
  "Razorpay's calls",
  "Disk (DATABASE_PATH)",
  "E-invoices",
  "Disk (BACKUP_DIR)",
  "Database",
  "Public address",
  "Forms",
  "Razorpay webhook",
];

const SAMPLES =
  "Catalogue: Capt. Asha Sample and Capt. Rohan Sample: samples, not people who can be booked";

/** What its checks find with a sound configuration, without a process of its own. */
async function examine(changes: Record<string, string> = {}) {
  const source = { ...app.env, ...changes };
  const { env } = parseEnv(source);
  const examined = { env, source, now: Date.now(), provider: createRazorpay(env.razorpay) };
  const results = await Promise.all(ALL_CHECKS.map((check) => runCheck(check, examined)));
  const findings = results.flatMap(({ findings }) => findings);
  const found = (wanted: string) =>
    findings
      .filter(({ level }) => level === wanted)
      .map(({ subject, says, mend }) => `${subject}: ${says}${mend ? ` → ${mend}` : ""}`);
  return { fine: found("fine"), look: found("look"), wrong: found("wrong") };
}

/** What it prints: the lines of each mark without it. */
async function doctor(changes: Record<string, string | undefined> = {}, ...options: string[]) {
  const env = { NODE_ENV: undefined, VITEST: undefined, ...app.env, ...changes };
  const { status, output } = await runScript("doctor.ts", options, env);
  const marked = (mark: string) =>
    output
      .split("\n")
      .filter((line) => line.startsWith(`  ${mark}`))
      .map((line) => line.slice(mark.length + 2).trim());
  return { status, output, look: marked("LOOK"), wrong: marked("WRONG") };
}

describe("npm run doctor", () => {
  it("is a list of steps, and names the one to go on with and the variables that no longer count", async () => {
    app.db.runRaw(
      `UPDATE owner_settings SET saved = '{"businessPhone":"+91 80 1","businessSac":"999299","businessGstin":null}'`,
    );
    const { status, output, look, wrong } = await doctor({ BUSINESS_SAC: "999299" });
    app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
    expect([status, wrong]).toEqual([1, [SAMPLES]]);
    expect(output.match(/^\d\. .*$/gm)).toEqual([
      ...["1. Configuration", "2. Machine", "3. Public address", "4. Razorpay", "5. Mail"],
      ...["6. WhatsApp", "7. Captains and documents", "8. Copies off the machine"],
    ]);
    expect(output).toContain("Configuration: every variable is there and well-formed");
    expect(output).toContain("Go on with “7. Captains and documents”");
    expect(look.filter((line) => line.startsWith("Settings"))).toEqual([
      "Settings: BUSINESS_PHONE: no longer counted, since another value is saved",
    ]);
  });

  it("finds nothing wrong with a good configuration but the sample captains", async () => {
    const { wrong, fine } = await examine();
    expect(wrong.map((line) => line.split(" → ")[0])).toEqual([SAMPLES]);
    expect(fine.map((line) => line.split(":")[0])).toEqual(expect.arrayContaining(FINE));
  });

  it("prints the WhatsApp texts to submit, and calls no service for it", async () => {
    const names = { WHATSAPP_TEMPLATE_PREFIX: "captains_", WHATSAPP_LANGUAGE: "en_IN" };
    const { status, output } = await doctor({ ...names, SMTP_URL: undefined }, "--templates");
    expect(status).toBe(0);
    expect(output.match(/^Name: captains_\w+$/gm)).toHaveLength(9);
    expect(output.match(/^Category: Utility. Language: en_IN$/gm)).toHaveLength(9);
    expect(output.match(/^Validity period: (30 days|12 hours|1 hour)$/gm)).toHaveLength(9);
    const [first] = output.split("-----");
    const places = (text = "") => new Set(text.match(/\{\{\d\}\}/g)).size;
    expect(first!.match(/^\{\{\d\}\} for example: .+$/gm)).toHaveLength(places(first));
    expect(output).not.toContain("Configuration:");
  });

  it("names what Meta would refuse", async () => {
    expect((await examine({ WHATSAPP_TEMPLATE_PREFIX: "Our-" })).wrong.join("\n")).toContain(
      "WhatsApp texts: Our-booking_confirmed is no name that Meta takes",
    );
    const faults = faultsOfTemplate("hello", "Hello {{1}}. {{2}} Bye.");
    expect(faults.map(({ level, says }) => [level, says])).toEqual([
      ["wrong", "hello: No word stands between places 1 and 2."],
      ["wrong", "hello: 2 places want at least 5 words; it has 2."],
    ]);
  });

  it("names every missing variable and that nobody could sign in, and calls no service without it", async () => {
    const fresh = { DATABASE_PATH: join(folder, "new.db"), BACKUP_DIR: join(folder, "copies") };
    const missing = { RAZORPAY_KEY_SECRET: undefined, ADMIN_PASSWORD: undefined };
    const report = await doctor({ ...fresh, ...missing, SMTP_URL: "ftp://x" });
    expect(report.wrong).toContain("Configuration: RAZORPAY_KEY_SECRET is missing");
    expect(report.wrong).toContain("Configuration: SMTP_URL must be smtps://… or smtp://…");
    expect(report.wrong).toContain("Admin account: there is none");
    expect(report.output).not.toMatch(/Razorpay keys:|Mail server:/);
    const weak = await examine({ ...fresh, ADMIN_PASSWORD: "captain2026" });
    expect(weak.wrong.join("\n")).toMatch(/Admin account: ADMIN_PASSWORD (must|is)/);
  });

  it("names keys, tokens and secrets that are wrong, and how to mend them", async () => {
    const report = await examine({
      RAZORPAY_KEY_SECRET: "wrong",
      RAZORPAY_WEBHOOK_SECRET: "wrong",
      WHATSAPP_TOKEN: "wrong",
    });
    const wrong = report.wrong.join("\n");
    expect(wrong).toContain("Razorpay keys: the provider refuses them");
    expect(wrong).toContain("Razorpay webhook secret: it is the API secret");
    expect(wrong).toContain("Razorpay webhook: a rightly signed event is answered with 400");
    expect(wrong).toMatch(/WhatsApp: 190: .*token/i);
    expect(wrong).toContain("→ Copy RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET anew");
  });

  it("names what does not answer, and what answers in its place", async () => {
    const closed = await freePort();
    const other = createServer((_, response) => response.end("another site"));
    const port = await listening(other);
    const report = await examine({
      SMTP_URL: `smtp://127.0.0.1:${closed}`,
      RAZORPAY_CHECKOUT_URL: `http://127.0.0.1:${closed}/checkout.js`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    });
    other.close();
    const wrong = report.wrong.join("\n");
    expect(wrong).toMatch(/Mail server: 127\.0\.0\.1: .*ECONNREFUSED/);
    expect(wrong).toMatch(/Razorpay checkout script: .*ECONNREFUSED/);
    expect(wrong).toContain("and not as this app does");
    const gone = await examine({ PUBLIC_URL: `http://127.0.0.1:${closed}` });
    expect(gone.wrong.join("\n")).toMatch(/Public address: .*ECONNREFUSED/);
  });

  it("names folders it cannot write to, and a volume that is not used", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const report = await examine({
      BACKUP_DIR: join(file, "backups"),
      FLY_APP_NAME: "captains",
      TRUSTED_PROXY_HEADER: "x-forwarded-for",
    });
    const wrong = report.wrong.join("\n");
    expect(wrong).toContain("Disk (BACKUP_DIR): cannot be written");
    expect(wrong).toMatch(/Disk \(DATABASE_PATH\): .* is not on the volume/);
    expect(wrong).toContain("Client address: on Fly, x-forwarded-for can be set by anybody");
  });

  it("says what waits for a person", async () => {
    addRow(app.db, "payment", "pay_00000000000009", { amount_paise: 100, outcome: "unmatched" });
    const report = await examine();
    expect(report.look.join("\n")).toContain("Waiting for a person: 1 × unmatched payment");
  });

  it("says from which turnover on e-invoices are due, and when a year has passed it", async () => {
    const limit =
      "above a turnover of ₹5,00,00,000 in a financial year, invoices to companies and abroad need e-invoices";
    expect((await examine()).fine).toContain(`E-invoices: ${limit}`);
    const year = { taxablePaise: 6_00_00_000_00, totalPaise: 7_08_00_000_00, paymentId: "pay_1" };
    const tax = { cgst: 54_00_000_00, sgst: 54_00_000_00, igst: 0 };
    insertDocument(app.db, ledgerRow({ ...year, tax }));
    const sample = { ...year, number: "SMP/26-27/00001", series: "SMP", paymentId: "pay_2" };
    insertDocument(app.db, ledgerRow({ ...sample, tax, sample: true }));
    const part = { taxablePaise: 50_00_000_00, totalPaise: 59_00_000_00, refundId: "refund_1" };
    const partTax = { cgst: 4_50_000_00, sgst: 4_50_000_00, igst: 0 };
    insertDocument(app.db, creditNoteRow({ ...part, tax: partTax }));
    expect((await examine()).look.join("\n")).toContain(
      `E-invoices: ₹5,50,00,000 in 26-27: ${limit}`,
    );
  });
});
