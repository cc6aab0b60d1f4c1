/**
 * From the ledger's total of a month, by document date over all documents, to the list's revenue of
 * the same dates, by session date over existing appointments. Each line is counted by itself, none
 * is what is left over: if something is missing the ends differ.
 */
import { leftOf, TAKEN_BACK } from "#app/model/refund.ts";
import type { DocumentSum, LedgerParts, SessionPayment } from "#db/queries/reports.server.ts";

export interface BridgeLine extends DocumentSum {
  label: string;
}

/** From the third line on, of this month's sessions. */
export function bridgeLines(parts: LedgerParts, payments: readonly SessionPayment[]): BridgeLine[] {
  const invoiced = payments.filter(isInvoiced);
  const refunds = invoiced.flatMap((payment) => payment.refunds);
  const takenOff = ({ count, paise }: DocumentSum): DocumentSum => ({ count, paise: -paise });
  return [
    { label: "Documents of appointments deleted since", ...takenOff(parts.deleted) },
    { label: "Documents for sessions of other months", ...takenOff(parts.otherSessions) },
    { label: "Documents of other months for sessions of this one", ...parts.otherDates },
    {
      label: "Refunds wanted and not credited yet",
      ...sumOf(refunds, (one) => (one.counts ? (one.creditedPaise ?? 0) - one.amountPaise : 0)),
    },
    {
      label: "Credit notes of refunds that count no more",
      ...sumOf(refunds, (one) => (one.counts ? 0 : (one.creditedPaise ?? 0))),
    },
    {
      label: TAKEN_BACK,
      ...sumOf(invoiced, (one) => -one.takenBackPaise),
    },
    {
      label: "Paid beyond the invoice",
      ...sumOf(invoiced, (one) => one.amountPaise - one.invoicePaise),
    },
    {
      label: "Kept of payments without an invoice",
      ...sumOf(payments, (one) => (isInvoiced(one) ? 0 : leftOf(one, one.refunds))),
    },
  ];
}

type Invoiced = SessionPayment & { invoicePaise: number };

function isInvoiced(payment: SessionPayment): payment is Invoiced {
  return payment.invoicePaise !== null;
}

function sumOf<T>(rows: readonly T[], paiseOf: (row: T) => number): DocumentSum {
  const amounts = rows.map(paiseOf).filter((paise) => paise !== 0);
  return { count: amounts.length, paise: amounts.reduce((sum, paise) => sum + paise, 0) };
}
