/** The fault switches: what each one does, and which are on. */
import { HttpError } from "./http.ts";
import type { SeededRandom } from "./random.ts";

/** The last two: default and unit of `value`, where the switch has one. */
type Meaning = [group: string, effect: string, value?: string | number, unit?: string];

const list = {
  api_html_error: ["API", "Nothing done; an HTML error page", 500, "status"],
  api_json_error: ["API", "Nothing done; the standard error object", 500, "status"],
  api_429: ["API", "Nothing done; 429"],
  api_429_retry_after: ["API", "Nothing done; 429 with Retry-After", 2, "seconds"],
  api_empty: ["API", "Nothing done; an empty body", 200, "status"],
  api_null: ["API", "Nothing done; the body null", 200, "status"],
  api_401: ["API", "Nothing done; 401 Authentication failed"],
  api_hang: ["API", "Nothing done; no answer, then the connection is cut", 60, "seconds"],
  api_slow: ["API", "The answer is late", 2000, "ms"],
  api_reset: ["API", "Nothing done; connection cut"],
  api_clock: ["API", "Another time in the answer's Date", -600, "seconds"],
  order_answer_lost: ["API", "Order made, answer lost", "reset", "reset, 500 or seconds"],
  answer_lost: ["API", "Any call: done, answer lost", "reset", "reset, 500 or seconds"],
  refund_answer_lost: ["Refunds", "Refunded, answer lost", "reset", "reset, 500 or seconds"],
  refund_409_in_progress: ["Refunds", "409: same key still in progress"],
  refund_409_different: ["Refunds", "409: same key, different request"],
  refund_low_balance: ["Refunds", "400: not enough balance"],
  refund_invalid_request: ["Refunds", "400: invalid request sent"],
  refund_slow: ["Refunds", "Key taken, the answer is late", 2000, "ms"],
  refund_remember_errors: ["Refunds", "Error answers are kept under the key too"],
  refund_starts_pending: ["Refunds", "Born pending, then processed", 5, "seconds"],
  refund_stays_pending: ["Refunds", "Born pending, stays so"],
  refund_fails_later: ["Refunds", "Born pending, then failed", 5, "seconds"],
  refund_only_processed_event: ["Refunds", "refund.created is not sent"],
  webhook_off: ["Webhooks", "Event recorded, never sent"],
  webhook_delay: ["Webhooks", "First attempt late", 3600, "seconds"],
  webhook_duplicate: ["Webhooks", "Delivered twice, same event id"],
  webhook_duplicate_new_id: ["Webhooks", "Delivered twice, another event id"],
  webhook_shuffle: ["Webhooks", "Events of one step in another order"],
  webhook_old_secret: ["Webhooks", "Signed with the old secret"],
  webhook_wrong_signature: ["Webhooks", "Signed with a wrong secret"],
  webhook_unsigned: ["Webhooks", "No signature header"],
  webhook_escaped: ["Webhooks", "Non-ASCII text, escaped slashes", "raw", "raw or escaped"],
  smtp_451: ["Mail", "Recipient refused for now (451)"],
  smtp_550: ["Mail", "Recipient refused (550)"],
  smtp_hang: ["Mail", "No answer after the data", 60, "seconds"],
  smtp_answer_lost: ["Mail", "Mail kept, connection cut before the answer"],
  smtp_refuse: ["Mail", "Connections refused until cleared"],
  whatsapp_error: ["WhatsApp", "Error answer", 131000, "code"],
  whatsapp_status_failed: ["WhatsApp", "Accepted, then state failed", 131026, "code"],
  whatsapp_no_status: ["WhatsApp", "States are not sent"],
  whatsapp_duplicate_status: ["WhatsApp", "States are sent twice"],
  whatsapp_hang: ["WhatsApp", "No answer, then the connection is cut", 60, "seconds"],
  whatsapp_html_error: ["WhatsApp", "HTML error page", 502, "status"],
  whatsapp_answer_lost: ["WhatsApp", "Accepted, connection cut"],
  calendar_slow: ["Calendars", "No answer, then the connection is cut", 60, "seconds"],
  calendar_error: ["Calendars", "Error answer", 500, "status"],
  calendar_redirect: ["Calendars", "Leads on", "http://169.254.169.254/", "address"],
  calendar_no_etag: ["Calendars", "No ETag, never 304"],
  calendar_lying_length: ["Calendars", "Another length than it has", 4_000_000, "bytes"],
  zoom_slow: ["Zoom", "The answer is late", 2000, "ms"],
  zoom_refuse: ["Zoom", "Nothing done; an error answer", 300, "code"],
  zoom_answer_lost: ["Zoom", "Done, connection cut before the answer"],
  zoom_done_late: ["Zoom", "Connection cut; done after that", 1000, "ms"],
  s3_slow: ["Store for copies", "No answer, then the connection is cut", 60, "seconds"],
  s3_cut: ["Store for copies", "Connection cut"],
  s3_half: ["Store for copies", "Half of what was stored, then the connection is cut"],
  s3_answer_lost: ["Store for copies", "Done, connection cut before the answer"],
  s3_error: ["Store for copies", "Error answer", 503, "status"],
  s3_full: ["Store for copies", "No room for what is written"],
  s3_other_bytes: ["Store for copies", "Gives back other bytes than it was given"],
} satisfies Record<string, Meaning>;

