/** A till whose own operations are also what happens to money outside the app, as in money-outside.ts. */
import { freshTill } from "#tests/support/hooks.ts";
import * as outside from "#tests/support/money-outside.ts";
import type { StubPayment } from "#tests/support/razorpay-stub.ts";
import { aboutPayment, type Till } from "#tests/support/till.ts";

type OfTill<All> = {
  [Name in keyof All as All[Name] extends (till: Till, ...asked: never) => unknown
    ? Name
    : never]: All[Name] extends (till: Till, ...asked: infer Asked) => infer Answer
    ? (...asked: Asked) => Answer
    : never;
};

/** A till with the functions of `money-outside.ts` as its own: `till.keptOf(id)`. */
export function moneyTill(options?: Parameters<typeof freshTill>[0]) {
  const till = freshTill(options);
  const more = {
    /** Its webhook comes, that it is captured. */
    hearCaptured: (payment: StubPayment, eventId?: string) =>
      till.tell("payment.captured", aboutPayment(payment), eventId),
    /** Books, pays and cancels: all of it is wanted back, and nothing is sent yet. */
    async bookAndCancel() {
      const { id, payment } = await till.bookAndPay();
      till.cancel(id);
      const [refund] = till.rows("SELECT id FROM refund WHERE payment_id = ?", payment.id);
      return { id, payment, refundId: refund.id as string };
    },
  };
  for (const [name, work] of Object.entries(outside)) {
    if (typeof work !== "function") continue;
    const ofTill = work as (till: Till, ...asked: unknown[]) => unknown;
    Object.assign(more, { [name]: (...asked: unknown[]) => ofTill(till, ...asked) });
  }
  type Money = typeof till & typeof more & OfTill<typeof outside>;
  return Object.create(till, Object.getOwnPropertyDescriptors(more)) as Money;
}
