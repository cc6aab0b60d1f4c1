/** What the owner may set: the names of the contract. Until one is saved it follows its variable. */

export interface Question {
  question: string;
  answer: string;
}

export const ASK_STATE = ["optional", "required"] as const;

export interface Brand {
  name: string;
  tagline: string;
  /** `#rrggbb`. */
  accent: string;
  /** The id of a stored picture; null: the mark of the software. */
  logo: string | null;
}

/** `null` where there is none. */
export interface Settings extends Omit<Brand, "name"> {
  brand: string;
  businessName: string;
  businessAddress: string;
  /** GST state code. */
  businessState: string;
  businessGstin: string | null;
  businessCin: string | null;
  businessSac: string;
  businessEmail: string;
  businessPhone: string | null;
  grievanceContact: string;
  minNoticeMinutes: number;
  bookingWindowDays: number;
  paymentWindowSeconds: number;
  holdSeconds: number;
  selfServiceCutoffHours: number;
  retentionUnpaidDays: number;
  /** Of the page's form; calls may leave the state out. */
  askState: (typeof ASK_STATE)[number];
  faq: Question[];
}

export type SavedSettings = Partial<Settings>;

/** The settings that have a variable of the environment, and what people call them. */
export const SETTING_VARIABLES = {
  businessName: ["BUSINESS_NAME", "Legal name"],
  businessAddress: ["BUSINESS_ADDRESS", "Address"],
  businessState: ["BUSINESS_STATE", "State"],
  businessGstin: ["BUSINESS_GSTIN", "GSTIN"],
  businessCin: ["BUSINESS_CIN", "CIN or LLPIN"],
  businessSac: ["BUSINESS_SAC", "SAC"],
  businessEmail: ["BUSINESS_EMAIL", "Email"],
  businessPhone: ["BUSINESS_PHONE", "Phone"],
  grievanceContact: ["GRIEVANCE_CONTACT", "Grievance contact"],
  minNoticeMinutes: ["MIN_NOTICE_MINUTES", "Shortest notice, in minutes"],
  bookingWindowDays: ["BOOKING_WINDOW_DAYS", "How far ahead people book, in days"],
  paymentWindowSeconds: ["PAYMENT_WINDOW_SECONDS", "Time to start paying, in seconds"],
  holdSeconds: ["HOLD_SECONDS", "Time that is held, in seconds"],
  selfServiceCutoffHours: ["SELF_SERVICE_CUTOFF_HOURS", "Last change by the customer, in hours"],
  retentionUnpaidDays: ["RETENTION_UNPAID_DAYS", "Unpaid bookings are kept, in days"],
} as const satisfies Partial<Record<keyof Settings, readonly [variable: string, label: string]>>;

export type VariableSetting = keyof typeof SETTING_VARIABLES;

/** Characters of texts. */
export const LONGEST = {
  brand: 60,
  tagline: 120,
  name: 100,
  address: 300,
  contact: 300,
  question: 200,
  answer: 1000,
} as const;

export const MOST_QUESTIONS = 20;
