/** Invoices and credit notes: one for each cause, and both series without a gap. */
import type { DocumentTable } from "#db/ledger-document.ts";
import { type Evidence, isPaidStatus, type Violation } from "./evidence.ts";

export function auditDocuments(evidence: Evidence): Violation[] {
  return [...invoices(evidence), ...creditNotes(evidence), ...series(evidence)];
}

function invoices({ documents, appointments, payments, moments }: Evidence): Violation[] {
  const issued = documents.filter(({ kind }) => kind === "invoice");
  const wrong = (what: string, about: string[]): Violation => ({
    rule: "one invoice a confirmed appointment",
    what,
    about,
  });
  const violations: Violation[] = [];
  for (const [id, states] of moments) {
    const own = issued.filter((document) => document.appointment_id === id);
    const confirmed = states.some(({ status }) => isPaidStatus(status));
    const expected = confirmed ? 1 : 0;
    if (own.length !== expected) {
      violations.push(wrong(`${own.length} invoices instead of ${expected}: ${id}`, [id]));
    }
  }
  for (const { number, payment_id, appointment_id, total_paise } of issued) {
    const payment = payments.get(payment_id);
    if (payment?.outcome !== "applied" && payment?.outcome !== "assigned") {
      violations.push(wrong(`${number} for a payment that is ${payment?.outcome}`, [payment_id]));
    }
    const price = appointments.get(appointment_id)?.total_paise;
    if (price !== undefined && price !== total_paise) {
      violations.push(wrong(`${number} over ${total_paise} instead of ${price}`, [appointment_id]));
    }
  }
  return violations;
}

/**
 * Of what was accepted, also for a refund that failed later: its note stands. Another refund in its
 * place then gets one over what is left of the invoice, or none.
 */
function creditNotes({ documents, refunds, sandbox }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const notes = documents.filter(({ kind }) => kind === "credit_note");
  const wrong = (what: string, about: string[]) =>
    violations.push({ rule: "one credit note a refund of an invoiced payment", what, about });
  const invoiced = new Map(
    documents.filter(({ kind }) => kind === "invoice").map((d) => [d.payment_id, d]),
  );
  for (const refund of refunds) {
    const invoice = invoiced.get(refund.payment_id);
    const own = notes.filter((note) => note.refund_id === refund.id);
    const accepted = sandbox.ledger.refunds.has(refund.provider_refund_id ?? "");
    const expected = invoice && accepted ? 1 : 0;
    const about = [refund.payment_id, refund.appointment_id ?? ""];
    const credited = notes
      .filter((note) => note.invoice_number === invoice?.number)
      .reduce((sum, note) => sum + note.total_paise, 0);
    const isWhole = credited === invoice?.total_paise;
    if (invoice && credited > invoice.total_paise) wrong(`more than ${invoice.number}`, about);
    if (own.length !== expected && !(isWhole && own.length < expected)) {
      wrong(`${own.length} instead of ${expected} for ${refund.payment_id} ${refund.state}`, about);
    }
    for (const note of own) {
      const fits =
        note.total_paise === refund.amount_paise ||
        (isWhole && note.total_paise < refund.amount_paise);
      if (!fits || note.invoice_number !== invoice?.number) {
        wrong(`${note.number} does not fit its refund of ${refund.amount_paise}`, about);
      }
    }
  }
  for (const note of notes) {
    if (!refunds.some(({ id }) => id === note.refund_id)) {
      wrong(`${note.number} belongs to no refund`, [note.payment_id]);
    }
  }
  return violations;
}

function series({ documents, db }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const nameOf = (d: Pick<DocumentTable, "series" | "financial_year">) =>
    `${d.series}/${d.financial_year}`;
  const last = new Map(
    db
      .allRaw<{ series: string; financial_year: string; last_serial: number }>(
        "SELECT * FROM document_series",
      )
      .map((row) => [nameOf(row), row.last_serial]),
  );
  for (const [name, given] of Map.groupBy(documents, nameOf)) {
    const serials = given.map(({ serial }) => serial).sort((a, b) => a - b);
    const gapless = serials.every((serial, i) => serial === i + 1);
    if (!gapless || last.get(name) !== serials.length) {
      violations.push({
        rule: "series without gap",
        what: `${name}: ${serials.join(" ")}, last ${last.get(name)}`,
        about: [],
      });
    }
  }
  return violations;
}
