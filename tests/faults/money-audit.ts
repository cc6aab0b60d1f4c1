/** Where every rupee is that came in, counted from the provider's ledger and staff's receipts. */
import { isOfflinePayment } from "#app/model/ids.ts";
import { type Evidence, isPaidStatus, type Violation } from "./evidence.ts";
import { auditRefunds } from "./refund-audit.ts";

export function auditMoney(evidence: Evidence): Violation[] {
  const money = moneyOf(evidence);
  return [
    ...captured(evidence, money),
    ...appointments(evidence, money),
    ...outside(evidence),
    ...auditRefunds(evidence),
    ...orders(evidence),
  ];
}

/** Kept by one live paid appointment, by an invoice of a deleted one, by nobody yet, or gone back. */
function captured(
  { appointments, payments, refunds, documents }: Evidence,
  money: Map<string, Money>,
): Violation[] {
  const violations: Violation[] = [];
  const owners = new Map<string, string>();
  for (const payment of money.values()) {
    const { kept } = payment;
    const row = payments.get(payment.id);
    const about = [payment.id, row?.appointment_id ?? ""];
    const wrong = (what: string) =>
      violations.push({
        rule: "every captured rupee has one place",
        what: `${what}: ${payment.id} of ${payment.amount} paise, ${kept} kept, outcome ${row?.outcome}`,
        about,
      });
    if (kept === 0) continue;
    if (!row) {
      wrong("captured money that the app does not know");
      continue;
    }
    if (row.outcome === "unmatched") continue;
    const appointment = row.appointment_id ? appointments.get(row.appointment_id) : undefined;
    const invoiced = documents.some((d) => d.kind === "invoice" && d.payment_id === payment.id);
    if (row.outcome !== "applied" && row.outcome !== "assigned") {
      wrong("money that should have gone back");
    } else if (!appointment) {
      if (!invoiced) wrong("money of a deleted appointment without an invoice");
    } else if (!isPaidStatus(appointment.status)) {
      wrong(`money of an appointment that is ${appointment.status}`);
    } else if (owners.has(appointment.id)) {
      wrong(`a second payment (beside ${owners.get(appointment.id)}) kept for one appointment`);
    } else {
      owners.set(appointment.id, payment.id);
      const partly = refunds.some((r) => r.payment_id === payment.id && r.reason === "by_staff");
      if (kept !== appointment.total_paise && !partly) wrong("another amount than the price");
    }
  }
  return violations;
}

/** A paid appointment has its money, the figure of the dashboard is the ledger's. */
function appointments(
  { appointments, payments, refunds }: Evidence,
  money: Map<string, Money>,
): Violation[] {
  const violations: Violation[] = [];
  for (const appointment of appointments.values()) {
    const own = [...payments.values()].filter((p) => p.appointment_id === appointment.id);
    const applied = own.filter((p) => p.outcome === "applied" || p.outcome === "assigned");
    const wrong = (what: string) =>
      violations.push({
        rule: "a paid appointment has its money",
        what: `${what}: ${appointment.id} ${appointment.status}`,
        about: [appointment.id],
      });
    if (isPaidStatus(appointment.status)) {
      const isMoney = money.has(applied[0]?.payment_id ?? "");
      if (applied.length !== 1 || !isMoney) wrong("paid without captured money");
    } else if (appointment.status === "pending_payment" && applied.length > 0) {
      wrong("pending although money was applied");
    }
    const kept = own.reduce((sum, { payment_id }) => sum + (money.get(payment_id)?.kept ?? 0), 0);
    const stuck = refunds.some(
      (r) => r.appointment_id === appointment.id && r.counts && r.state !== "processed",
    );
    if (!stuck && appointment.kept_paise !== undefined && appointment.kept_paise !== kept) {
      wrong(`the dashboard counts ${appointment.kept_paise} paise, the books ${kept}`);
    }
  }
  return violations;
}

/** Money that staff received is recorded once, whole, and never asked of the provider. */
function outside({ payments, appointments, sandbox }: Evidence): Violation[] {
  const rows = [...payments.values()].filter(({ payment_id }) => isOfflinePayment(payment_id));
  const wrong = (what: string, about: string[]): Violation => ({
    rule: "money received outside is recorded once",
    what,
    about,
  });
  const violations: Violation[] = [];
  for (const [id, own] of Map.groupBy(rows, (row) => row.appointment_id)) {
    const price = appointments.get(id ?? "")?.total_paise;
    if (id === null) continue;
    if (own.length > 1) violations.push(wrong(`${own.length} payments for ${id}`, [id]));
    if (price !== undefined && own[0]?.amount_paise !== price) {
      violations.push(wrong(`${own[0]?.amount_paise} instead of ${price} for ${id}`, [id]));
    }
  }
  const asked = sandbox.requests.filter(({ path }) => path.includes("offline_"));
  return [...violations, ...asked.map(({ path }) => wrong(`asked of the provider: ${path}`, []))];
}

/** A lost answer never makes a second order. */
function orders({ sandbox }: Evidence): Violation[] {
  const byBooking = Map.groupBy(sandbox.ledger.orders.values(), ({ notes }) =>
    "booking" in notes ? String(notes.booking) : "",
  );
  return [...byBooking]
    .filter(([booking, made]) => booking !== "" && made.length > 1)
    .map(([booking, made]) => ({
      rule: "one order a booking",
      what: `${made.length} orders for ${booking}`,
      about: [booking],
    }));
}

/** What came in, over the provider or outside it, in paise. */
interface Money {
  id: string;
  amount: number;
  /** Neither given back by the provider nor to be by hand. */
  kept: number;
}

function moneyOf({ sandbox, payments, refunds }: Evidence): Map<string, Money> {
  // What came in outside goes back by hand alone, and is no longer counted from then on.
  const byHand = (id: string) =>
    refunds
      .filter((row) => row.payment_id === id && row.counts && isOfflinePayment(id))
      .reduce((sum, row) => sum + row.amount_paise, 0);
  const money = (id: string, amount: number, back: number): [string, Money] => [
    id,
    { id, amount, kept: Math.max(0, amount - back - byHand(id)) },
  ];
  return new Map([
    ...[...sandbox.ledger.payments.values()]
      .filter(({ captured }) => captured)
      .map(({ id, amount, amount_refunded }) => money(id, amount, amount_refunded)),
    ...[...payments.values()]
      .filter(({ payment_id }) => isOfflinePayment(payment_id))
      .map(({ payment_id, amount_paise }) => money(payment_id, amount_paise, 0)),
  ]);
}
