/** What the booking page may know of the catalogue: no meeting links, no addresses of captains. */
import type { CaptainCardView } from "#app/components/captain-card.tsx";
import type { OutsideLink } from "#app/model/catalogue.ts";
import type { PriceWords } from "#app/model/money.ts";

export interface CounselorView extends CaptainCardView {
  key: string;
}

export interface PackageView extends PriceWords {
  minutes: number;
  label: string;
  description: string;
  /** Rupees before GST, as the JSON call wants it. */
  packagePrice: number;
}

export interface Offer {
  counselors: readonly CounselorView[];
  packages: readonly PackageView[];
  /** `yyyy-MM-dd` in India. */
  today: string;
  lastDate: string;
  /** All totals as shown; the form sends them back, so the server sees if a price has changed. */
  shownTotals: string;
  links: readonly OutsideLink[];
}

/** The package with the lowest price. */
export function cheapestOf({ packages }: Pick<Offer, "packages">): PackageView {
  return packages.reduce((least, one) => (one.packagePrice < least.packagePrice ? one : least));
}

/** A free time, also in words. */
export interface FreeTime {
  counselorKey: string;
  date: string;
  timeSlot: string;
  /** `Sat, 21 Nov 2026`. */
  day: string;
  /** `10:00 AM`. */
  time: string;
}

/** The value of a button that chooses captain, day and time at once. */
export function freeTimeValue(free: Pick<FreeTime, "counselorKey" | "date" | "timeSlot">): string {
  return `${free.counselorKey} ${free.date} ${free.timeSlot}`;
}

/** The parts of such a value; empty where one is missing. */
export function readFreeTime(value: string) {
  const [counselorKey = "", date = "", timeSlot = ""] = value.split(" ");
  return { counselorKey, date, timeSlot };
}
