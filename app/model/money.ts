import { GST_PERCENT } from "./price.ts";

export interface Price {
  basePaise: number;
  gstPaise: number;
  totalPaise: number;
}

/**
 * Price of a package from its base in rupees. GST is 18 percent rounded to the rupee
 * (section 170 CGST: 50 paise and above up), so the total is a whole rupee amount.
 */
export function priceOf(baseRupees: number): Price {
  const gstRupees = Math.round((baseRupees * GST_PERCENT) / 100);
  return {
    basePaise: baseRupees * 100,
    gstPaise: gstRupees * 100,
    totalPaise: (baseRupees + gstRupees) * 100,
  };
}

export function rupeesOf(paise: number): number {
  return paise / 100;
}

const whole = new Intl.NumberFormat("en-IN", {
  style: "currency",
  currency: "INR",
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });
const plain = new Intl.NumberFormat("en-IN", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `₹1,179` for whole rupees, `₹1,179.50` otherwise: for pages and messages. */
export function formatRupees(paise: number): string {
  return paise % 100 === 0 ? whole.format(paise / 100) : exact.format(paise / 100);
}

/** `₹1,179.00`: always two decimals, for tables. */
export function formatAmount(paise: number): string {
  return exact.format(paise / 100);
}

/** `1,179.00` without the sign, for documents whose column says rupees. */
export function formatPlainAmount(paise: number): string {
  return plain.format(paise / 100);
}
