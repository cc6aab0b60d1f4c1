/** Names of fields as no form of ours has them, among fields as they should be. */
import fc from "fast-check";
import { encode, type Target } from "./fuzz.ts";
import type { Shot } from "./shot.ts";
import {
  type Field,
  fieldsArbitrary,
  hostileText,
  type KnownValues,
  OBJECT_NAMES,
} from "./values.ts";

const LONGEST = ["99999999", "4294967294", "9999999"];
const INDEXES = [
  ...[...LONGEST, ...OBJECT_NAMES, "prototype", "0", "1", "-1", "1000", "4294967295", "1e9"],
  ...["0x10", "", "x", "length", "0.5", "0][0", "[", "]", " "],
];
/** What stands between, before and behind the parts of a name. */
const SIGNS = ["[", "]", "[]", "[0]", "[[0]]", ".", "..", ".a", ".x", " ", "\u0000", "[99999999]"];

/** What the form library takes for its own. */
const LIBRARY_NAMES = [
  "__intent__",
  "__state__",
  "__intent__[0]",
  "__state__.x",
  "__intent__.type",
];
const INTENTS = ["insert", "remove", "reorder", "update", "reset", "validate", "toString"];
const PAYLOADS = [
  undefined,
  { name: "notes", index: 99_999_999, from: 1e9, to: 0 },
  { name: "notes[99999999]", value: [{}], index: -1 },
  { name: "__proto__.x", value: "1" },
];
const LIBRARY_VALUES = [
  ...["{", "null", "[]", "1", '"x"', "validate", "{}", "__proto__", "[".repeat(30_000)],
  ...INTENTS.flatMap((type) => PAYLOADS.map((payload) => JSON.stringify({ type, payload }))),
  `{"type":"validate","payload":${'{"a":'.repeat(3_000)}1${"}".repeat(3_001)}`,
  '{"validated":{"notes[99999999]":true},"key":{"__proto__":1},"initialValue":1}',
];

const COUNTS = [2, 7, 60, 500, 3_000];
const DEPTHS = [2, 9, 80, 900, 7_000];

/** Names to be mixed in; each of them strange, or a name of ours too often. */
function strangeFields(names: readonly string[]): fc.Arbitrary<Field[]> {
  const name = fc.constantFrom(...names);
  const sign = fc.constantFrom(...SIGNS);
  const index = fc.constantFrom(...INDEXES).map((one) => `[${one}]`);
  const part = fc.oneof(sign, index, name, fc.constantFrom(...OBJECT_NAMES, "prototype"));
  const fewParts = fc.array(part, { maxLength: 4 }).map((all) => all.join(""));
  const strange = fc.oneof(
    fc.tuple(name, index, fewParts).map((all) => all.join("")),
    fc.tuple(name, sign, fc.constantFrom(...DEPTHS)).map(([n, s, depth]) => n + s.repeat(depth)),
    fewParts,
    fc.constantFrom("a".repeat(10_000), ".".repeat(5_000), "[]".repeat(5_000)),
    hostileText,
  );
  const value = fc.oneof(fc.constantFrom("1", "", "on", "x".repeat(2_000)), hostileText);
  const few = fc.array(fc.tuple(strange, value), { minLength: 1, maxLength: 3 });
  const longest = fc
    .tuple(name, fc.constantFrom(...LONGEST))
    .map(([n, one]): Field[] => [[`${n}[${one}]`, "1"]]);
  const library = fc
    .tuple(fc.constantFrom(...LIBRARY_NAMES), fc.constantFrom(...LIBRARY_VALUES))
    .map((field): Field[] => [field]);
  const many = fc
    .tuple(name, fc.constantFrom(...COUNTS), fc.constantFrom("", "%", "[]", "[%]", ".%", "[%].x"))
    .map(([n, length, end]) =>
      Array.from({ length }, (_, i): Field => [n + end.replace("%", String(i)), "1"]),
    );
  return fc.oneof(
    { weight: 3, arbitrary: longest },
    { weight: 8, arbitrary: few as fc.Arbitrary<Field[]> },
    { weight: 3, arbitrary: library },
    { weight: 3, arbitrary: many },
  );
}

/** JSON whose objects are what the names would be expanded to. */
const strangeJson = fc.oneof(
  fc.constantFrom(...DEPTHS).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
  fc.constantFrom(...DEPTHS).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`),
  fc
    .constantFrom(...COUNTS)
    .map((length) => JSON.stringify({ ...Array.from({ length }, (_, i) => i) })),
  fc.constantFrom(...OBJECT_NAMES).map((name) => `{"${name}":{"x":1,"${name}":null}}`),
  fc.constantFrom(...OBJECT_NAMES).map((name) => `{"length":99999999,"0":"${name}"}`),
);

const FORM_TYPES = [
  ...Array(3).fill("application/x-www-form-urlencoded"),
  "multipart/form-data; boundary=fz",
];

export function namesArbitrary(
  target: Target,
  known: KnownValues,
  headers: Shot["headers"],
): fc.Arbitrary<Shot> {
  const names = [...(target.fields ?? []), ...(target.query ?? [])];
  const rest = fieldsArbitrary(known, names, hostileText);
  const mixed = fc
    .tuple(rest, strangeFields([...names, "notes", "intent"]), fc.nat(20))
    .map(([fields, strange, at]) => fields.toSpliced(at, 0, ...strange));
  const { path, method } = target;
  const base = { kind: "names", target: path, method, path, headers };
  if (method === "GET") {
    return mixed.map((fields) => {
      const query = new URLSearchParams(fields.map(([n, v]) => [n, String(v)]));
      return { ...base, path: `${path}?${query}` };
    });
  }
  const typed = (type: string) => [...headers, ["Content-Type", type] as const];
  const form = fc
    .tuple(mixed, fc.constantFrom<string>(...FORM_TYPES))
    .map(([fields, type]) => ({ ...base, headers: typed(type), body: encode(type, fields) }));
  if (!/^\/(api|webhooks)\//.test(path)) return form;
  const json = fc
    .tuple(rest, strangeJson, fc.constantFrom(...names, "notes"))
    .map(([fields, strange, name]) => {
      const others = JSON.stringify(Object.fromEntries(fields)).slice(1);
      return {
        ...base,
        headers: typed("application/json"),
        body: `{"${name}":${strange},${others}`.replace(/,}$/, "}"),
      };
    });
  return fc.oneof({ weight: 3, arbitrary: json }, { weight: 1, arbitrary: form });
}
