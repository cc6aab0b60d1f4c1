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

/** What only the running server knows. */
export interface Magazine {
  /** Of a paid session, and of none. */
  ids: readonly string[];
  token: string;
  /** On which sessions are free. */
  date: string;
}

const isAdmin = (path: string) => /^\/(api\/)?admin(\/|$)/.test(path);

export function arsenal({ ids, token, date }: Magazine): fc.Arbitrary<Shot> {
  const known = { ...knownValues(ids), date: [date, dayAhead(-3), "2026-02-30"] };
  const all = TARGETS.map((key): Target => {
    const [method = "", path = ""] = key.split(" ");
    return { method, path, fields: FIELDS[key], query: QUERIES[key] };
  });
  const isCall = ({ path }: Target) => /^\/(api|webhooks)\//.test(path);
  const forms = all.filter((one) => one.fields && !isCall(one));
  const calls = all.filter((one) => one.fields && isCall(one));
  const signedIn: Shot["headers"] = [["Authorization", `Bearer ${token}`]];
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
  const values = (target: Target, headers: Shot["headers"]) =>
    requestArbitrary(target, ids, null).map(({ headers: games, path, ...sent }) => ({
      ...sent,
      kind: "values",
      target: target.path,
      path,
      headers: [
        ...headers,
        ...Object.entries(games).map(([name, one]) => [name, `${one}`] as const),
      ],
      broken: /[^!-~]/.test(path),
    }));
  const someone = fc.constantFrom<Shot["headers"]>([], [], signedIn);
  const shot = fc.oneof(
    { weight: 10, arbitrary: ofOne(forms, names) },
    { weight: 4, arbitrary: ofOne(calls, names) },
    { weight: 3, arbitrary: ofOne(all, names) },
    { weight: 12, arbitrary: someone.chain(pathsArbitrary) },
    { weight: 6, arbitrary: someone.chain(headersArbitrary) },
    { weight: 2, arbitrary: framingArbitrary([]) },
    { weight: 1, arbitrary: bodiesArbitrary([]) },
    { weight: 6, arbitrary: ofOne(all, values) },
  );
  return fc.tuple(shot, fc.constantFrom(...ids)).map(([one, id]) => ({
    ...one,
    path: one.path.replace(/:(id|number|secret)\b/g, id),
  }));
}

/** Many networks, some of one provider, and what is no address. */
export function addressOf(serial: number): string {
  const hex = ((serial * 2_654_435_761) >>> 0).toString(16).padStart(8, "0");
  if (serial % 97 === 0) return serial % 2 ? "__proto__" : "x".repeat(500);
  if (serial % 3 === 0) return `2001:db8:${hex.slice(0, 4)}:${hex.slice(4)}::1`;
  return `10.${(serial >> 8) & 255}.${serial & 255}.${serial % 7}`;
}
