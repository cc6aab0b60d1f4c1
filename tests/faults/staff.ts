/** Acts what staff do about bookings and money, each press repeated under its idempotency key. */
import type { ApiAnswer } from "#tests/helpers/api-client.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import type { StaffStep, Step } from "./plan.ts";
import type { Stage, Trail } from "./stage.ts";

const KINDS: ReadonlySet<string> = new Set<StaffStep["do"]>([
  "staff_book",
  "paid_outside",
  "refund",
  "staff_cancel",
  "settle",
  "trouble_refund",
  "hand_over",
]);

export function isStaffStep(step: Step): step is StaffStep {
  return KINDS.has(step.do);
}

/** False ends the history: without a booking nothing follows. */
export async function actStaff(stage: Stage, trail: Trail, step: StaffStep): Promise<boolean> {
  if (step.do === "staff_book") return book(stage, trail, step);
  const id = trail.appointmentId;
  if (id === null) return false;
  const { desk } = stage;
  const who = trail.history.number;
  switch (step.do) {
    case "paid_outside": {
      const json = { method: step.method, reference: `Voucher ${who}` };
      const paid = await pressed(stage, trail, `${id}/payment`, json, step.times);
      if (paid) trail.toldConfirmed = true;
      return true;
    }
    case "refund": {
      const amount = step.amount === "all" ? await keptOf(stage, who, id) : step.amount;
      const json = { amount, reason: "Left early" };
      trail.refundKeys += 1;
      const asked = await pressed(stage, trail, `${id}/refund`, json, step.times);
      if (asked) trail.toldRefunds.add(asked.data.refund.refundId);
      return true;
    }
    case "staff_cancel": {
      const { by, refund, times } = step;
      const json = { by, refund, reason: "Ill" };
      await pressed(stage, trail, `${id}/cancel`, json, times);
      return true;
    }
    case "settle":
      for (const { refundId } of await refundsOf(stage, who, id)) await desk.settle(who, refundId);
      return true;
    case "trouble_refund": {
      const isOnTheWay = step.how === "refund_slow" || step.how === "refund_answer_lost";
      // The way knows the payment alone, the provider its order too.
      const match = isOnTheWay ? trail.paymentIds.at(-1) : [...trail.orderIds].at(-1);
      if (match) stage.world.sandbox.switches.set({ name: step.how, match, count: 1 });
      return true;
    }
    case "hand_over": {
      const present = (await desk.detail(who, id))?.data?.appointment;
      if (!present) return true;
      const own = { date: present.date, newTimeSlot: present.timeSlot };
      const time = step.sameTime ? own : stage.nextMove();
      const counselor = present.counselor === ASHA ? ROHAN : ASHA;
      await desk.move(who, id, { counselor, ...time });
      return true;
    }
  }
}

async function book(
  stage: Stage,
  trail: Trail,
  { by, linkMs, times }: Extract<StaffStep, { do: "staff_book" }>,
): Promise<boolean> {
  const { wish, otherTimes } = trail.history;
  const { packagePrice: _, ...booking } = wish;
  for (const timeSlot of [wish.timeSlot, ...otherTimes]) {
    const payBefore = linkMs === null ? {} : { payBefore: instantIn(linkMs) };
    const payment = by === "link" ? { by, ...payBefore } : { by, method: "cash" };
    const made = await pressed(stage, trail, "", { ...booking, timeSlot, payment }, times, 201);
    if (!made) continue;
    trail.appointmentId = made.data.appointment.id;
    trail.byStaff = by;
    if (by === "offline") trail.toldConfirmed = true;
    return true;
  }
  return false;
}

/** Presses at once under one key; the answer of those that were taken, which is of the same for all. */
async function pressed(
  { desk, caller }: Stage,
  trail: Trail,
  what: string,
  json: unknown,
  times: number,
  status = 200,
): Promise<ApiAnswer | null> {
  const who = trail.history.number;
  trail.keys += 1;
  const key = `staff-${who}-${trail.keys}`;
  const answers = await Promise.all(
    Array.from({ length: times }, () => desk.press(who, what, { key, json })),
  );
  const taken = answers.filter((answer) => answer?.httpStatus === status);
  // As it stands at the time of each answer.
  const made = new Set(
    taken.map((answer) => `${answer?.data.appointment?.id} ${answer?.data.refund?.refundId}`),
  );
  if (made.size > 1) {
    caller.faults.push({ who, what: `one key was answered in two ways: ${[...made].join(" | ")}` });
  }
  return taken[0] ?? null;
}

async function refundsOf({ desk }: Stage, who: number, id: string) {
  const payments = (await desk.detail(who, id))?.data?.payments ?? [];
  return payments.flatMap(({ refunds }: Answered) => refunds) as { refundId: string }[];
}

interface Answered {
  amount: number;
  refunds: { amount: number }[];
}

/** Rupees of the payment of which most is left; at least the provider's least sum. */
async function keptOf({ desk }: Stage, who: number, id: string): Promise<number> {
  const payments: Answered[] = (await desk.detail(who, id))?.data?.payments ?? [];
  const left = payments.map(({ amount, refunds }) =>
    refunds.reduce((rest, refund) => rest - refund.amount, amount),
  );
  return Math.max(1, Math.round(Math.max(0, ...left) * 100) / 100);
}

function instantIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
