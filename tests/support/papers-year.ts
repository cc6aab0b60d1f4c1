/** A year of bookings by the app's own operations, with what goes wrong with money in a year. */
import { addDays, DAY, dateInIndia, HOUR, instantOf } from "#app/model/dates.ts";
import { GST_STATES, gstinCheckDigit } from "#app/model/gstin.ts";
import { failAtBank, hear, refundInDashboard } from "./money-outside.ts";
import { refused, type StubPayment } from "./razorpay-stub.ts";
import { aboutPayment, openTill, type Till } from "./till.ts";

export const SUPPLIER = { name: "Test Aviation Counselling", gstin: "29ABCDE1234F1ZW" };

/** The first bookings are of this day, the last of 30 November a year later. */
const FIRST_DAY = "2026-12-01";
const EVERY = 5;

const CODES = [...GST_STATES.keys()];
const PACKAGES = [30, 45, 60];

function gstinOf(state: string): string {
  const first14 = `${state}AAACB2894G1Z`;
  return first14 + gstinCheckDigit(first14);
}

const WAYS = [
  "kept",
  "cancelled",
  "part back from the dashboard",
  "two parts back from the dashboard",
  "kept",
  "refund refused",
  "refund failed, then repeated",
  "refund failed, then made in the dashboard",
  "deleted",
  "paid twice",
  "dashboard refund that failed",
  "moved",
] as const;

/** All states of India, companies and consumers, in turn with every way that money goes. */
export async function playYear(): Promise<Till> {
  const till = await openTill({
    BUSINESS_NAME: SUPPLIER.name,
    BUSINESS_ADDRESS: "1 Test Road, Bengaluru 560001, Karnataka",
    BUSINESS_STATE: "29",
    BUSINESS_GSTIN: SUPPLIER.gstin,
    BUSINESS_EMAIL: "hello@captains.example",
    BUSINESS_PHONE: "+91 98765 43210",
    GRIEVANCE_CONTACT: "grievance@captains.example",
  });
  /** Payments whose refunds the provider has no money for. */
  const stuck = new Set<string>();
  till.razorpay.instead = (call) =>
    call.startsWith("POST /v1/payments") && [...stuck].some((id) => call.includes(id))
      ? refused("Your account does not have enough balance")
      : undefined;
  for (let index = 0; index * EVERY < 365; index++) {
    // Midnight in India is another day in London: the first and last hours of each are tried too.
    const hours = [9, 0.1, 23.9][index % 3]!;
    till.clock.now = instantOf(addDays(FIRST_DAY, index * EVERY)) + hours * HOUR;
    await play(till, index, stuck);
  }
  return till;
}

async function play(till: Till, index: number, stuck: Set<string>): Promise<void> {
  const state = CODES[index % CODES.length]!;
  const today = dateInIndia(till.clock.now);
  // Every second one, so that there is a company of each state.
  const company = index % 2 === 0 && {
    gstin: gstinOf(state),
    billingName: `Flughafen Müller – ${state} Ltd`,
    billingAddress: "1 Airport Road",
  };
  const { id, orderId } = await till.bookAndOrder({
    date: addDays(today, 5 + (index % 5) * 9),
    timeSlot: index % 2 === 0 ? "10:00" : "15:00",
    package: PACKAGES[(index % 4) % 3]!,
    // Every ninth gives no state.
    ...(index % 9 === 8 ? {} : { state }),
    ...company,
  });
  const payment = till.pay(orderId);
  // By its event: a look would read the orders of the weeks before anew.
  const hearPayment = () => till.tell("payment.captured", aboutPayment(payment));
  await hearPayment();
  // Razorpay's two per cent and the GST on it, a while after the payment.
  if (index % 10 !== 9) {
    const fee = Math.round(payment.amount * 0.0236);
    Object.assign(payment, { fee, tax: Math.round((fee * 18) / 118) });
    await hearPayment();
  }
  const back = async (amount: number) => {
    const refund = refundInDashboard(till, payment, amount);
    await hear(till, refund);
    return refund;
  };
  switch (WAYS[index % WAYS.length]!) {
    case "cancelled":
      till.cancel(id);
      break;
    case "part back from the dashboard":
      await back(33_333 + index);
      break;
    case "two parts back from the dashboard":
      await back(100);
      till.clock.now += DAY;
      await back(50_101);
      break;
    case "refund refused":
      stuck.add(payment.id);
      till.cancel(id);
      break;
    case "refund failed, then repeated":
      await failRefund(till, id, payment);
      await till.retry(payment.id);
      break;
    case "refund failed, then made in the dashboard":
      await failRefund(till, id, payment);
      await back(payment.amount);
      break;
    case "deleted":
      till.delete(id);
      break;
    case "paid twice":
      await till.tell("payment.captured", aboutPayment(till.pay(orderId)));
      break;
    case "dashboard refund that failed": {
      const refund = await back(20_000);
      failAtBank(till, refund);
      await hear(till, refund);
      break;
    }
    case "moved": {
      const to = { date: addDays(today, 70), timeSlot: "12:00" };
      till.move(id, to);
    }
  }
  await sendRefunds(till);
}

/** Of a cancelled booking, three days before anybody looks into it. */
async function failRefund(till: Till, id: string, payment: StubPayment): Promise<void> {
  till.cancel(id);
  await sendRefunds(till);
  const refund = till.razorpay.refunds.find((one) => one.payment_id === payment.id)!;
  failAtBank(till, refund);
  await hear(till, refund);
  till.clock.now += 3 * DAY;
}

/** All that is due; what the provider accepted it has carried out by the next time. */
async function sendRefunds(till: Till): Promise<void> {
  const due = "SELECT 1 FROM refund WHERE next_try_at <= ?";
  while (till.rows(due, till.clock.now).length > 0) await till.sendRefunds();
  for (const refund of till.razorpay.refunds) {
    if (refund.status === "pending") refund.status = "processed";
  }
}
