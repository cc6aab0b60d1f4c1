/**
 * A line of the activity log as people read and search it. A new action needs its label; a new
 * field whose name is not its label needs a line in FIELDS.
 */
import { type ActivityData, type ActivityEntry, activityLabel } from "./activity.ts";
import { type HiddenReason, hiddenLabel } from "./after-session.ts";
import { formatDate, formatInstant, formatSlot, isCalendarDate, isTimeSlot } from "./dates.ts";
import { MASTER_TIMES, WEEKDAY_LABELS, WEEKDAYS } from "./day-plan.ts";
import { refundErrorWords } from "./error-words.ts";
import { type HelpAsk, helpAskWords } from "./help.ts";
import { isId, tableId } from "./ids.ts";
import { type Channel, messageLabel } from "./messages.ts";
import { formatRupees } from "./money.ts";
import { formatMonth } from "./month.ts";
import type { RefundState } from "./refund.ts";
import type { Attendance } from "./statuses.ts";
import { lookUp } from "./unknown-code.ts";
import {
  attendanceLabel,
  channelWords,
  paymentMethodWords,
  refundStateWords,
  STATUS_LABELS,
} from "./wording.ts";

/** The captain's name; undefined for an unknown key. */
export type NameOf = (key: string) => string | undefined;

type Logged = Omit<ActivityEntry, "at" | "actor" | "role">;

export interface ActivityLine {
  words: string;
  about: string;
  /** The text that the log's search looks through. */
  sought: string;
}

export function activityLine(entry: ActivityEntry, nameOf: NameOf): ActivityLine {
  const shown = { words: activityWords(entry, nameOf), about: aboutWords(entry.target, nameOf) };
  return { ...shown, sought: soughtIn(entry, shown) };
}

export function soughtIn(
  { at, actor, role, action, target }: Omit<ActivityEntry, "before" | "after">,
  { words, about }: Omit<ActivityLine, "sought">,
): string {
  const shown = [formatInstant(at), actorWords({ actor, role }), words, about];
  return [...shown, actor, target ?? "", action].join(" ");
}

const nobody = lookUp({ customer: "Customer", system: "System", unknown: "Unknown" });

/** `meera (staff)`. */
export function actorWords({ actor, role }: Pick<ActivityEntry, "actor" | "role">): string {
  return role ? `${actor} (${role})` : (nobody(actor) ?? actor);
}

const noCaptain = lookUp({ all: "All captains", catalogue: "Catalogue", settings: "Settings" });

/** For a captain's days only the captain: the dates are part of what was done. */
function aboutWords(target: string | null, nameOf: NameOf): string {
  if (target === null) return "";
  if (isId(target)) return tableId(target);
  return nameOf((target as string).split(" ", 1)[0]!) ?? noCaptain(target) ?? target;
}

/** `Session moved from 12 Nov 2026, 10:00 AM to 13 Nov 2026, 11:00 AM IST`. */
export function activityWords(entry: Logged, nameOf: NameOf): string {
  const { action, after } = entry;
  const own = OWN(action)?.(entry);
  // What was removed is described like what was added.
  const before = after ? entry.before : null;
  const facts = factsOf(before ?? {}, after ?? entry.before ?? {}, own?.covers ?? [], nameOf);
  const start = `${activityLabel(action)}${own?.words ?? ""}`;
  return facts.length > 0 ? `${start}: ${facts.join("; ")}` : start;
}

interface OwnWords {
  words: string;
  /** Fields that these words already cover. */
  covers: readonly string[];
}

/** Actions with words of their own. */
const OWN = lookUp<string, (entry: Logged) => OwnWords | undefined>({
  reschedule: ({ before, after }) => {
    const [was, is] = [sessionWords(before), sessionWords(after)];
    if (!was || !is) return undefined;
    const words = was === is ? ` at ${is} IST` : ` from ${was} to ${is} IST`;
    return { words, covers: ["date", "timeSlot", "status"] };
  },
  slots_set: onDates,
  slots_reset: (entry) => onDates(entry, ["timeSlots"]),
  block: onDates,
  unblock: onDates,
});

function sessionWords(data: ActivityData | null): string | null {
  const { date, timeSlot } = data ?? {};
  if (typeof date !== "string" || typeof timeSlot !== "string") return null;
  return `${formatDate(date)}, ${formatSlot(timeSlot)}`;
}

/** The target is the captain, then the first and last date. */
function onDates({ target }: Logged, covers: readonly string[] = []) {
  const dates = (target ?? "").split(" ").slice(1).join(" ");
  const words = dates.replace(/\d{4}-\d\d-\d\d/g, formatDate);
  return words ? { words: ` on ${words}`, covers } : undefined;
}

type Render = (value: string, nameOf: NameOf) => string;

const plain: Render = (value) => value;
const rupees: Render = (value) => formatRupees(Math.round(Number(value) * 100));
const captain: Render = (key, nameOf) => nameOf(key) ?? key;
const status = lookUp<string, string>(STATUS_LABELS);
const hidden: Render = (code) => hiddenLabel(code as HiddenReason).toLowerCase();
/** Another time may be followed by its date and time. */
const helpAsk: Render = (asked) => {
  const [code, date, time] = asked.split(" ");
  const words = helpAskWords(code as HelpAsk);
  return date && time ? `${words}, ${formatDate(date)}, ${formatSlot(time)}` : words;
};
const labelAlone: Render = () => "";

