/** Which of the sandbox's faults are on, when and for how long: planned from the seed. */
import type { Switches, SwitchSetting } from "#scripts/sandbox/switches.ts";
import type { Dice } from "./dice.ts";

export interface Spell {
  /** Milliseconds from the beginning of the round. */
  at: number;
  forMs: number;
  switches: SwitchSetting[];
}

/** WhatsApp codes of every kind of action: temporary, for good, and a broken account. */
const WHATSAPP_CODES = [131000, 131016, 130429, 131056, 131026, 131049, 132015, 190, 131042];

export function planWeather(dice: Dice, length: number): Spell[] {
  // A round under a clear sky shows what kills alone do.
  if (dice.often(0.08)) return [];
  const spells: Spell[] = [];
  for (let at = dice.between(0, 500); at < length; at += dice.between(150, 700)) {
    spells.push({ at, forMs: dice.between(300, 1_800), switches: faults(dice) });
  }
  return spells;
}

function faults(dice: Dice): SwitchSetting[] {
  const probability = dice.pick([0.2, 0.5, 0.8, 1]);
  const some = (name: SwitchSetting["name"], value?: string | number): SwitchSetting => ({
    name,
    probability,
    ...(value === undefined ? {} : { value }),
  });
  const lost = () => dice.pick(["reset", "500", 1]);
  switch (dice.weighted({ api: 22, lost: 20, refund: 18, webhook: 22, mail: 14, whatsapp: 12 })) {
    case "api":
      return [
        dice.pick([
          some("api_html_error", dice.pick([500, 502, 504])),
          some("api_json_error", dice.pick([500, 503])),
          some("api_429"),
          some("api_429_retry_after", 1),
          some("api_empty"),
          some("api_null"),
          some("api_401"),
          some("api_reset"),
          some("api_slow", dice.between(100, 900)),
          some("api_hang", 1),
        ]),
      ];
    case "lost":
      return [some(dice.pick(["order_answer_lost", "answer_lost", "refund_answer_lost"]), lost())];
    case "refund":
      return [
        dice.pick([
          some("refund_409_in_progress"),
          some("refund_409_different"),
          some("refund_low_balance"),
          some("refund_invalid_request"),
          some("refund_slow", dice.between(200, 1_500)),
          some("refund_remember_errors"),
          some("refund_starts_pending", 10),
          some("refund_stays_pending"),
          some("refund_fails_later", 10),
          some("refund_only_processed_event"),
        ]),
      ];
    case "webhook":
      return dice.often(0.3)
        ? [some("webhook_shuffle"), some("webhook_duplicate")]
        : [
            dice.pick([
              some("webhook_off"),
              some("webhook_delay", dice.between(10, 120)),
              some("webhook_duplicate"),
              some("webhook_duplicate_new_id"),
              some("webhook_shuffle"),
              some("webhook_old_secret"),
              some("webhook_wrong_signature"),
              some("webhook_unsigned"),
              some("webhook_escaped", dice.pick(["raw", "escaped"])),
            ]),
          ];
    case "mail":
      return [
        dice.pick([
          some("smtp_451"),
          some("smtp_550"),
          some("smtp_hang", 1),
          some("smtp_answer_lost"),
          { name: "smtp_refuse" },
        ]),
      ];
    case "whatsapp":
      return [
        dice.pick([
          some("whatsapp_error", dice.pick(WHATSAPP_CODES)),
          some("whatsapp_status_failed", dice.pick([131026, 131000])),
          some("whatsapp_no_status"),
          some("whatsapp_duplicate_status"),
          some("whatsapp_hang", 1),
          some("whatsapp_html_error"),
          some("whatsapp_answer_lost"),
        ]),
      ];
  }
}

/** Turns the switches as planned; the answer stops it and turns everything off. */
export function runWeather(
  spells: readonly Spell[],
  switches: Switches,
  note: (text: string) => void,
): () => void {
  const timers: NodeJS.Timeout[] = [];
  for (const { at, forMs, switches: settings } of spells) {
    for (const setting of settings) {
      timers.push(
        setTimeout(() => {
          switches.set(setting);
          const { name, value, probability } = setting;
          note(`on: ${name} ${[value, probability].filter((x) => x !== undefined).join(" p=")}`);
        }, at),
        setTimeout(() => {
          switches.clear(setting.name);
          note(`off: ${setting.name}`);
        }, at + forMs),
      );
    }
  }
  return () => {
    for (const timer of timers) clearTimeout(timer);
    switches.clear();
    note("all switches off");
  };
}
