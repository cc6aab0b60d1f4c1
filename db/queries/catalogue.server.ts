/** The owner's catalogue: few rows, read whole. */
import { z } from "zod";
import {
  type Catalogue,
  type Counselor,
  meetingAt,
  type PackageMinutes,
} from "#app/model/catalogue.ts";
import { storedJson, storedTimes } from "#app/model/stored-json.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import { prepare } from "#db/prepared-query.ts";

const counselors = prepare<object>()(() =>
  sqlite.selectFrom("counselor").selectAll().orderBy("position").orderBy("key"),
);
const names = prepare<object>()(() => sqlite.selectFrom("counselor_name").selectAll());
const packages = prepare<object>()(() =>
  sqlite.selectFrom("package").selectAll().orderBy("minutes"),
);
const settings = prepare<object>()(() => sqlite.selectFrom("offer_settings").selectAll());

const textsSchema = z.array(z.string());
const linksSchema = z.array(z.object({ label: z.string(), url: z.string() }));

/** Those taken off the page are among them. */
export function readCatalogue(db: Db): Catalogue {
  const { default_times, links, version } = settings.first(db, {})!;
  const named = names.all(db, {});
  return {
    counselors: counselors.all(db, {}).map(
      (row): Counselor => ({
        key: row.key,
        name: row.name,
        formerNames: named
          .filter(({ counselor_key, name }) => counselor_key === row.key && name !== row.name)
          .map(({ name }) => name),
        title: row.title,
        description: row.description,
        yearsOfExperience: row.years_of_experience,
        rating: row.rating,
        sessions: row.sessions,
        specialties: storedJson("counselor.specialties", row.specialties, textsSchema, []),
        email: row.email,
        meeting: meetingAt(row.meeting_url),
        portrait: row.portrait,
        active: row.active === 1,
        sample: row.sample_of !== null,
        position: row.position,
        version: row.version,
      }),
    ),
    packages: packages.all(db, {}).map((row) => ({
      minutes: row.minutes as PackageMinutes,
      price: row.price_rupees,
      label: row.label,
      description: row.description,
      active: row.active === 1,
      version: row.version,
    })),
    defaultTimes: storedTimes(default_times, "offer_settings.default_times"),
    links: storedJson("offer_settings.links", links, linksSchema, []),
    version,
  };
}
