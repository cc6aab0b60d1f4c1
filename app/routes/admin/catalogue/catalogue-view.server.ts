/** Views of the catalogue pages, with values as form texts. */
import type { RouterContextProvider } from "react-router";
import { MOST_LINKS } from "#app/catalogue/fields.ts";
import { readBookable, readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { type Counselor, findCounselorByKey, type SessionPackage } from "#app/model/catalogue.ts";
import { formatSlot } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { clashesOf } from "#app/routes/admin/parts/clashes-view.server.ts";
import { listFutureSessions } from "#db/queries/hours.server.ts";

export type CatalogueView = ReturnType<typeof catalogueView>;

export function catalogueView(deps: ReadDeps) {
  const { counselors, packages, defaultTimes, links, version } = readCatalogue(deps.db);
  return {
    version,
    captains: counselors.map((counselor, position) => ({
      key: counselor.key,
      name: counselor.name,
      title: counselor.title,
      portrait: counselor.portrait,
      sample: counselor.sample,
      position,
      state: stateOf(deps, counselor),
      isLast: position === counselors.length - 1,
    })),
    packages: packages.map((one) => ({
      minutes: one.minutes,
      questions: one.questions.length,
      values: packageValues(one),
    })),
    times: MASTER_TIMES.map((value) => {
      const checked = defaultTimes.includes(value);
      return { value, label: formatSlot(value), checked, note: null };
    }),
    links,
    /** All rows of the form, as items of the schema's list. */
    linkRows: Array.from({ length: MOST_LINKS }, (_, i) => `links[${i}]`),
  };
}

function packageValues({ price, label, description, active, version }: SessionPackage) {
  return {
    price: String(price),
    label,
    description,
    active: String(active),
    version: String(version),
  };
}

function stateOf(deps: ReadDeps, { key, active }: Counselor): string {
  if (!active) return "Taken off the page";
  return findCounselorByKey(readBookable(deps), key)
    ? "On the page"
    : "A sample, so not on this page";
}

export type CaptainView = ReturnType<typeof captainView>;

export function withRoom(form: FormData): FormData {
  for (const [field, name] of [
    ["roomKind", "room.kind"],
    ["roomAddress", "room.address"],
  ] as const) {
    const value = form.get(field);
    if (value !== null) form.set(name, value);
  }
  return form;
}

/** Throws a 404 page for an unknown key. */
export function captainView(deps: Deps, context: Readonly<RouterContextProvider>, key: string) {
  const counselor = found(findCounselorByKey(readCatalogue(deps.db), key));
  return {
    counselor,
    values: captainValues(counselor),
    state: stateOf(deps, counselor),
    toCome: listFutureSessions(deps.db, deps.now()).filter((one) => one.counselorKey === key)
      .length,
    /** Future sessions with clashes, such as all of a captain who is off the page. */
    clashes: clashesOf(deps, context, key),
  };
}

export type CaptainValues = ReturnType<typeof captainValues>;

function captainValues(counselor: Counselor) {
  const { room } = counselor;
  return {
    name: counselor.name,
    title: counselor.title,
    description: counselor.description,
    yearsOfExperience: String(counselor.yearsOfExperience ?? ""),
    rating: counselor.rating?.toFixed(1) ?? "",
    sessions: String(counselor.sessions ?? ""),
    specialties: counselor.specialties.join("\n"),
    languages: counselor.languages.join("\n"),
    email: counselor.email,
    roomKind: room.kind as string,
    roomAddress: room.kind === "phone" ? "" : room.address,
    version: String(counselor.version),
  };
}

export const NO_VALUES: CaptainValues = {
  name: "",
  title: "",
  description: "",
  yearsOfExperience: "",
  rating: "",
  sessions: "",
  specialties: "",
  languages: "",
  email: "",
  roomKind: "link",
  roomAddress: "",
  version: "1",
};
