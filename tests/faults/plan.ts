/** What happens in a round, made from its seed before anything runs. Pure. */
import type { Outcome } from "#scripts/sandbox/razorpay/payer.ts";
import { ASHA, dayAhead, PRICES, ROHAN } from "#tests/support/bookings.ts";
import type { Dice } from "./dice.ts";

/** The app's own limits in these tests: short, so that holds really end and money really is late. */
export const HOLD_MS = 2_000;
export const PAYMENT_WINDOW_MS = 1_200;
/** Sandbox time runs this many times faster than the wall's. */
export const CLOCK_SCALE = 30;

export type Step =
  | { do: "wait"; ms: number }
  | { do: "book"; sentTwice: boolean }
  | { do: "order"; times: number }
  | {
      do: "pay";
      outcome: Outcome;
      /** Paise; the order's amount if absent. */
      amount?: number;
      /** The provider sends no webhook about this payment, ever. */
      silent: boolean;
      /** Also on an order that is paid. */
      force: boolean;
      /** Until a late payment goes through, in milliseconds of the wall. */
      lateMs: number;
    }
  | { do: "prove"; over: "verify" | "callback"; times: number; together: boolean; proof: ProofKind }
  | { do: "capture" }
  | { do: "move" }
  | { do: "cancel" }
  | { do: "own_move" }
  | { do: "own_cancel" }
  | { do: "delete" }
  | { do: "retry_refunds" }
  | { do: "resend" }
  /** Rupees, asked for so many times under one idempotency key. */
  | { do: "refund"; amount: number; times: number };

/** `other_order`: rightly signed, but of another booking. */
export type ProofKind = "own" | "wrong_signature" | "other_order";

export interface History {
  number: number;
  request: {
    name: string;
    email: string;
    phone: string;
    counselor: string;
    package: number;
    date: string;
    timeSlot: string;
    packagePrice: number;
    notes?: string;
  };
  /** Tried one after another when the time is taken. */
  otherTimes: string[];
  steps: Step[];
}

/** Few times for many people, so that they meet; two start half an hour apart. */
const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const DATES = 3;

export function planHistory(dice: Dice, seed: number, number: number): History {
  const minutes = dice.pick([30, 45, 60]);
  return {
    number,
    otherTimes: [dice.pick(TIMES), dice.pick(TIMES), dice.pick(TIMES)],
    request: {
      name: `Meera Pillai ${number}`,
      email: mailOf(dice, `s${seed}.h${number}`),
      phone: phoneOf(dice, number),
      counselor: dice.pick([ASHA, ROHAN]),
      package: minutes,
      date: dayAhead(10 + dice.between(0, DATES - 1)),
      timeSlot: dice.pick(TIMES),
      packagePrice: PRICES[minutes] ?? 0,
      ...(dice.often(0.2) ? { notes: "अभिषेक asks: which medical first? – “Class 2”" } : {}),
    },
    steps: stepsOf(dice),
  };
}

function mailOf(dice: Dice, name: string): string {
  const trait = dice.weighted({ plain: 90, "550": 4, "451once": 6 });
  return trait === "plain" ? `${name}@example.in` : `${name}+${trait}@example.in`;
}

/** Mostly a number of one's own; some that WhatsApp refuses at once, later, or for good. */
function phoneOf(dice: Dice, number: number): string {
  const trait = dice.weighted({ plain: 90, "9000131026": 4, "9100131026": 4, "9000130429": 2 });
  return trait === "plain" ? `98450${String(10_000 + number)}` : trait;
}

function stepsOf(dice: Dice): Step[] {
  const steps: Step[] = [{ do: "wait", ms: dice.between(0, 4_500) }];
  steps.push({ do: "book", sentTwice: dice.often(0.3) });
  if (dice.often(0.06)) return steps;
  if (dice.often(0.1)) steps.push({ do: "wait", ms: dice.between(0, HOLD_MS + 1_000) });
  steps.push({ do: "order", times: dice.often(0.15) ? 2 : 1 });
  if (dice.often(0.3)) {
    steps.push({ do: "wait", ms: HOLD_MS + dice.between(100, 1_500) });
    if (dice.often(0.3)) steps.push({ do: "order", times: 1 });
  } else steps.push({ do: "wait", ms: dice.between(0, 200) });
  steps.push(...payments(dice));
  const more = Number(dice.weighted({ "0": 20, "1": 35, "2": 30, "3": 15 }));
  for (let i = 0; i < more; i++) {
    steps.push({ do: "wait", ms: dice.between(0, 900) }, ...afterwards(dice));
  }
  return steps;
}

