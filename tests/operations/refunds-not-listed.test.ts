/** What the provider counts as gone back, and its list of refunds, need not agree at every moment. */
import { expect, it } from "vitest";
import { HOUR, MINUTE } from "#app/model/duration.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  backAtProvider,
  failAtBank,
  keptOf,
  refundInDashboard,
  rest,
  tryAllAgain,
  WHOLE,
} from "#tests/support/money-outside.ts";
import { type StubRefund, stubId } from "#tests/support/razorpay-stub.ts";
import { aboutRefund } from "#tests/support/till.ts";

const till = freshTill();

const isSend = (call: string) => call.startsWith("POST /v1/payments");
const isList = (call: string) => call.endsWith("/refunds");
const EMPTY = { status: 200, body: { entity: "collection", items: [] } };
const send = () => till.sendRefunds();
const refunds = () =>
  till
    .rows("SELECT way, state, amount_paise FROM refund")
    .map(({ way, state, amount_paise }) => `${way} ${state} ${amount_paise}`)
    .toSorted();
const isAsked = () =>
  till.rows("SELECT 1 FROM message WHERE kind = 'admin_refund_needs_person'").length;
const tell = (refund: StubRefund) => till.tell(`refund.${refund.status}`, aboutRefund(refund));
/** Every order was read without an error. */
const isRead = () => till.rows("SELECT 1 FROM payment_order WHERE last_error IS NOT NULL");

async function cancelled() {
  const { id, payment } = await till.bookAndPay();
  till.cancel(id);
  return { id, payment };
}

it("a refund that failed is owed, though the payment is counted as gone back for a while", async () => {
  const { id, payment } = await cancelled();
  await send();
  const [made] = till.razorpay.refunds;
  made!.status = "failed";
  for (const time of [1, 2]) {
    await tell(made!);
    expect([refunds(), isAsked()], `time ${time}`).toEqual([[`provider failed ${WHOLE}`], 1]);
  }
  await tryAllAgain(till);
  await tell(made!);
  await till.look();
  expect(refunds()).toEqual([`provider wanted ${WHOLE}`]);
  payment.amount_refunded = 0;
  await rest(till);
  expect([backAtProvider(till), keptOf(till, id)]).toEqual([WHOLE, 0]);
});

it("a refund that the queue reads as failed is owed, though its payment was read before", async () => {
  const { payment } = await cancelled();
  await send();
  const [made] = till.razorpay.refunds;
  await tell(made!);
  expect(till.rows("SELECT refunded_paise FROM payment")).toEqual([{ refunded_paise: WHOLE }]);
  made!.status = "failed";
  payment.amount_refunded = 0;
  till.clock.now += HOUR;
  await send();
  expect([refunds(), isAsked()]).toEqual([[`provider failed ${WHOLE}`], 1]);
});

it("a refund that is counted but not listed stays counted while another is sent, and is listed later", async () => {
  const { id, payment } = await till.bookAndPay();
  payment.amount_refunded = 40_000;
  await till.look();
  expect(keptOf(till, id)).toBe(WHOLE - 40_000);
  till.cancel(id);
  await send();
  expect([keptOf(till, id), refunds()]).toEqual([
    0,
    [
      ...["dashboard pending 40000", `provider pending ${WHOLE - 40_000}`],
      "provider superseded 40000",
    ],
  ]);
  const listed = { id: stubId("rfnd"), payment_id: payment.id, amount: 40_000 };
  till.razorpay.refunds.push({ ...listed, status: "processed" });
  await till.look();
  expect([keptOf(till, id), isRead(), refunds()]).toEqual([
    ...[0, []],
    [
      ...["dashboard processed 40000", `provider pending ${WHOLE - 40_000}`],
      "provider superseded 40000",
    ],
  ]);
});

it("a lost answer that is counted before it is listed is one refund, and is ours", async () => {
  const { id } = await cancelled();
  till.razorpay.isLost = isSend;
  await send();
  till.razorpay.isLost = () => false;
  till.razorpay.instead = (call) => (isList(call) ? EMPTY : undefined);
  await till.look();
  expect(refunds()).toEqual([`dashboard pending ${WHOLE}`, `provider superseded ${WHOLE}`]);
  till.razorpay.instead = () => undefined;
  till.clock.now += MINUTE;
  await till.look();
  expect([isRead(), refunds()]).toEqual([[], [`provider pending ${WHOLE}`]]);
  await rest(till);
  expect([backAtProvider(till), keptOf(till, id)]).toEqual([WHOLE, 0]);
  expect(till.razorpay.refunds).toHaveLength(1);
});

it("a refund of the dashboard as large as what another superseded is a refund of its own", async () => {
  const { id, payment } = await till.bookAndPay();
  const first = refundInDashboard(till, payment, 30_000);
  await tell(first);
  till.cancel(id);
  const second = refundInDashboard(till, payment, 30_000);
  await tell(second);
  expect([isRead(), refunds(), keptOf(till, id)]).toEqual([
    [],
    [
      ...["dashboard processed 30000", "dashboard processed 30000"],
      ...["provider superseded 30000", "provider superseded 30000"],
      `provider wanted ${WHOLE - 60_000}`,
    ],
    0,
  ]);
  await rest(till);
  expect([backAtProvider(till), keptOf(till, id)]).toEqual([WHOLE, 0]);
});

it("a refund that failed and was sent anew in the dashboard is that refund, and is paid once", async () => {
  const { id, payment } = await till.bookAndPay();
  till.refundPart(id, { amount: 50_000, reason: "It began late" });
  await rest(till);
  failAtBank(till, till.razorpay.refunds[0]!);
  await tell(till.razorpay.refunds[0]!);
  const anew = refundInDashboard(till, payment, 50_000, "pending");
  await tell(anew);
  expect(refunds()).toEqual(["provider pending 50000"]);
  anew.status = "processed";
  await tell(anew);
  await tryAllAgain(till);
  await rest(till);
  expect([refunds(), keptOf(till, id)]).toEqual([["provider processed 50000"], WHOLE - 50_000]);
  expect(backAtProvider(till)).toBe(50_000);
});
