/** What the owner offers: captains, packages, default times, outside links. */

/** How a session takes place: a meeting link, or the captain calls the customer. */
export type Meeting = { kind: "link"; url: string } | { kind: "call" };

export interface Counselor {
  /** Stable; stored with every appointment, so a rename keeps old appointments readable. */
  key: string;
  /** The value of `counselor` in the form and in the JSON contract. */
  name: string;
  /** Names of before that still mean this counselor. */
  formerNames: readonly string[];
  title: string;
  description: string;
  yearsOfExperience: number | null;
  rating: number | null;
  sessions: number | null;
  specialties: readonly string[];
  email: string;
  meeting: Meeting;
  /** An id of a stored portrait, or a sample's file under `/portraits/`; null for none. */
  portrait: string | null;
  /** False once taken off the page. */
  active: boolean;
  /** Sample data: booked only on loopback or with sample documents. */
  sample: boolean;
  position: number;
  version: number;
}

export type PackageMinutes = 30 | 45 | 60;

export interface SessionPackage {
  minutes: PackageMinutes;
  /** Rupees before GST. */
  price: number;
  label: string;
  description: string;
  active: boolean;
  version: number;
}

export interface OutsideLink {
  label: string;
  /** https. */
  url: string;
}

export interface Catalogue {
  /** In their order on the page, those taken off included. */
  counselors: readonly Counselor[];
  /** By duration. */
  packages: readonly SessionPackage[];
  /** Start times of a day for which nothing else is set, ascending. */
  defaultTimes: readonly string[];
  links: readonly OutsideLink[];
  /** Of default times and links. */
  version: number;
}
