/**
 * The search field as SQL. Words of three characters and more are found anywhere in name, e-mail,
 * phone and id by the trigram index; shorter ones beside them anywhere in name, e-mail or phone, alone
 * at the beginning of name or e-mail, by their indexes. Students' names are all read, from their own
 * index. By hand: the builder knows neither the search's index nor those of expressions.
 */

export interface Condition {
  sql: string;
  parameters: unknown[];
}

/** The length of a trigram. */
export const SHORTEST_PART = 3;

/**
 * A query of the `seq` of the appointments that match, or null if nothing is sought. Every word must
 * match; a phone number is also found by its digits, however it is written; `#` seeks ids only.
 */
export function matchQuery(q: string | undefined): Condition | null {
  return orStudent(matchBooked(q), q);
}

function matchBooked(q: string | undefined): Condition | null {
  const text = clean(q ?? "");
  if (text === "" || text === "#") return null;
  if (text.startsWith("#")) return idQuery(text.slice(1).trim().toLowerCase());
  const digits = phoneDigits(text);
  // A plus means a phone number.
  const { long = [], short = [] } = digits !== null && text.startsWith("+") ? {} : wordsOf(text);
  if (long.length === 0 && digits === null) return prefixQuery(text);
  const alternatives: string[] = [];
  if (long.length > 0) alternatives.push(`(${long.map(written).join(" AND ")})`);
  if (digits !== null) alternatives.push(`(phone : ${phrase(digits)})`);
  return matching(alternatives.join(" OR "), digits === null ? short : []);
}

/** The same in names and phone numbers only: e-mail addresses and ids are not read. */
export function matchPerson(q: string | undefined): Condition | null {
  return orStudent(matchBooker(q), q);
}

function matchBooker(q: string | undefined): Condition | null {
  const text = clean(q ?? "");
  if (text === "") return null;
  const digits = phoneDigits(text);
  if (digits !== null) return matching(`phone : ${phrase(digits)}`);
  const { long, short = [] } = wordsOf(text);
  if (long)
    return matching(`{name phone} : (${long.map(written).join(" AND ")})`, short, [
      "name",
      "phone",
    ]);
  return {
    sql: `SELECT seq FROM appointment WHERE ${beginsLike("name")}`,
    parameters: [text, beyond(text)],
  };
}

/** Adds what is found by a student's name. */
function orStudent(match: Condition | null, q: string | undefined): Condition | null {
  const text = clean(q ?? "");
  if (match === null || text.startsWith("#") || phoneDigits(text) !== null) return match;
  const { long, short = [] } = wordsOf(text);
  const parts = long ? [...long, ...short].map(anywhere) : [`${inAnyCase(text)}*`];
  const all = parts.map(() => "student_name GLOB ?").join(" AND ");
  return {
    sql: `${match.sql} UNION SELECT seq FROM appointment INDEXED BY appointment_student
      WHERE student_name IS NOT NULL AND ${all}`,
    parameters: [...match.parameters, ...parts],
  };
}

/** A phone writes a curved one of its own accord. */
const APOSTROPHES = "'’";

/** The word as the index is asked for it, with either apostrophe. */
function written(word: string): string {
  const forms = new Set(Array.from(APOSTROPHES, (one) => word.replace(/['’]/g, one)));
  return `(${[...forms].map(phrase).join(" OR ")})`;
}

/** For GLOB, which takes lists of letters: LIKE knows only the cases of A to Z. */
function inAnyCase(text: string): string {
  return Array.from(text, (letter) => {
    if (APOSTROPHES.includes(letter)) return `[${APOSTROPHES}]`;
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower !== upper || "*?[".includes(letter) ? `[${lower}${upper}]` : letter;
  }).join("");
}

/** An initial is found without its full stop. */
const anywhere = (word: string) => `*${inAnyCase(word.replace(/\.$/, ""))}*`;

/** Words by whether the index finds them, left out where there are none; a lone sign is no word. */
function wordsOf(text: string): { long?: string[]; short?: string[]; sign?: string[] } {
  return Object.groupBy(text.split(" "), (word) => {
    if ([...word].length >= SHORTEST_PART) return "long";
    return /[\p{L}\p{N}]/u.test(word) ? "short" : "sign";
  });
}

/** What the index finds, of that what has each short word in one of the columns. */
function matching(
  match: string,
  short: readonly string[] = [],
  columns = ["name", "email", "phone"],
): Condition {
  const holds = columns.map((column) => `${column} GLOB ?`).join(" OR ");
  return {
    sql: `SELECT rowid AS seq FROM appointment_search WHERE appointment_search MATCH ?
      ${short.map(() => `AND (${holds})`).join(" ")}`,
    parameters: [match, ...short.flatMap((word) => columns.map(() => anywhere(word)))],
  };
}

/** The same for people: matches in the middle of a booking's id do not count. */
export function matchPeople(q: string | undefined): Condition | null {
  const match = matchBooked(q);
  if (match === null || !match.sql.includes("MATCH")) return match;
  const [text, ...short] = match.parameters;
  return { ...match, parameters: [`{name email phone} : (${text})`, ...short] };
}

/** The shown last 6 or 8 characters have indexes of their own; other lengths are sought anywhere. */
function idQuery(text: string): Condition | null {
  if (text === "") return null;
  const tail = { 6: "substr(id, -6)", 8: "substr(id, -8)" }[text.length];
  if (tail) return { sql: `SELECT seq FROM appointment WHERE ${tail} = ?`, parameters: [text] };
  if (text.length < SHORTEST_PART) {
    return { sql: `SELECT seq FROM appointment WHERE id LIKE ?`, parameters: [`%${text}`] };
  }
  return matching(`id : ${phrase(text)}`);
}

function prefixQuery(text: string): Condition {
  return {
    sql: `SELECT seq FROM appointment WHERE ${beginsLike("name")}
      UNION SELECT seq FROM appointment WHERE ${beginsLike("email")}`,
    parameters: [text, beyond(text), text, beyond(text)],
  };
}

/** SQLite's `lower`, which knows A to Z alone, on both sides. */
const beginsLike = (column: string) =>
  `lower(${column}) >= lower(?) AND lower(${column}) < lower(?)`;
const beyond = (text: string) => `${text}\u{10ffff}`;

/**
 * The digits of a text that can only be a phone number, if there are at least three. India's code
 * before a whole number is left out: nearly every number has it, so it would only cost time.
 */
function phoneDigits(text: string): string | null {
  if (!/^[+\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, "").replace(/^0+/, "");
  if (digits.length < SHORTEST_PART) return null;
  return digits.length === 12 && digits.startsWith("91") ? digits.slice(2) : digits;
}

/** An FTS5 string: quotes doubled, so that nothing in it is an operator. */
export function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** FTS5 ends a query at a NUL, and no stored text holds control characters. */
export function clean(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}
