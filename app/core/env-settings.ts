/** The settings as the environment gives them, and the configuration that they make. Pure. */
import type { z } from "zod";
import { BRAND } from "#app/catalogue.ts";
import { GST_STATES, gstinFault, stateOfGstin } from "#app/model/gstin.ts";
import type { Brand } from "#app/model/settings.ts";
import type { FixedSettings } from "#app/model/settings-fields.ts";
import { integer, mailbox, mailboxOf, number, ruled, shaped, text } from "./env-fields.ts";

export const settingVariables = {
  PAYMENT_WINDOW_SECONDS: number(900),
  HOLD_SECONDS: number(1800),
  MIN_NOTICE_MINUTES: number(60, 0),
  BOOKING_WINDOW_DAYS: integer(90, 1, 3660),
  SELF_SERVICE_CUTOFF_HOURS: number(24, 0),
  BUSINESS_NAME: text(),
  BUSINESS_ADDRESS: text(),
  BUSINESS_STATE: ruled(
    (state) => GST_STATES.has(state),
    "must be a GST state code, for example 29",
  ),
  BUSINESS_GSTIN: text(),
  BUSINESS_CIN: shaped(
    /^([LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-\d{4})$/,
    "must be a CIN of 21 characters or an LLPIN such as AAB-1234",
  ),
  BUSINESS_SAC: shaped(/^\d{4,8}$/, "must be 4 to 8 digits", "999299"),
  BUSINESS_EMAIL: mailbox,
  BUSINESS_PHONE: shaped(/\d/, "must be a phone number"),
  GRIEVANCE_CONTACT: text(),
  RETENTION_UNPAID_DAYS: number(90),
};

type Given = z.output<z.ZodObject<typeof settingVariables>>;

/** Null: there is none, or it is one of the state that is named. */
export function gstinFaultOf({ BUSINESS_GSTIN: gstin, BUSINESS_STATE: state }: Given) {
  if (!gstin) return null;
  const wrong = gstinFault(gstin);
  if (wrong || !GST_STATES.has(state) || stateOfGstin(gstin) === state) return wrong;
  return `does not begin with BUSINESS_STATE ${state}`;
}

export function startSettings(from: Given): FixedSettings {
  return {
    brand: BRAND.name,
    tagline: BRAND.tagline,
    accent: BRAND.accent,
    logo: null,
    businessName: from.BUSINESS_NAME || "Sample Business",
    businessAddress: from.BUSINESS_ADDRESS || "Sample address, Bengaluru 560001",
    businessState: from.BUSINESS_STATE || "29",
    businessGstin: from.BUSINESS_GSTIN || null,
    businessCin: from.BUSINESS_CIN || null,
    businessSac: from.BUSINESS_SAC,
    businessEmail: mailboxOf(from.BUSINESS_EMAIL)?.address ?? "hello@captains.example",
    businessPhone: from.BUSINESS_PHONE || null,
    grievanceContact: from.GRIEVANCE_CONTACT || "hello@captains.example",
    minNoticeMinutes: from.MIN_NOTICE_MINUTES,
    bookingWindowDays: from.BOOKING_WINDOW_DAYS,
    paymentWindowSeconds: from.PAYMENT_WINDOW_SECONDS,
    holdSeconds: from.HOLD_SECONDS,
    selfServiceCutoffHours: from.SELF_SERVICE_CUTOFF_HOURS,
    retentionUnpaidDays: from.RETENTION_UNPAID_DAYS,
    askState: "optional",
  };
}

/** The fields of the configuration that are settings, or made of them. */
export function fieldsOf(settings: FixedSettings) {
  const { brand, tagline, accent, logo, ...others } = settings;
  const {
    businessName: name,
    businessAddress: address,
    businessState: state,
    businessGstin: gstin,
    businessCin: cin,
    businessSac: sac,
    businessEmail: email,
    businessPhone: phone,
    grievanceContact,
    ...rules
  } = others;
  return {
    ...rules,
    brand: { name: brand, tagline, accent, logo } satisfies Brand,
    business: { name, address, state, gstin, cin, sac, email, phone, grievanceContact },
  };
}
