/** Labels, variables and longest texts of the settings; their schema is in `settings-fields.ts`. */

export const ASK_STATE = ["optional", "required"] as const;

export interface Brand {
  name: string;
  tagline: string;
  /** `#rrggbb`. */
  accent: string;
  /** The id of a stored picture; null: the mark of the software. */
  logo: string | null;
}

/** Longest in characters. */
export type Rule = readonly [label: string, variable: string | null, longest?: number];

/** What people call a setting, its variable of the environment if it has one, and its longest text. */
export const SETTINGS = {
  brand: ["Brand", null, 60],
  tagline: ["Tagline", null, 120],
  businessName: ["Legal name", "BUSINESS_NAME", 100],
  businessAddress: ["Address", "BUSINESS_ADDRESS", 300],
  businessState: ["State", "BUSINESS_STATE", 2],
  businessGstin: ["GSTIN", "BUSINESS_GSTIN", 15],
  businessCin: ["CIN or LLPIN", "BUSINESS_CIN", 21],
  businessSac: ["SAC", "BUSINESS_SAC", 8],
  businessEmail: ["Email", "BUSINESS_EMAIL", 254],
  businessPhone: ["Phone", "BUSINESS_PHONE", 32],
  grievanceContact: ["Grievance contact", "GRIEVANCE_CONTACT", 300],
  minNoticeMinutes: ["Shortest notice, in minutes", "MIN_NOTICE_MINUTES"],
  bookingWindowDays: ["How far ahead people book, in days", "BOOKING_WINDOW_DAYS"],
  paymentWindowSeconds: ["Time to start paying, in seconds", "PAYMENT_WINDOW_SECONDS"],
  holdSeconds: ["Time that is held, in seconds", "HOLD_SECONDS"],
  selfServiceCutoffHours: ["Last change by the customer, in hours", "SELF_SERVICE_CUTOFF_HOURS"],
  retentionUnpaidDays: ["Unpaid bookings are kept, in days", "RETENTION_UNPAID_DAYS"],
} as const satisfies Record<string, Rule>;

/** Those that follow a variable until they are saved. */
export const SETTING_VARIABLES = Object.entries<Rule>(SETTINGS).flatMap(
  ([field, [label, variable]]) =>
    variable ? [{ field: field as keyof typeof SETTINGS, label, variable }] : [],
);

/** Characters. */
export const LONGEST = { question: 200, answer: 1000 } as const;

export const MOST_QUESTIONS = 20;
