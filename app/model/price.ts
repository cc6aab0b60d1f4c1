/** The tax on a price. */

export const GST_PERCENT = 18;
