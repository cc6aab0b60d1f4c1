/** The catalogue (few rows, read whole), captains' portraits, and the secrets of their calendar addresses. */
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import {
  type Catalogue,
  type Counselor,
  LOGO_PNG_WIDTH,
  type PackageMinutes,
  QUESTION_KINDS,
  type SessionPackage,
} from "#app/model/catalogue.ts";
import { meetingAt, type Room } from "#app/model/room.ts";
import { storedJson, storedTimes } from "#app/model/stored-json.ts";
import { withLineFeeds } from "#app/model/text-blocks.ts";
import { insertInto, replaceIn, updateBy } from "#db/by-column.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import type { CounselorTable } from "#db/offer-tables.ts";
import type { Tables } from "#db/tables.ts";

const textsSchema = z.array(z.string());
const questionsSchema = z.array(
  z.object({
    id: z.string(),
    label: z.string(),
    hint: z.string(),
    kind: z.enum(QUESTION_KINDS),
    choices: textsSchema,
    required: z.boolean(),
  }),
);
const linksSchema = z.array(z.object({ label: z.string(), url: z.string() }));

/** Includes captains and packages that are off the page. */
export function readCatalogue(db: Db): Catalogue {
  // By hand: read for every visitor, so it is not built anew.
  const rows = <Name extends keyof Tables>(table: Name, rest = "") =>
    db.allRaw<Selectable<Tables[Name]>>(`SELECT * FROM ${table} ${rest}`);
  const { default_times, links, version } = rows("offer_settings")[0]!;
  const named = rows("counselor_name");
  return {
    counselors: rows("counselor", "ORDER BY position, key").map(
      (row): Counselor => ({
        key: row.key,
        name: row.name,
        formerNames: named
          .filter(({ counselor_key, name }) => counselor_key === row.key && name !== row.name)
          .map(({ name }) => name),
        title: row.title,
        // Some rows end a line in CRLF, and are the same text.
        description: withLineFeeds(row.description),
        yearsOfExperience: row.years_of_experience,
        rating: row.rating,
        sessions: row.sessions,
        specialties: storedJson("counselor.specialties", row.specialties, textsSchema, []),
        languages: storedJson("counselor.languages", row.languages, textsSchema, []),
        email: row.email,
        meeting: meetingAt(row.meeting_url),
        room: roomOf(row),
        portrait: row.portrait,
        active: row.active === 1,
        sample: row.sample_of !== null,
        position: row.position,
        version: row.version,
      }),
    ),
    packages: rows("package", "ORDER BY minutes").map((row) => ({
      minutes: row.minutes as PackageMinutes,
      price: row.price_rupees,
      label: row.label,
      description: row.description,
      active: row.active === 1,
      questions: storedJson("package.questions", row.questions, questionsSchema, []),
      version: row.version,
    })),
    defaultTimes: storedTimes(default_times, "offer_settings.default_times"),
    links: storedJson("offer_settings.links", links, linksSchema, []),
    version,
  };
}

function roomOf(row: Pick<CounselorTable, "meeting_url" | "room_kind" | "room_address">): Room {
  if (row.room_kind !== null) return { kind: row.room_kind, address: row.room_address ?? "" };
  return row.meeting_url === null ? { kind: "phone" } : { kind: "link", address: row.meeting_url };
}

type NewCounselor = Omit<Counselor, "formerNames" | "sample" | "version">;

function fieldsOf({ meeting, room, specialties, languages, active, ...same }: NewCounselor) {
  const own = room.kind === "pattern" || room.kind === "zoom" ? room : null;
  return {
    ...same,
    specialties: JSON.stringify(specialties),
    languages: JSON.stringify(languages),
    meetingUrl: meeting.kind === "link" ? meeting.url : null,
    roomKind: own?.kind ?? null,
    roomAddress: own?.address ?? null,
    active: Number(active),
  };
}

const insert = insertInto("counselor");
const update = updateBy("counselor", "key");

export function insertCounselor(tx: Db, counselor: NewCounselor, now: number): void {
  insert(tx, { ...fieldsOf(counselor), updatedAt: now });
  saveName(tx, counselor);
}

/** Raises the version. A former name stays the captain's. */
export function updateCounselor(tx: Db, counselor: Counselor, now: number): void {
  const { formerNames: _, sample, version, ...same } = counselor;
  const { key, ...fields } = fieldsOf(same);
  const sampleOf = sample ? undefined : null;
  update(tx, key, { ...fields, sampleOf, version: version + 1, updatedAt: now });
  saveName(tx, counselor);
}

function saveName(tx: Db, { key, name }: Pick<Counselor, "key" | "name">): void {
  const row = sqlite.insertInto("counselor_name").values({ name, counselor_key: key });
  tx.run(row.onConflict((conflict) => conflict.column("name").doUpdateSet({ name })));
}

/** Does not raise the version, because the captain's own fields do not change. */
export function savePosition(tx: Db, key: string, position: number): void {
  update(tx, key, { position });
}

const sampleSchema = z.object({
  name: z.string(),
  email: z.string(),
  portrait: z.string().nullable(),
});

/** What a sample captain began with; null for a real one. */
export function findSampleOf(db: Db, key: string) {
  const row = db.first(sqlite.selectFrom("counselor").select("sample_of").where("key", "=", key));
  return row?.sample_of
    ? storedJson("counselor.sample_of", row.sample_of, sampleSchema.nullable(), null)
    : null;
}

const writePackage = updateBy("package", "minutes");

/** Raises the version. */
export function updatePackage(tx: Db, sessionPackage: SessionPackage): void {
  const { minutes, price, active, questions, version, ...same } = sessionPackage;
  writePackage(tx, minutes, {
    ...same,
    priceRupees: price,
    active: Number(active),
    questions: JSON.stringify(questions),
    version: version + 1,
  });
}

export function updateOfferSettings(
  tx: Db,
  { defaultTimes, links }: Partial<Pick<Catalogue, "defaultTimes" | "links">>,
): void {
  tx.run(
    sqlite.updateTable("offer_settings").set((eb) => ({
      ...(defaultTimes && { default_times: JSON.stringify(defaultTimes) }),
      ...(links && { links: JSON.stringify(links) }),
      version: eb("version", "+", 1),
    })),
  );
}

/** `1` until the first start after they came to be stored, where addresses were given out before. */
export const FEEDS_DERIVED_SETTING = "feeds_derived";

export function listFeeds(db: Db) {
  return db.objects(sqlite.selectFrom("counselor_feed").selectAll());
}

/** Takes the place of the captain's one before. */
export const saveFeed = replaceIn("counselor_feed");

export function findPortrait(db: Db, id: string, width: number): Uint8Array | null {
  const ofId = sqlite.selectFrom("portrait").select("bytes").where("id", "=", id);
  return db.first(ofId.where("width", "=", width))?.bytes ?? null;
}

/** The id is derived from the bytes: a known one stays what it is. */
export const savePortrait = replaceIn("portrait");

/** Keeps logos as PNG, because documents were issued with them. */
export function deleteUnusedPortraits(tx: Db): void {
  const used = sqlite.selectFrom("counselor").select("portrait").where("portrait", "is not", null);
  const portraits = sqlite
    .deleteFrom("portrait")
    .where("id", "not in", used.$castTo<{ portrait: string }>());
  const logo = sql<string>`coalesce((SELECT saved ->> 'logo' FROM owner_settings), '')`;
  tx.run(portraits.where("id", "<>", logo).where("width", "<>", LOGO_PNG_WIDTH));
}
