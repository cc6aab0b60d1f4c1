/** Where every rupee is that came in, counted from the provider's ledger and staff's receipts. */
import { isOfflinePayment } from "#app/model/ids.ts";
import { type Evidence, isPaidStatus, type Rules } from "./evidence.ts";
import { REFUND_RULES } from "./refund-audit.ts";

export const MONEY_RULES: Rules = {
  "every captured rupee has one place": captured,
  "a paid appointment has its money": paidAppointments,
  "money received outside is recorded once": outside,
  "one order a booking": orders,
  ...REFUND_RULES,
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
