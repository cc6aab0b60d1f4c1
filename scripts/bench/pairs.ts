/** Ours and its floor in turns, so that what disturbs the machine disturbs both. */

export interface Spread {
  median: number;
  least: number;
  most: number;
}

export interface Pairs {
  ours: Spread;
  floor: Spread;
  /** Of each pair, ours divided by its floor. */
  ratio: Spread;
}

/** `rounds` pairs; every second one begins with the floor. */
export async function measurePairs(
  rounds: number,
  sides: { ours: () => Promise<number>; floor: () => Promise<number> },
): Promise<Pairs> {
  const ours: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 1) floor.push(await sides.floor());
    ours.push(await sides.ours());
    if (round % 2 === 0) floor.push(await sides.floor());
  }
  return pairsOf(ours, floor);
}

export function pairsOf(ours: readonly number[], floor: readonly number[]): Pairs {
  return {
    ours: spreadOf(ours),
    floor: spreadOf(floor),
    ratio: spreadOf(ours.map((value, i) => value / floor[i]!)),
  };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? sorted[Math.floor(middle)]!
      : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)! };
}
