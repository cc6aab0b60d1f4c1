/** What becomes of the calls to the provider: which come through, and when everything fails. */
import type { Dice } from "./dice.ts";
import type { CallFate, CallKind } from "./money-provider-calls.ts";

const FATES: Record<CallKind, Partial<Record<CallFate, number>>> = {
  read: { down: 30, rate: 8, slow_before: 14, slow_after: 14, dies_before: 3, dies_after: 3 },
  write: {
    down: 10,
    unknown: 14,
    lost: 22,
    rate: 6,
    slow_before: 14,
    slow_after: 14,
    dies_after: 8,
  },
  refund: {
    down: 8,
    unknown: 10,
    lost: 14,
    rate: 4,
    busy: 4,
    balance: 8,
    rejected: 12,
    slow_before: 10,
    slow_after: 10,
    dies_before: 2,
    dies_after: 8,
  },
};

/** The most deaths of processes in one history. */
const MOST_DEATHS = 3;

interface Surroundings {
  clock: { now: number };
  dice: Dice;
}

export class Weather {
  /** Calls fail at random. */
  isStormy = true;
  /** Until when, milliseconds UTC: no call comes through; no refund is paid for; no mail goes out. */
  downUntil = 0;
  poorUntil = 0;
  mailDownUntil = 0;
  readonly #world: Surroundings;
  #isShaky = false;
  #deaths = 0;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** From now on nothing fails. */
  calm(): void {
    Object.assign(this, { isStormy: false, downUntil: 0, poorUntil: 0, mailDownUntil: 0 });
  }

  /** `isWithin`: of a call during another. */
  fate(kind: CallKind, isWithin: boolean): CallFate {
    const { dice, clock } = this.#world;
    if (clock.now < this.downUntil) return dice.often(0.7) ? "down" : "unknown";
    if (kind === "refund" && clock.now < this.poorUntil) return "balance";
    // Where one call goes wrong, the next often does too.
    this.#isShaky = this.isStormy && dice.often(this.#isShaky ? 0.5 : 0.11);
    if (!this.#isShaky) return "answered";
    const fate = dice.weighted(FATES[kind] as Record<CallFate, number>);
    if (isWithin && fate.startsWith("slow")) return "answered";
    if (!fate.startsWith("dies")) return fate;
    this.#deaths += 1;
    return this.#deaths > MOST_DEATHS ? "answered" : fate;
  }
}
