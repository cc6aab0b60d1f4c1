/** Prices and tax, sums of money, how amounts are written, and the figures of sessions. */

export const CURRENCY = "INR";
export const GST_PERCENT = 18;
export const GST_LABEL = `GST (${GST_PERCENT}%)`;

export interface Price {
  basePaise: number;
  gstPaise: number;
  totalPaise: number;
}

/** In paise: two halves within the supplier's state, else all as IGST. */
export interface Tax {
  cgst: number;
  sgst: number;
  igst: number;
}

export function sumOfTax({ cgst, sgst, igst }: Tax): number {
  return cgst + sgst + igst;
}

/**
 * The price of a package from its base in rupees. GST is rounded to the rupee (section 170 CGST: 50
 * paise and above up), so the total is a whole number of rupees.
 */
export function priceOf(baseRupees: number): Price {
  const gstRupees = Math.round((baseRupees * GST_PERCENT) / 100);
  return {
    basePaise: baseRupees * 100,
    gstPaise: gstRupees * 100,
    totalPaise: (baseRupees + gstRupees) * 100,
  };
}

export interface Money {
  amountPaise: number;
  currency: string;
}

/** In the currency that everything here costs. */
export function moneyOf(paise: number): Money {
  return { amountPaise: paise, currency: CURRENCY };
}

export function sameMoney(one: Money, other: Money): boolean {
  return one.amountPaise === other.amountPaise && one.currency === other.currency;
}

export function rupeesOf(paise: number): number {
  return paise / 100;
}

/**
 * An amount less the provider's fee and its GST, in paise; null if these are not known yet. The
 * amount is a payment's, or what is kept of it.
 */
export function netOf(sum: {
  amountPaise: number;
  feePaise: number | null;
  feeTaxPaise: number | null;
}): number | null {
  const { amountPaise, feePaise, feeTaxPaise } = sum;
  return feePaise === null || feeTaxPaise === null ? null : amountPaise - feePaise - feeTaxPaise;
}

const whole = new Intl.NumberFormat("en-IN", {
  style: "currency",
  currency: CURRENCY,
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat("en-IN", { style: "currency", currency: CURRENCY });
const plain = new Intl.NumberFormat("en-IN", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `₹1,179` for whole rupees, `₹1,179.50` otherwise: for pages and messages. */
export function formatRupees(paise: number): string {
  return paise % 100 === 0 ? whole.format(paise / 100) : exact.format(paise / 100);
}

/** As `words` write rupees, or in another currency; an amount is in the currency's smallest unit. */
export function formatMoney({ amountPaise, currency }: Money, words = formatRupees): string {
  if (currency === CURRENCY) return words(amountPaise);
  const format = new Intl.NumberFormat("en-IN", { style: "currency", currency });
  return format.format(amountPaise / 10 ** format.resolvedOptions().maximumFractionDigits!);
}

export type PriceWords = ReturnType<typeof priceWords>;

export function priceWords({ basePaise, gstPaise, totalPaise }: Price, words = formatRupees) {
  return { base: words(basePaise), gst: words(gstPaise), total: words(totalPaise) };
}

/** `₹1,179.00`: always two decimals, for tables. */
export function formatAmount(paise: number): string {
  return exact.format(paise / 100);
}

const counted = new Intl.NumberFormat("en-IN");

/** `1,00,000`: how many, in groups as India writes them. */
export const formatCount = (count: number) => counted.format(count);

/** `1,179.00` without the sign, where a column says rupees. */
export function formatPlainAmount(paise: number): string {
  return plain.format(paise / 100);
}

const FIGURES = [
  // All existing appointments, whatever became of them; then the confirmed and rescheduled ones.
  "booked",
  "paid",
  "cancelled",
  "completed",
  "noShow",
  // Captured less refunds, from the moment they are wanted, and less what banks took back.
  "keptPaise",
  "refundedPaise",
  "takenBackPaise",
  // The number of sessions behind each of the three sums.
  "kept",
  "refunded",
  "takenBack",
] as const;

/** Counts and sums of sessions, of a month, a captain, a package or a whole range. */
export type SessionFigures = Record<(typeof FIGURES)[number], number>;

export function sumOfFigures(all: readonly SessionFigures[]): SessionFigures {
  const sumOf = (name: keyof SessionFigures) => all.reduce((sum, one) => sum + one[name], 0);
  return Object.fromEntries(FIGURES.map((name) => [name, sumOf(name)])) as SessionFigures;
}
