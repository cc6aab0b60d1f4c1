import type { Chance } from "./chance.ts";
import { SWITCH_CATALOGUE, type SwitchName } from "./switch-catalogue.ts";

export interface SwitchSetting {
  name: SwitchName;
  /** Acts on the next N matching subjects; absent: until cleared. */
  count?: number;
  /** Lets the first N matching subjects pass. */
  skip?: number;
  probability?: number;
  value?: string | number;
  /** The subject must contain this; a leading ^ makes it a regular expression. */
  match?: string;
}

interface Live extends SwitchSetting {
  fired: number;
}

export class SwitchError extends Error {}

/** The fault switches. One setting per name; setting a name again replaces it. */
export class Switches {
  readonly #live = new Map<SwitchName, Live>();
  readonly #fired = new Map<SwitchName, number>();
  readonly #listeners: (() => void)[] = [];
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  set(setting: SwitchSetting): void {
    this.#live.set(setting.name, { ...checked(setting), fired: 0 });
    this.#changed();
  }

  clear(name?: SwitchName): void {
    if (name) this.#live.delete(name);
    else this.#live.clear();
    this.#changed();
  }

  isSet(name: SwitchName): boolean {
    return this.#live.has(name);
  }

  list(): (SwitchSetting & { fired: number })[] {
    return [...this.#live.values()].map((live) => ({ ...live }));
  }

  /** How often a switch acted since the last reset, cleared or not. */
  fired(name: SwitchName): number {
    return this.#fired.get(name) ?? 0;
  }

  forget(): void {
    this.#fired.clear();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The setting if the switch acts on this subject now; counts it down. */
  take(name: SwitchName, subject = ""): SwitchSetting | undefined {
    const live = this.#live.get(name);
    if (!live || !matches(live.match, subject)) return undefined;
    if (live.skip) {
      live.skip -= 1;
      return undefined;
    }
    if (live.probability !== undefined && this.#chance.next() >= live.probability) return undefined;
    live.fired += 1;
    this.#fired.set(name, this.fired(name) + 1);
    if (live.count !== undefined) {
      live.count -= 1;
      if (live.count <= 0) {
        this.#live.delete(name);
        this.#changed();
      }
    }
    return live;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The numeric value of a setting, else the catalogue's default. */
export function amountOf(setting: SwitchSetting): number {
  const given = Number(setting.value ?? "");
  if (setting.value !== undefined && setting.value !== "" && Number.isFinite(given)) return given;
  const standard = SWITCH_CATALOGUE[setting.name].value;
  return typeof standard === "number" ? standard : 0;
}

function matches(match: string | undefined, subject: string): boolean {
  if (!match) return true;
  return match.startsWith("^") ? new RegExp(match).test(subject) : subject.includes(match);
}

function checked(setting: SwitchSetting): SwitchSetting {
  if (!Object.hasOwn(SWITCH_CATALOGUE, setting.name)) {
    throw new SwitchError(`unknown switch ${String(setting.name)}`);
  }
  const { name, count, skip, probability, value, match } = setting;
  for (const [key, number] of Object.entries({ count, skip })) {
    if (number !== undefined && (!Number.isInteger(number) || number < 0)) {
      throw new SwitchError(`${key} must be a whole number`);
    }
  }
  if (count === 0) throw new SwitchError("count must be at least 1");
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
    throw new SwitchError("probability must lie between 0 and 1");
  }
  if (value !== undefined && typeof value !== "string" && typeof value !== "number") {
    throw new SwitchError("value must be a number or a text");
  }
  if (match?.startsWith("^")) {
    try {
      new RegExp(match);
    } catch {
      throw new SwitchError("match is not a regular expression");
    }
  }
  return {
    name,
    ...(count === undefined ? {} : { count }),
    ...(skip === undefined ? {} : { skip }),
    ...(probability === undefined ? {} : { probability }),
    ...(value === undefined ? {} : { value }),
    ...(match === undefined ? {} : { match }),
  };
}
