/** How an amount splits into taxable value, tax and round-off, in paise. */
import { GST_PERCENT, type Price, type Tax } from "#app/model/money.ts";

/** Taxable value, taxes and round-off add up to the total. */
export interface Charge {
  taxablePaise: number;
  tax: Tax;
  roundOffPaise: number;
  totalPaise: number;
}

export const NOTHING: Charge = {
  taxablePaise: 0,
  tax: { cgst: 0, sgst: 0, igst: 0 },
  roundOffPaise: 0,
  totalPaise: 0,
};

/**
 * The charge of an invoice: tax on the price without GST, to the paisa, within the supplier's state in
 * two equal halves (section 9 CGST); the round-off makes up the difference to the total.
 */
export function chargeOf(price: Price, withinState: boolean): Charge {
  return chargeAt(price.basePaise, price.totalPaise, GST_PERCENT, withinState);
}

function chargeAt(
  taxablePaise: number,
  totalPaise: number,
  percent: number,
  withinState: boolean,
): Charge {
  const part = (rate: number) => Math.round((taxablePaise * rate) / 100);
  const half = part(percent / 2);
  const tax = withinState
    ? { cgst: half, sgst: half, igst: 0 }
    : { cgst: 0, sgst: 0, igst: part(percent) };
  const taxPaise = tax.cgst + tax.sgst + tax.igst;
  return { taxablePaise, tax, roundOffPaise: totalPaise - taxablePaise - taxPaise, totalPaise };
}

export interface Invoiced extends Charge {
  layout: number;
  gstPercent: number;
}

/**
 * The charge of a credit note over `paise` when `credited` was credited before: all notes together are
 * the invoice's share of everything credited, so that the notes of a whole invoice add up to it. At
 * most what is left of the invoice (section 34 CGST); null if nothing is left.
 */
export function creditOf(invoice: Invoiced, credited: Charge, paise: number): Charge | null {
  const after = Math.min(invoice.totalPaise, credited.totalPaise + paise);
  if (after <= credited.totalPaise) return null;
  const all = invoice.layout === 1 ? shareInLayout1(invoice, after) : shareOf(invoice, after);
  return {
    taxablePaise: all.taxablePaise - credited.taxablePaise,
    tax: {
      cgst: all.tax.cgst - credited.tax.cgst,
      sgst: all.tax.sgst - credited.tax.sgst,
      igst: all.tax.igst - credited.tax.igst,
    },
    roundOffPaise: all.roundOffPaise - credited.roundOffPaise,
    totalPaise: after - credited.totalPaise,
  };
}

/** The taxable value is the share of `paise` in the total, to the paisa; its tax is computed on it. */
function shareOf({ taxablePaise, totalPaise, gstPercent, tax }: Invoiced, paise: number): Charge {
  const share = Math.round((taxablePaise * paise) / totalPaise);
  return chargeAt(share, paise, gstPercent, tax.igst === 0);
}

/** Layout 1 rounded tax to the rupee. Its share is to the paisa; an odd paisa becomes round-off. */
function shareInLayout1({ taxablePaise, totalPaise, tax }: Invoiced, paise: number): Charge {
  const gst = Math.round(((totalPaise - taxablePaise) * paise) / totalPaise);
  const half = Math.floor(gst / 2);
  const isWithin = tax.igst === 0;
  return {
    taxablePaise: paise - gst,
    tax: isWithin ? { cgst: half, sgst: half, igst: 0 } : { cgst: 0, sgst: 0, igst: gst },
    roundOffPaise: isWithin ? gst - 2 * half : 0,
    totalPaise: paise,
  };
}
