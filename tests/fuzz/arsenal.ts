/** All that is thrown in a storm, as one arbitrary: of each route every kind of request. */
import fc from "fast-check";
import { dayAhead } from "#tests/support/bookings.ts";
import { bodiesArbitrary, framingArbitrary, headersArbitrary } from "./framing.ts";
import { requestArbitrary, type Target } from "./fuzz.ts";
import { FIELDS, QUERIES, TARGETS } from "./fuzz-targets.ts";
import { namesArbitrary } from "./names.ts";
import { pathsArbitrary } from "./paths.ts";
import type { Shot } from "./shot.ts";
import { knownValues } from "./values.ts";

/** Stand for what only the running server knows; `load` puts it in. */
const IDS = ["zzidazz", "zzidbzz", "zzidczz"];
const DATE = "zzdatezz";
const TOKEN = "zztokenzz";

export interface Magazine {
  /** Of a paid session, an unpaid one, and of none. */
  ids: readonly string[];
  token: string;
  /** Counts the requests, so that each may have a day and an address of its own. */
  serial: number;
  /** The one that the server believes for a client's address; null: the socket counts. */
  addressHeader: string | null;
}

const isAdmin = (path: string) => /^\/(api\/)?admin(\/|$)/.test(path);

export function arsenal(): fc.Arbitrary<Shot> {
  const known = { ...knownValues(IDS), date: [DATE, dayAhead(-3), "2026-02-30"] };
  const all = TARGETS.map((key): Target => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path, fields: FIELDS[key], query: QUERIES[key] };
  });
  const isCall = ({ path }: Target) => /^\/(api|webhooks)\//.test(path);
  const forms = all.filter((one) => one.fields && !isCall(one));
  const calls = all.filter((one) => one.fields && isCall(one));
  const signedIn: Shot["headers"] = [["Authorization", `Bearer ${TOKEN}`]];
  /** Strangers ask the admin's routes too. */
  const ofOne = (
    list: readonly Target[],
    make: (target: Target, headers: Shot["headers"]) => fc.Arbitrary<Shot>,
  ) =>
    fc.oneof(
      ...list.flatMap((target) =>
        isAdmin(target.path) ? [make(target, []), make(target, signedIn)] : [make(target, [])],
      ),
    );
  const names = (target: Target, headers: Shot["headers"]) =>
    namesArbitrary(target, known, headers);
  const someone = fc.constantFrom<Shot["headers"]>([], [], signedIn);
  return fc.oneof(
    { weight: 10, arbitrary: ofOne(forms, names) },
    { weight: 4, arbitrary: ofOne(calls, names) },
    { weight: 3, arbitrary: ofOne(all, names) },
    { weight: 12, arbitrary: someone.chain(pathsArbitrary) },
    { weight: 6, arbitrary: someone.chain(headersArbitrary) },
    { weight: 2, arbitrary: framingArbitrary([]) },
    { weight: 1, arbitrary: bodiesArbitrary([]) },
    { weight: 6, arbitrary: ofOne(all, valuesArbitrary) },
  );
}

function valuesArbitrary(target: Target, headers: Shot["headers"]): fc.Arbitrary<Shot> {
  return requestArbitrary(target, IDS, null).map(({ method, path, headers: games, body }) => ({
    kind: "values",
    target: target.path,
    method,
    path,
    headers: [
      ...headers,
      ...Object.entries(games).map(([name, value]) => [name, String(value)] as const),
    ],
    body,
    broken: /[^!-~]/.test(path),
  }));
}

/** The request as it is sent to this server. */
export function load(shot: Shot, { ids, token, serial, addressHeader }: Magazine): Shot {
  const put = (text: string) =>
    text
      .replace(/zzid(.)zz/g, (_, which: string) => ids[which.charCodeAt(0) - 97] ?? "none")
      .replaceAll(DATE, dayAhead(2 + (serial % 86)))
      .replaceAll(TOKEN, token);
  const { body, fields } = shot;
  return {
    ...shot,
    path: put(shot.path.replace(/:(id|number|secret)\b/g, IDS[serial % IDS.length]!)),
    headers: [
      ...shot.headers.map(([name, value]) => [name, put(value)] as const),
      ...(addressHeader ? [[addressHeader, addressOf(serial)] as const] : []),
    ],
    ...(typeof body === "string" && body.length < 100_000 ? { body: put(body) } : {}),
    ...(fields
      ? { fields: fields.map(([n, value]) => [n, typeof value === "string" ? put(value) : value]) }
      : {}),
  };
}

/** Many networks, some of one provider, and what is no address. */
function addressOf(serial: number): string {
  const hex = ((serial * 2_654_435_761) >>> 0).toString(16).padStart(8, "0");
  if (serial % 97 === 0) return serial % 2 ? "__proto__" : "x".repeat(500);
  if (serial % 3 === 0) return `2001:db8:${hex.slice(0, 4)}:${hex.slice(4)}::1`;
  return `10.${(serial >> 8) & 255}.${serial & 255}.${serial % 7}`;
}