/** Labels of fields, else their names in words, and renderings, else by the type of the value. */
const FIELDS = lookUp<string, readonly [label: string, render?: Render]>({
  counselor: ["captain", captain],
  counselorKey: ["captain", captain],
  timeSlot: ["time"],
  timeSlots: [""],
  status: ["status", (code) => status(code) ?? refundStateWords(code as RefundState)],
  statuses: ["status", (code) => status(code) ?? code],
  attendance: ["attendance", (code) => attendanceLabel(code as Attendance)],
  method: ["by", paymentMethodWords],
  paid: ["paid", rupees],
  payBefore: ["to be paid until"],
  by: ["asked by the", plain],
  noticeRead: ["notice read to the customer", labelAlone],
  invoiceNumber: ["invoice", plain],
  paymentId: ["payment", plain],
  error: ["after", (error) => refundErrorWords(error).words.replace(/\.$/, "")],
  missing: ["not there: the", plain],
  settled: ["", plain],
  askedFor: ["", helpAsk],
  hidden: ["hidden", hidden],
  startDate: ["from"],
  endDate: ["to"],
  searched: ["with a search", labelAlone],
  refunded: ["with refunds", labelAlone],
  month: ["", formatMonth],
  kind: ["", messageLabel],
  channel: ["by", (code) => channelWords(code as Channel)],
  week: ["weekly hours"],
  bufferMinutes: ["minutes between sessions"],
  address: ["address", plain],
  left: ["codes left"],
  count: ["sessions"],
  host: ["server", plain],
  secondFactor: ["second factor", plain],
  under18: ["student under 18"],
  asked: ["asked for", plain],
  role: ["role", plain],
  access: ["access", plain],
  price: ["price", rupees],
  refund: ["refund", rupees],
  amount: ["amount", rupees],
  active: ["on the page"],
  defaultTimes: ["times"],
  portrait: ["another portrait", labelAlone],
  links: [""],
  meeting: ["session by"],
  room: ["session by"],
  sample: ["sample data"],
  logo: ["another logo", labelAlone],
  faq: ["other questions and answers", labelAlone],
  businessGstin: ["GSTIN", plain],
  businessCin: ["CIN", plain],
  businessSac: ["SAC", plain],
  askState: ["state in the form", plain],
});

function factsOf(
  before: ActivityData,
  after: ActivityData,
  covered: readonly string[],
  nameOf: NameOf,
): string[] {
  const [old, fresh] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names.flatMap((name) => {
    // Values before, by date, are left out: the times say what holds since.
    if (covered.includes(name) || isCalendarDate(name)) return [];
    const [was, is] = [old.get(name), fresh.get(name)];
    if (JSON.stringify(was) === JSON.stringify(is) || isHidden(name, is ?? was)) return [];
    const [label, render] = FIELDS(name) ?? [inWords(name)];
    const say = (value: unknown) => OBJECTS(name)?.(value) ?? valueWords(value, nameOf, render);
    if (render === labelAlone) return [is === null ? label.replace("another", "no") : label];
    const isChange = was !== undefined && is !== undefined;
    const words = isChange ? `from ${say(was)} to ${say(is)}` : say(is ?? was ?? null);
    return [`${label} ${words}`.trim()];
  });
}

/** Ids that mean nothing to a person: of a message, or of a refund where no amount is meant. */
function isHidden(name: string, value: unknown): boolean {
  return name === "message" || (name === "refund" && typeof value === "string");
}

const ALL_TIMES = JSON.stringify(MASTER_TIMES);

function valueWords(value: unknown, nameOf: NameOf, render?: Render): string {
  if (value === null || value === "") return "none";
  if (JSON.stringify(value) === ALL_TIMES) return "all times";
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    return value.map((one) => valueWords(one, nameOf, render)).join(", ") || "none";
  }
  if (typeof value === "object") return "another value";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (render) return render(String(value), nameOf);
  return typeof value === "number" ? String(value) : stringWords(String(value));
}

const USUAL_TIMES = "the usual times";
const LONGEST_TEXT = 80;

function stringWords(value: string): string {
  if (isCalendarDate(value)) return formatDate(value);
  if (isTimeSlot(value)) return formatSlot(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatInstant(Date.parse(value));
  if (value === "default") return USUAL_TIMES;
  if (value.length <= LONGEST_TEXT) return `\u201c${value}\u201d`;
  // Without half of a character that is two code units.
  const kept = value.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "");
  return `\u201c${kept}\u2026\u201d`;
}

/** `yearsOfExperience` → `years of experience`. */
function inWords(name: string): string {
  return name.replace(/[_-]+|(?=[A-Z])/g, " ").toLowerCase();
}

const OBJECTS = lookUp<string, (value: unknown) => string>({
  week,
  links,
  meeting,
  questions,
  room: meeting,
});

function week(value: unknown): string {
  if (value === null) return USUAL_TIMES;
  const days = WEEKDAYS.flatMap((day) => {
    const times = [Object(value)[day] ?? []].flat().map((time) => formatSlot(String(time)));
    return times.length > 0 ? `${WEEKDAY_LABELS[day]} ${times.join(", ")}` : [];
  });
  return days.join(", ") || "none";
}

function questions(value: unknown): string {
  const each = [value ?? []].flat().map(Object);
  return (
    each.map(({ label, required }) => (required ? `${label} (needed)` : label)).join("; ") || "none"
  );
}

function links(value: unknown): string {
  const each = [value ?? []].flat().map(Object);
  return each.map(({ label, url }) => `${label} (${url})`).join(", ") || "none";
}

const kindWords = lookUp({
  call: "phone call",
  phone: "phone call",
  pattern: "video link for each session",
  zoom: "Zoom",
});

function meeting(value: unknown): string {
  return kindWords(Object(value).kind) ?? "video link";
}
