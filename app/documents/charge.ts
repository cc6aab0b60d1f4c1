/** How a sum splits into taxable value, tax and the paisa that is rounded off. In paise. */
import type { Tax } from "#app/model/price.ts";

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
 * `paise` of a price with the share of its tax, rounded to the paisa. Within the supplier's state
 * the tax is two equal halves (section 9 CGST); a paisa that cannot be halved is rounded off.
 */
export function chargeOf(
  paise: number,
  price: { gstPaise: number; totalPaise: number },
  withinState: boolean,
): Charge {
  const gst = Math.round((price.gstPaise * paise) / price.totalPaise);
  const half = Math.floor(gst / 2);
  return {
    taxablePaise: paise - gst,
    tax: withinState ? { cgst: half, sgst: half, igst: 0 } : { cgst: 0, sgst: 0, igst: gst },
    roundOffPaise: withinState ? gst - 2 * half : 0,
    totalPaise: paise,
  };
}

/**
 * The credit note over `paise` when `credited` was credited before: all notes together are the
 * invoice's share of everything credited, so that the notes of a whole invoice add up to it. At
 * most what is left (section 34 CGST); null if nothing is.
 */
export function creditOf(invoice: Charge, credited: Charge, paise: number): Charge | null {
  const after = Math.min(invoice.totalPaise, credited.totalPaise + paise);
  if (after <= credited.totalPaise) return null;
  const price = {
    gstPaise: invoice.totalPaise - invoice.taxablePaise,
    totalPaise: invoice.totalPaise,
  };
  const all = chargeOf(after, price, invoice.tax.igst === 0);
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
