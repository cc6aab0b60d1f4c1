/** Where every rupee is that came in, each refund under one key, papers without a gap, and times of sessions. */
import type { Selectable } from "kysely";
import { isOfflinePayment } from "#app/model/ids.ts";
import type { DocumentTable } from "#db/ledger-document.ts";
import type { SessionTimeTable } from "#db/tables.ts";
import { type Evidence, isPaidStatus, type Rules } from "./evidence.ts";

export const MONEY_RULES: Rules = {
  "every captured rupee has one place": captured,
  "a paid appointment has its money": paidAppointments,
  "money received outside is recorded once": outside,
  "one order a booking": orders,
  "one refund a row": provider,
  "one key a refund": keys,
  "one submit, one refund": staffRefunds,
};

/** Kept by one live paid appointment, by an invoice of a deleted one, by nobody yet, or gone back. */
function* captured(evidence: Evidence) {
  const { appointments, payments, refunds, documents } = evidence;
  const owners = new Map<string, string>();
  for (const { id, amount, kept } of moneyOf(evidence).values()) {
    if (kept === 0) continue;
    const row = payments.get(id);
    const money = `${id} of ${amount} paise, ${kept} kept, outcome ${row?.outcome}`;
    if (!row) {
      yield `captured money that the app does not know: ${money}`;
      continue;
    }
    if (row.outcome === "unmatched") continue;
    const appointment = appointments.get(row.appointment_id ?? "");
    const invoiced = documents.some((d) => d.kind === "invoice" && d.payment_id === id);
    if (row.outcome !== "applied" && row.outcome !== "assigned") {
      yield `money that should have gone back: ${money}`;
    } else if (!appointment) {
      if (!invoiced) yield `money of a deleted appointment without an invoice: ${money}`;
    } else if (!isPaidStatus(appointment.status)) {
      yield `money of an appointment that is ${appointment.status}: ${money}`;
    } else if (owners.has(appointment.id)) {
      yield `a second payment (beside ${owners.get(appointment.id)}) kept: ${money}`;
    } else {
      owners.set(appointment.id, id);
      const partly = refunds.some((r) => r.payment_id === id && r.reason === "by_staff");
      if (kept !== appointment.total_paise && !partly) {
        yield `another amount than the price: ${money}`;
      }
    }
  }
}

/** The figure of the dashboard is the ledger's. */
function* paidAppointments(evidence: Evidence) {
  const { appointments, payments, refunds } = evidence;
  const money = moneyOf(evidence);
  for (const { id, status, kept_paise } of appointments.values()) {
    const own = [...payments.values()].filter((p) => p.appointment_id === id);
    const applied = own.filter((p) => p.outcome === "applied" || p.outcome === "assigned");
    if (isPaidStatus(status)) {
      const isMoney = money.has(applied[0]?.payment_id ?? "");
      if (applied.length !== 1 || !isMoney) yield `paid without captured money: ${id} ${status}`;
    } else if (status === "pending_payment" && applied.length > 0) {
      yield `pending although money was applied: ${id}`;
    }
    const kept = own.reduce((sum, { payment_id }) => sum + (money.get(payment_id)?.kept ?? 0), 0);
    const stuck = refunds.some(
      (r) => r.appointment_id === id && r.counts && r.state !== "processed",
    );
    if (!stuck && kept_paise !== undefined && kept_paise !== kept) {
      yield `the dashboard counts ${kept_paise} paise, the books ${kept}: ${id} ${status}`;
    }
  }
}

/** Whole, and never asked of the provider. */
function* outside({ payments, appointments, sandbox }: Evidence) {
  const rows = [...payments.values()].filter(({ payment_id }) => isOfflinePayment(payment_id));
  for (const [id, own] of Map.groupBy(rows, (row) => row.appointment_id)) {
    if (id === null) continue;
    const price = appointments.get(id)?.total_paise;
    if (own.length > 1) yield `${own.length} payments for ${id}`;
    if (price !== undefined && own[0]?.amount_paise !== price) {
      yield `${own[0]?.amount_paise} instead of ${price} for ${id}`;
    }
  }
  for (const { path } of sandbox.requests) {
    if (path.includes("offline_")) yield `asked of the provider: ${path}`;
  }
}

/** A lost answer never makes a second order. */
function* orders({ sandbox }: Evidence) {
  const byBooking = Map.groupBy(sandbox.ledger.orders.values(), ({ notes }) =>
    "booking" in notes ? String(notes.booking) : "",
  );
  for (const [booking, made] of byBooking) {
    if (booking !== "" && made.length > 1) yield `${made.length} orders for ${booking}`;
  }
}

/** What came in, over the provider or outside it, in paise. */
interface Money {
  id: string;
  amount: number;
  /** Neither given back by the provider nor to be by hand. */
  kept: number;
}

function moneyOf({ sandbox, payments, refunds }: Evidence): Map<string, Money> {
  const money = new Map<string, Money>();
  for (const { id, captured, amount, amount_refunded } of sandbox.ledger.payments.values()) {
    if (captured) money.set(id, { id, amount, kept: Math.max(0, amount - amount_refunded) });
  }
  for (const { payment_id: id, amount_paise: amount } of payments.values()) {
    if (!isOfflinePayment(id)) continue;
    // It goes back by hand alone, and is no longer counted from then on.
    const back = refunds
      .filter((row) => row.payment_id === id && row.counts)
      .reduce((sum, row) => sum + row.amount_paise, 0);
    money.set(id, { id, amount, kept: Math.max(0, amount - back) });
  }
  return money;
}