export type SwitchName = keyof typeof list;

export const SWITCHES: Record<SwitchName, Meaning> = list;

export interface SwitchSetting {
  name: SwitchName;
  /** Acts on the next N subjects; absent: until cleared. */
  count?: number | undefined;
  probability?: number | undefined;
  value?: string | number | undefined;
  /** Acts only where the subject contains it. */
  match?: string | undefined;
}

export type Switches = ReturnType<typeof makeSwitches>;

/** One setting per name; setting a name again replaces it. */
export function makeSwitches(random: SeededRandom) {
  const live = new Map<SwitchName, SwitchSetting>();
  const fired = new Map<SwitchName, number>();

  function clear(name?: SwitchName): void {
    if (name) live.delete(name);
    else live.clear();
    switches.onChange();
  }

  /** The setting if the switch acts on this subject now; counts it down. */
  function take(name: SwitchName, subject = ""): SwitchSetting | undefined {
    const setting = live.get(name);
    if (!setting || !subject.includes(setting.match ?? "")) return undefined;
    const { probability } = setting;
    if (probability !== undefined && random.next() >= probability) return undefined;
    fired.set(name, (fired.get(name) ?? 0) + 1);
    if (setting.count !== undefined) {
      setting.count -= 1;
      if (setting.count === 0) clear(name);
    }
    return setting;
  }

  const switches = {
    onChange: () => {},
    set(setting: SwitchSetting): void {
      const { name, count = 1, probability = 1 } = setting;
      if (!Object.hasOwn(SWITCHES, name)) throw new HttpError(400, `unknown switch ${name}`);
      const isFit = Number.isInteger(count) && count > 0 && probability >= 0 && probability <= 1;
      if (!isFit) throw new HttpError(400, "count from 1 on, probability from 0 to 1");
      live.set(name, { ...setting });
      switches.onChange();
    },
    clear,
    list: (): SwitchSetting[] => [...live.values()].map((setting) => ({ ...setting })),
    /** How often a switch acted, cleared or not. */
    fired: (name: SwitchName): number => fired.get(name) ?? 0,
    take,
    /** The number of a switch that acts, its default where none is set; undefined: it does not act. */
    amount(name: SwitchName, subject = ""): number | undefined {
      const setting = switches.take(name, subject);
      return setting && Number(setting.value ?? SWITCHES[name][2] ?? 0);
    },
  };
  return switches;
}
