/** The day on which the text of the policies changed last, `yyyy-MM-dd`. */
export const POLICY_DATE = "2026-11-23";
