/** Invoices and credit notes: one for each cause, and both series without a gap. */
import type { DocumentTable } from "#db/ledger-document.ts";
import { type Evidence, isPaidStatus, type Rules } from "./evidence.ts";

export const DOCUMENT_RULES: Rules = {
  "one invoice a confirmed appointment": invoices,
  "one credit note a refund of an invoiced payment": creditNotes,
  "series without gap": series,
};

function* invoices({ documents, appointments, payments, moments }: Evidence) {
  const issued = documents.filter(({ kind }) => kind === "invoice");
  for (const [id, states] of moments) {
    const own = issued.filter((document) => document.appointment_id === id);
    const expected = states.some(({ status }) => isPaidStatus(status)) ? 1 : 0;
    if (own.length !== expected) yield `${own.length} invoices instead of ${expected}: ${id}`;
  }
  for (const { number, payment_id, appointment_id, total_paise } of issued) {
    const outcome = payments.get(payment_id)?.outcome;
    if (outcome !== "applied" && outcome !== "assigned") {
      yield `${number} for a payment that is ${outcome}: ${payment_id}`;
    }
    const price = appointments.get(appointment_id)?.total_paise;
    if (price !== undefined && price !== total_paise) {
      yield `${number} over ${total_paise} instead of ${price}: ${appointment_id}`;
    }
  }
}

/**
 * Of what was accepted, also for a refund that failed later: its note stands. Another refund in its
 * place then gets one over what is left of the invoice, or none.
 */
function* creditNotes({ documents, refunds, sandbox }: Evidence) {
  const notes = documents.filter(({ kind }) => kind === "credit_note");
  for (const refund of refunds) {
    const { id, state, amount_paise, payment_id } = refund;
    const invoice = documents.find((d) => d.kind === "invoice" && d.payment_id === payment_id);
    const own = notes.filter((note) => note.refund_id === id);
    const accepted = sandbox.ledger.refunds.has(refund.provider_refund_id ?? "");
    const expected = invoice && accepted ? 1 : 0;
    const credited = notes
      .filter((note) => note.invoice_number === invoice?.number)
      .reduce((sum, note) => sum + note.total_paise, 0);
    const isWhole = credited === invoice?.total_paise;
    if (invoice && credited > invoice.total_paise) {
      yield `more than ${invoice.number}: ${payment_id}`;
    }
    if (own.length !== expected && !(isWhole && own.length < expected)) {
      yield `${own.length} instead of ${expected} for ${payment_id} ${state}`;
    }
    for (const note of own) {
      const { number, total_paise } = note;
      const fits = total_paise === amount_paise || (isWhole && total_paise < amount_paise);
      if (!fits || note.invoice_number !== invoice?.number) {
        yield `${number} does not fit its refund of ${amount_paise}: ${payment_id}`;
      }
    }
  }
  for (const { number, refund_id, payment_id } of notes) {
    if (!refunds.some(({ id }) => id === refund_id)) {
      yield `${number} belongs to no refund: ${payment_id}`;
    }
  }
}

function* series({ documents, db }: Evidence) {
  type Series = Pick<DocumentTable, "series" | "financial_year">;
  const nameOf = (one: Series) => `${one.series}/${one.financial_year}`;
  const rows = db.allRaw<Series & { last_serial: number }>("SELECT * FROM document_series");
  const last = new Map(rows.map((row) => [nameOf(row), row.last_serial]));
  for (const [name, given] of Map.groupBy(documents, nameOf)) {
    const serials = given.map(({ serial }) => serial).sort((a, b) => a - b);
    const gapless = serials.every((serial, i) => serial === i + 1);
    if (!gapless || last.get(name) !== serials.length) {
      yield `${name}: ${serials.join(" ")}, last ${last.get(name)}`;
    }
  }
}
