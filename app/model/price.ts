/** The price of a session, its currency, and the tax on it. */

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