/** By the payment, as they stand in the provider's ledger and in our rows. */
function* provider({ sandbox, refunds, payments }: Evidence) {
  const byPayment = Map.groupBy(sandbox.ledger.refunds.values(), (r) => r.payment_id);
  for (const [paymentId, made] of byPayment) {
    // Returned before it was captured: the provider's own doing, and no money of ours.
    if (!sandbox.ledger.payments.get(paymentId)?.captured) continue;
    const rows = refunds.filter((row) => row.payment_id === paymentId);
    for (const { id, status } of made) {
      const known = rows.filter((row) => row.provider_refund_id === id);
      if (known.length === 0 && status !== "failed" && payments.has(paymentId)) {
        yield `refund ${id} unknown to us: ${paymentId}`;
      }
      if (known.length > 1) yield `${known.length} rows for ${id}: ${paymentId}`;
      for (const { state } of known) {
        if (state !== status) yield `${id} is ${status} there, ${state} here: ${paymentId}`;
      }
    }
    const done = made.filter(({ status }) => status !== "failed");
    for (const [receipt, copies] of Map.groupBy(done, (refund) => refund.receipt ?? "none")) {
      const row = rows.find(({ id }) => id === receipt);
      const { id, amount } = copies[0]!;
      if (copies.length > 1) yield `${copies.length} refunds by our calls for ${receipt}`;
      if (!row) yield `${id} was asked for by none of our refunds (${receipt}): ${paymentId}`;
      else if (row.amount_paise !== amount) {
        yield `${id} of ${amount} for a refund of ${row.amount_paise}: ${paymentId}`;
      } else if (row.provider_refund_id !== id) {
        yield `${id} stands under another refund than ${row.id}: ${paymentId}`;
      }
    }
    const back = done.reduce((sum, { amount }) => sum + amount, 0);
    const came = payments.get(paymentId)?.amount_paise ?? back;
    if (back > came) yield `${back} of ${came} paise went back: ${paymentId}`;
  }
}

/**
 * A new key only where the provider has certainly done nothing, or failed what it did: of ours, or of
 * what stood in for it.
 */
function* keys({ sandbox, refunds, newKeys }: Evidence) {
  const calls = sandbox.requests.filter(
    ({ method, path }) => method === "POST" && /^\/v1\/payments\/\w+\/refund$/.test(path),
  );
  const byRow = Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey?.split("-")[0] ?? "none");
  for (const [id, made] of byRow) {
    const row = refunds.find((one) => one.id === id && made[0]?.path.includes(one.payment_id));
    const about = `${id} of ${row?.payment_id}`;
    if (!row) yield `a refund call without a key of ours: ${id}`;
    const renewed = newKeys.filter((one) => one.id === id);
    const used = new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size;
    if (used > 1 + renewed.length) {
      yield `${used} keys where ${renewed.length} were given anew: ${about}`;
    }
    for (const { state, fault, corrected } of renewed) {
      const isFailed = state === "failed" || state === "superseded";
      const isNothingDone = isFailed || fault === "rejected" || fault === "balance";
      if (!isNothingDone && corrected === 0) yield `a new key while ${state} (${fault}): ${about}`;
    }
  }
}

/** A form that staff submit is one refund, and one that was answered stands. */
function* staffRefunds({ refunds, trails }: Evidence) {
  for (const { appointmentId, refundKeys, answeredRefunds } of trails) {
    const asked = refunds.filter(
      (row) =>
        row.appointment_id === appointmentId &&
        row.reason === "by_staff" &&
        row.state !== "superseded",
    );
    if (appointmentId && asked.length > refundKeys) {
      yield `${asked.length} refunds by staff under ${refundKeys} keys: ${appointmentId}`;
    }
    for (const id of answeredRefunds) {
      if (!refunds.some((row) => row.id === id)) {
        yield `the answered refund ${id} is unknown: ${appointmentId}`;
      }
    }
  }
}

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

/** At the end, and at no moment before. */
export const TIME_RULES: Rules = {
  "no two live sessions overlap": overlaps,
  "a live session keeps its time": occupied,
};

function* overlaps({ moments }: Evidence) {
  const stays = [...moments.values()].flatMap((states) =>
    states
      .map((state, i) => ({ ...state, until: states[i + 1]?.at ?? Number.POSITIVE_INFINITY }))
      .filter(({ status }) => isPaidStatus(status)),
  );
  for (const [i, a] of stays.entries()) {
    for (const b of stays.slice(i + 1)) {
      const sameTime = a.starts_at < b.ends_at && b.starts_at < a.ends_at;
      const sameMoment = a.at < b.until && b.at < a.until;
      if (a.id === b.id || a.counselor_key !== b.counselor_key) continue;
      if (!sameTime || !sameMoment) continue;
      const at = new Date(a.starts_at).toISOString();
      yield `${a.id} and ${b.id} of ${a.counselor_key} at ${at}`;
    }
  }
}

/** The table that keeps others away agrees with the appointments. */
function* occupied({ db, appointments }: Evidence) {
  const times = db.allRaw<Selectable<SessionTimeTable>>("SELECT * FROM session_time");
  const byAppointment = new Map(times.map((time) => [time.appointment_id, time]));
  for (const { id, status, hold_until, ...own } of appointments.values()) {
    const time = byAppointment.get(id);
    if (isPaidStatus(status)) {
      const same =
        time?.counselor_key === own.counselor_key &&
        time.starts_at === own.starts_at &&
        time.ends_at === own.ends_at;
      if (!same || time.held_until !== null) yield `paid and not occupying its time: ${id}`;
      if (hold_until !== null) yield `paid and still with a hold: ${id}`;
    } else if (status === "cancelled" && time) yield `cancelled and still occupying a time: ${id}`;
  }
}
