/**
 * From the ledger's total of a month, by document date over all documents, to the list's revenue of
 * the same dates, by session date over existing appointments. Each line is counted by itself, none
 * is what is left over: if something is missing the ends differ.
 */
import { leftOf } from "#app/model/refund.ts";
import type {
  DocumentSum,
  LedgerParts,
  SessionPayment,
  SessionRefund,
} from "#db/queries/gst-month.server.ts";

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
      ...sumOf(refunds, (one) => (counts(one) ? (one.creditedPaise ?? 0) - one.amountPaise : 0)),
    },
    {
      label: "Gone back at the provider, not read singly yet",
      ...sumOf(invoiced, (one) => -Math.max(0, one.refundedPaise - accepted(one))),
    },
    {
      label: "Credit notes whose refund failed at the provider",
      ...sumOf(refunds, (one) => (counts(one) ? 0 : (one.creditedPaise ?? 0))),
    },
    {
      label: "Refunds beyond the payment, in place of others",
      ...sumOf(invoiced, beyondPayment),
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

/** False for one made in the provider's dashboard that failed: no money moved. */
function counts({ origin, state, providerRefundId }: SessionRefund): boolean {
  return providerRefundId === null || origin === "us" || state !== "failed";
}

function accepted({ refunds }: SessionPayment): number {
  return refunds
    .filter((refund) => refund.providerRefundId !== null && counts(refund))
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
}

/** Of a refund that failed its credit note stays, and another may have gone back in its place. */
function beyondPayment(payment: SessionPayment): number {
  const wished = payment.refunds
    .filter((refund) => refund.providerRefundId === null)
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  const back = Math.max(accepted(payment), payment.refundedPaise) + wished;
  return Math.max(0, back - payment.amountPaise);
}

function sumOf<T>(rows: readonly T[], paiseOf: (row: T) => number): DocumentSum {
  const amounts = rows.map(paiseOf).filter((paise) => paise !== 0);
  return { count: amounts.length, paise: amounts.reduce((sum, paise) => sum + paise, 0) };
}
