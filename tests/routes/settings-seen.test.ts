/** Each setting, changed by the owner, where people see it: on pages, in mails and calendars, on documents. */
import { beforeAll, describe, expect, it } from "vitest";
import { gstinCheckDigit } from "#app/model/gstin.ts";
import { adminOf, book, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { png } from "#tests/support/png.ts";

const app = sharedApp();

const GSTIN = `27ABCDE1234F1Z${gstinCheckDigit("27ABCDE1234F1Z")}`;
const WANTED = {
  brand: "Wings Over Pune",
  tagline: "Sooner in the air",
  accent: "#7a1f5c",
  businessName: "Changed Aviation LLP",
  businessAddress: "5 Changed Street, Pune",
  businessState: "27",
  businessGstin: GSTIN,
  businessCin: "AAB-1234",
  businessSac: "998399",
  businessEmail: "changed@wings.example",
  businessPhone: "+91 20 4000 5000",
  grievanceContact: "Changed Officer, Pune",
  minNoticeMinutes: 2880,
  bookingWindowDays: 40,
  paymentWindowSeconds: 420,
  holdSeconds: 1260,
  selfServiceCutoffHours: 36,
  retentionUnpaidDays: 77,
  askState: "required",
  faq: [{ question: "Is it changed?", answer: "It is." }],
};

/** All of it as a visitor has it now, with a booking of their own. */
async function look(daysAhead: number) {
  const email = `look.${daysAhead}@visitors.example`;
  const { id } = await bookAndPay(app, { date: dayAhead(daysAhead), email, state: "29" });
  const page = async (path: string) => (await app.api(path)).html;
  const [letter] = await app.sandbox.mailbox.waitFor({ to: email });
  const { mail } = app.sandbox.mailbox.find(letter!.n)!;
  const invoice = await app.api(`/api/invoice/${id}`);
  const held = await book(app, { date: dayAhead(daysAhead), timeSlot: "14:00" });
  const { pay_before: payBefore, held_until: heldUntil } = app.db.firstRaw<{
    pay_before: number;
    held_until: number;
  }>(
    "SELECT pay_before, held_until FROM appointment JOIN session_time ON appointment_id = id WHERE id = ?",
    [held.id],
  )!;
  const about = async (days: number) => {
    const search = new URLSearchParams({ counselor: ASHA, date: dayAhead(days) });
    return (await app.api(`/api/slots?${search}`)).data.availableSlots.length > 0;
  };
  const offer = {
    tomorrow: await about(1),
    in50Days: await about(50),
    holdMore: (heldUntil - payBefore) / 1000,
    paySeconds: Math.round((payBefore - Date.now()) / 60_000) * 60,
  };
  return {
    home: await page("/"),
    terms: await page("/terms"),
    refunds: await page("/refunds"),
    privacy: await page("/privacy"),
    contact: await page("/contact"),
    booking: await page(`/booking/${id}`),
    mail: JSON.stringify([mail.text, mail.headers]),
    headers: JSON.stringify(mail.headers),
    invoice: await pdfText(invoice.bytes),
    calendar: await page(`/booking/${id}/calendar.ics`),
    offer: JSON.stringify(offer),
  };
}

type Seen = Awaited<ReturnType<typeof look>>;
type Place = keyof Seen;

const CASES: [setting: keyof typeof WANTED | "logo", words: string, places: Place[]][] = [
  ["brand", WANTED.brand, ["home", "terms", "booking", "mail", "invoice", "calendar"]],
  ["tagline", WANTED.tagline, ["home", "mail"]],
  ["accent", "/brand/7a1f5c.css", ["home", "terms", "booking"]],
  ["logo", "/96.webp", ["terms", "contact", "booking"]],
  ["businessName", WANTED.businessName, ["home", "terms", "contact", "mail", "invoice"]],
  ["businessAddress", WANTED.businessAddress, ["home", "contact", "mail", "invoice"]],
  ["businessState", "Maharashtra", ["invoice"]],
  ["businessState", "IGST", ["invoice"]],
  ["businessGstin", GSTIN, ["home", "contact", "invoice"]],
  ["businessCin", WANTED.businessCin, ["home", "contact", "invoice"]],
  ["businessSac", WANTED.businessSac, ["invoice"]],
  ["businessEmail", WANTED.businessEmail, ["home", "contact", "booking", "mail", "invoice"]],
  // Of the headers it stands in Reply-To alone.
  ["businessEmail", WANTED.businessEmail, ["headers"]],
  ["businessPhone", WANTED.businessPhone, ["home", "contact", "mail", "invoice"]],
  ["grievanceContact", WANTED.grievanceContact, ["home", "contact"]],
  ["minNoticeMinutes", '"tomorrow":false', ["offer"]],
  ["bookingWindowDays", '"in50Days":false', ["offer"]],
  ["paymentWindowSeconds", '"paySeconds":420', ["offer"]],
  ["holdSeconds", '"holdMore":840', ["offer"]],
  ["selfServiceCutoffHours", "36 hours", ["terms", "refunds"]],
  ["retentionUnpaidDays", "77 days", ["privacy"]],
  ["askState", "state required", ["home"]],
  ["faq", "Is it changed?", ["home"]],
];

let before: Seen;
let after: Seen;
beforeAll(async () => {
  const admin = await adminOf(app);
  before = await look(20);
  const body = await png(40, 40);
  await admin("/settings/logo", { method: "PUT", body, headers: { "Content-Type": "image/png" } });
  const changed = await admin("/settings", { method: "PATCH", json: WANTED });
  expect(changed.data.settings).toMatchObject(WANTED);
  after = await look(21);
});

describe.each(CASES)("%s: %s", (_, words, places) => {
  it.each(places)("%s", (place) => {
    expect(before[place]).not.toContain(words);
    expect(after[place]).toContain(words);
  });
});

it("leaves out no setting", () => {
  const named = new Set(CASES.map(([setting]) => setting));
  expect([...named].sort()).toEqual([...Object.keys(WANTED), "logo"].sort());
});
