/**
 * The current configuration: the environment, overridden by what the owner has saved. Every operation
 * reads it here, so a saved value counts from the next read on, in every process.
 */
import type { SavedSettings, Settings } from "#app/model/settings.ts";
import type { Db } from "#db/connection.server.ts";
import { readSavedText, savedSettingsOf } from "#db/queries/settings.server.ts";
import type { Env } from "./env.server.ts";

const FOLLOWING = [
  "brand",
  "business",
  "minNoticeMinutes",
  "bookingWindowDays",
  "paymentWindowSeconds",
  "holdSeconds",
  "selfServiceCutoffHours",
  "retention",
  "askState",
  "questions",
] as const satisfies (keyof Env)[];

/** `env`, in which the fields that the owner may set are read from the database each time. */
export function liveEnv(env: Env, db: Db): Env {
  let known = { text: "", now: env };
  const now = () => {
    const text = readSavedText(db);
    if (text !== known.text) known = { text, now: withSaved(env, savedSettingsOf(text)) };
    return known.now;
  };
  const live = { ...env };
  for (const field of FOLLOWING) {
    Object.defineProperty(live, field, { enumerable: true, get: () => now()[field] });
  }
  return live;
}

export function settingsOf(env: Env): Settings {
  const { brand, business, retention, askState, questions } = env;
  return {
    brand: brand.name,
    tagline: brand.tagline,
    accent: brand.accent,
    logo: brand.logo,
    businessName: business.name,
    businessAddress: business.address,
    businessState: business.state,
    businessGstin: business.gstin,
    businessCin: business.cin,
    businessSac: business.sac,
    businessEmail: business.email,
    businessPhone: business.phone,
    grievanceContact: business.grievanceContact,
    minNoticeMinutes: env.minNoticeMinutes,
    bookingWindowDays: env.bookingWindowDays,
    paymentWindowSeconds: env.paymentWindowSeconds,
    holdSeconds: env.holdSeconds,
    selfServiceCutoffHours: env.selfServiceCutoffHours,
    retentionUnpaidDays: retention.unpaidDays,
    askState,
    faq: questions(env.selfServiceCutoffHours),
  };
}

function withSaved(env: Env, saved: SavedSettings): Env {
  const is: Settings = { ...settingsOf(env), ...saved };
  // Saved as none while samples were issued: real invoices have those of the variables. A GSTIN
  // begins with its state's code, so the two come from one place.
  const fallback = env.sampleDocuments
    ? { gstin: null, phone: null, state: is.businessState }
    : env.business;
  return {
    ...env,
    brand: { name: is.brand, tagline: is.tagline, accent: is.accent, logo: is.logo },
    business: {
      name: is.businessName,
      address: is.businessAddress,
      state: is.businessGstin === null ? fallback.state : is.businessState,
      gstin: is.businessGstin ?? fallback.gstin,
      sac: is.businessSac,
      cin: is.businessCin,
      email: is.businessEmail,
      phone: is.businessPhone ?? fallback.phone,
      grievanceContact: is.grievanceContact,
    },
    minNoticeMinutes: is.minNoticeMinutes,
    bookingWindowDays: is.bookingWindowDays,
    paymentWindowSeconds: is.paymentWindowSeconds,
    holdSeconds: is.holdSeconds,
    selfServiceCutoffHours: is.selfServiceCutoffHours,
    retention: { ...env.retention, unpaidDays: is.retentionUnpaidDays },
    askState: is.askState,
    questions: saved.faq ? () => is.faq : env.questions,
  };
}