function payments(dice: Dice): Step[] {
  const silent = dice.often(0.15);
  const pay = (outcome: Outcome, more: { amount?: number; force?: boolean } = {}): Step => ({
    do: "pay",
    outcome,
    silent,
    force: more.force ?? false,
    lateMs: dice.between(300, HOLD_MS + 1_500),
    ...(more.amount === undefined ? {} : { amount: more.amount }),
  });
  const pause = (): Step => ({ do: "wait", ms: dice.between(0, 600) });
  switch (
    dice.weighted({
      plain: 42,
      failed: 8,
      held: 8,
      late: 12,
      twice: 10,
      other: 8,
      silence: 4,
      never: 8,
    })
  ) {
    case "plain":
      return [pay("captured"), ...proofs(dice)];
    case "failed":
      return [pay("failed"), pause(), pay("captured"), ...proofs(dice)];
    case "held":
      return dice.often(0.7)
        ? [pay("authorized"), ...proofs(dice), pause(), { do: "capture" }, ...proofs(dice)]
        : [pay("authorized"), ...proofs(dice)];
    case "late":
      return [pay("late"), ...proofs(dice)];
    case "twice":
      return [
        pay("captured"),
        ...(dice.often(0.5) ? proofs(dice) : []),
        pay("captured", { force: true }),
        ...proofs(dice),
      ];
    case "other":
      return [
        pay("captured", { amount: dice.pick([100, 50_000]) }),
        ...proofs(dice),
        ...(dice.often(0.6) ? [pause(), pay("captured"), ...proofs(dice)] : []),
      ];
    case "silence":
      return [pay("created"), ...proofs(dice)];
    case "never":
      return [];
  }
}

function proofs(dice: Dice): Step[] {
  const prove = (over: "verify" | "callback", times: number, proof: ProofKind = "own"): Step => ({
    do: "prove",
    over,
    times,
    together: dice.often(0.5),
    proof,
  });
  const forged: Step[] = dice.often(0.08)
    ? [prove(dice.pick(["verify", "callback"]), 1, dice.pick(["wrong_signature", "other_order"]))]
    : [];
  switch (dice.weighted({ verify: 40, twice: 14, callback: 14, both: 8, never: 24 })) {
    case "verify":
      return [...forged, prove("verify", 1)];
    case "twice":
      return [...forged, prove("verify", 2)];
    case "callback":
      return [...forged, prove("callback", dice.between(1, 2))];
    case "both":
      return [...forged, prove("verify", 1), prove("callback", 1)];
    case "never":
      return forged;
  }
}

/** How often, and what is done. */
const AFTERWARDS: Record<string, [weight: number, steps: (dice: Dice) => Step[]]> = {
  order: [8, () => [{ do: "order", times: 1 }]],
  move: [14, () => [{ do: "move" }]],
  cancel: [22, (dice) => [{ do: "cancel" }, ...retries(dice)]],
  own_move: [8, () => [{ do: "own_move" }]],
  own_cancel: [10, (dice) => [{ do: "own_cancel" }, ...retries(dice)]],
  delete: [12, () => [{ do: "delete" }]],
  resend: [6, () => [{ do: "resend" }]],
  pay_again: [
    8,
    (dice) => [
      { do: "pay", outcome: "captured", silent: dice.often(0.3), force: true, lateMs: 0 },
      ...proofs(dice),
    ],
  ],
  prove_again: [6, proofs],
  refund: [24, (dice) => [part(dice), ...(dice.often(0.4) ? [part(dice)] : []), ...retries(dice)]],
};

function afterwards(dice: Dice): Step[] {
  const weights = Object.entries(AFTERWARDS).map(([name, [weight]]) => [name, weight]);
  return AFTERWARDS[dice.weighted<string>(Object.fromEntries(weights))]![1](dice);
}

function part(dice: Dice): Step {
  return { do: "refund", amount: dice.pick([100, 250.5, 400]), times: dice.often(0.4) ? 2 : 1 };
}

/** A person who looks at the refunds that need one, now and again, and tries them again. */
function retries(dice: Dice): Step[] {
  return Array.from({ length: dice.between(0, 3) }, () => [
    { do: "wait", ms: dice.between(0, 900) } as const,
    { do: "retry_refunds" } as const,
  ]).flat();
}
