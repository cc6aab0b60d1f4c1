/** When a failed try is repeated. Pure. */
import { HOUR, MINUTE, SECOND } from "#app/model/dates.ts";

export interface Backoff {
  /** The shortest and the longest wait, in milliseconds. */
  first: number;
  longest: number;
  factor: number;
  /** Share by which a wait is spread each way, so that a recovered server is not met by all at once. */
  spread: number;
}

export const BACKOFF = {
  message: { first: 3 * SECOND, longest: 15 * MINUTE, factor: 4, spread: 1 / 6 },
  /** A channel that refuses everything. Short at first: its messages are tried again within 5 seconds. */
  channel: { first: 1.5 * SECOND, longest: MINUTE, factor: 4, spread: 0 },
  refund: { first: 2 * SECOND, longest: HOUR, factor: 2, spread: 1 / 4 },
  room: { first: 5 * SECOND, longest: 5 * MINUTE, factor: 2, spread: 1 / 6 },
  providerEvent: { first: SECOND, longest: 15 * MINUTE, factor: 2, spread: 0 },
  /** Rows that a query finds and that have no column for their tries. */
  listed: { first: 30 * SECOND, longest: 15 * MINUTE, factor: 2, spread: 0 },
  /** When an order is first looked at is configured. */
  order: { longest: 12 * HOUR, factor: 2, spread: 0 },
} as const;

/** Messages are given up after five growing tries and then one every 15 minutes: about three days. */
export const GIVE_UP_AFTER = 5 + (3 * 24 * 60) / 15;

/** Whole milliseconds until the next try after `tries` made. `random` is in [0, 1). */
export function delay(tries: number, settings: Backoff, random = 0.5): number {
  const { first, longest, factor, spread } = settings;
  const mean = Math.min(longest, first * factor ** (tries - 1));
  return Math.round(mean * (1 + spread * (2 * random - 1)));
}
