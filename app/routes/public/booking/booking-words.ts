/** Texts and links of the booking page; pure. */
import type { BookingPage } from "#app/booking/booking-page.server.ts";
import { documentFacts } from "#app/documents/document-facts.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { formatAmount } from "#app/model/money.ts";
import { sumsFacts } from "#app/model/refund.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { goesBackWords, reasonWords, refundLine, tooLateToRefund } from "#app/model/wording.ts";
import type { Notice } from "#app/routes/public/parts/form-problem.tsx";
import type { PrintableDocument } from "#db/ledger-document.ts";

/** `meera@example.in` → `m•••@e•••.in`: only its owner recognises and can type the address. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf(".");
  const ending = dot > 0 ? domain.slice(dot) : "";
  return `${email.slice(0, 1)}•••@${domain.slice(0, 1)}•••${ending}`;
}

export type MoneyBackView = NonNullable<ReturnType<typeof moneyBackView>>;

type Money = Pick<BookingPage, "refunds" | "sums" | "underWayPaise">;

/** What is said of the money, and its sums; null if there is nothing to say. */
export function moneyBackView(
  { refunds, sums, underWayPaise }: Money,
  { status }: Pick<Appointment, "status">,
) {
  const says = refunds.map((refund) =>
    [refundLine(refund), reasonWords(refund.note)].filter(Boolean).join(" "),
  );
  if (status === "cancelled") {
    const isKept = says.length === 0 && sums.takenPaise === 0 && sums.keptPaise > 0;
    if (isKept) says.push(tooLateToRefund(false));
    if (underWayPaise > 0) says.push(goesBackWords(underWayPaise));
  }
  if (says.length === 0 && sums.takenPaise === 0) return null;
  return {
    refunds: says,
    sums: sums.paidPaise === 0 ? [] : sumsFacts(sums),
  };
}

/** The text of an invoice or credit note, for people who cannot read its PDF. */
export function paperView(document: PrintableDocument) {
  const facts = documentFacts(document);
  const { supplier } = facts;
  const said: [string, string | null][] = [
    ["Number", document.number],
    ["Date", facts.date],
    ["Paid on", facts.paidOn],
    ["Issued by", inOneLine(supplier.name, supplier.address)],
    ["GSTIN of the issuer", supplier.gstin || null],
    [facts.partyLabel, inOneLine(document.customerName, document.customerAddress ?? "")],
    ["GSTIN", document.customerGstin],
    ["Country", document.customerCountry],
    ["Place of supply", facts.placeOfSupply],
    ["Endorsement", facts.endorsement],
    ["Reverse charge", "No"],
    ["For", inOneLine(document.description)],
    ["SAC", document.sac],
    ...[...facts.amounts, facts.total].map(([label, paise]): [string, string] => [
      label,
      formatAmount(paise),
    ]),
    facts.paid,
    ["Original", facts.corrects],
  ];
  return {
    title: `${facts.name} ${document.number}`,
    said: said.filter((line): line is [string, string] => line[1] !== null),
  };
}

function inOneLine(...texts: string[]): string {
  const lines = texts.flatMap((text) => text.split("\n").map((line) => line.trim()));
  return lines.filter(Boolean).join(", ");
}

/**
 * Links that fill in an entry of Google's or Outlook's web calendar. They contain only title and time,
 * nothing that identifies the booking or its customer.
 */
export function calendarLinks(
  title: string,
  { startsAt, endsAt }: Pick<Appointment, "startsAt" | "endsAt">,
) {
  const start = isoSeconds(startsAt);
  const end = isoSeconds(endsAt);
  const dates = `${start}/${end}`.replace(/[-:]/g, "");
  const action = "TEMPLATE";
  return {
    google: linkTo("calendar.google.com/calendar/render", { action, text: title, dates }),
    outlook: linkTo("outlook.live.com/calendar/0/deeplink/compose", {
      path: "/calendar/action/compose",
      rru: "addevent",
      subject: title,
      startdt: start,
      enddt: end,
    }),
  };
}

function isoSeconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Does not use form encoding, because Outlook shows its plus signs. */
function linkTo(address: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return `https://${address}?${pairs.join("&")}`;
}

/** By the code in the page's query; undefined for an unknown one. */
export const noticeFor = lookUp<string, Notice>({
  ready: {
    title: "One more step",
    text: "The time is kept for you. Press the pay button again, and the payment page opens.",
  },
  cancelled: {
    title: "Payment Cancelled",
    text: "Payment was cancelled. You can try again later.",
  },
  failed: {
    title: "The payment did not go through",
    text: "Your bank or app refused it, or it was interrupted. You can try again.",
  },
  unverified: {
    title: "Payment Verification Failed",
    text: "We could not verify the payment. If money has left your account, we will find it and write to you.",
  },
  amount: {
    title: "Payment Verification Failed",
    text: "The amount paid is not the price of this session. We are sending it back in full. Please pay again, this time the amount shown.",
  },
  slot_taken: {
    title: "This time is taken",
    text: "Your time to pay had ended, and the session is no longer free. Please choose another one.",
  },
  payment_window_over: {
    title: "This booking can no longer be paid",
    text: "Please book a new time.",
  },
  rate_limited: {
    title: "We cannot hold this time again yet",
    text: "Too many unpaid sessions are held from your network. Please pay for one of them, or try again later.",
  },
  provider_unavailable: {
    title: "Payment Setup Failed",
    text: "The payment provider does not answer right now. Your time is still held. Please try again in a moment.",
  },
});
