/** What a run counted. */
export interface Figures {
  histories: number;
  kills: number;
  bookings: number;
  payments: number;
  refunds: number;
  /** Booked by staff; received outside the provider; refunds of a session that stays. */
  byStaff: number;
  outside: number;
  withoutCancel: number;
  /** Of the provider's payments, marked as paid back by a person. */
  byHand: number;
  /** To the other captain. */
  handedOver: number;
  documents: number;
  messages: number;
  violations: number;
}

export function sumOf(all: readonly Figures[]): Figures {
  const sum: Figures = {
    histories: 0,
    kills: 0,
    bookings: 0,
    payments: 0,
    refunds: 0,
    byStaff: 0,
    outside: 0,
    withoutCancel: 0,
    byHand: 0,
    handedOver: 0,
    documents: 0,
    messages: 0,
    violations: 0,
  };
  for (const figures of all) {
    for (const key of Object.keys(sum) as (keyof Figures)[]) sum[key] += figures[key];
  }
  return sum;
}

/** The closing table, one figure a line. */
export function tableOf(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, count]) => `  ${name.padEnd(14)}${String(count).padStart(9)}`)
    .join("\n");
}

/** One line while it runs. */
export function lineOf(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
