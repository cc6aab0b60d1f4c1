/** Names of fields as no form of ours has them, among fields as they should be. */
import fc from "fast-check";
import type { Target } from "./fuzz.ts";
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
  ...[...LONGEST, "0", "1", "-1", "7", "1000", "4294967295", "1e9", "0x10", ""],
  ...["x", "length", "__proto__", "constructor", "prototype", "0.5", "0][0", "[", "]", " "],
];

/** What the form library takes for its own. */
const LIBRARY_NAMES = [
  "__intent__",
  "__state__",
  "__intent__[0]",
  "__state__.x",
  "__intent__.type",
];
const LIBRARY_VALUES = [
  ...["{", "null", "[]", "1", '"x"', "validate", "reset", "submit", "{}", "__proto__"],
  ...[
    "insert",
    "remove",
    "reorder",
    "update",
    "reset",
    "validate",
    "__proto__",
    "toString",
  ].flatMap((type) => [
    JSON.stringify({ type }),
    JSON.stringify({ type, payload: { name: "notes", index: 99_999_999, from: 1e9, to: 0 } }),
    JSON.stringify({ type, payload: { name: "notes[99999999]", value: [{}], index: -1 } }),
    JSON.stringify({ type, payload: { name: "__proto__.x", value: "1" } }),
  ]),
  `{"type":"validate","payload":${'{"a":'.repeat(3_000)}1${"}".repeat(3_001)}`,
  '{"validated":{"notes[99999999]":true},"key":{"__proto__":1},"initialValue":1}',
  "[".repeat(30_000),
];

const COUNTS = [2, 7, 60, 500, 3_000];
const DEPTHS = [2, 9, 80, 900, 7_000];

/** Names to be mixed in; each of them strange, or a name of ours too often. */
function strangeFields(names: readonly string[]): fc.Arbitrary<Field[]> {
  const name = fc.constantFrom(...(names.length > 0 ? names : ["x"]));
  const many = (make: (i: number) => string) => (count: number) =>
    Array.from({ length: count }, (_, i): Field => [make(i), "1"]);
  const one = fc.oneof(
    fc.tuple(name, fc.constantFrom(...INDEXES)).map(([n, index]) => `${n}[${index}]`),
    fc.tuple(name, fc.constantFrom(...INDEXES)).map(([n, index]) => `${n}[0].x[${index}].y`),
    fc.tuple(name, fc.constantFrom(...DEPTHS)).map(([n, depth]) => n + "[0]".repeat(depth)),
    fc.tuple(name, fc.constantFrom(...DEPTHS)).map(([n, depth]) => n + ".a".repeat(depth)),
    fc.tuple(name, fc.constantFrom(...DEPTHS)).map(([n, depth]) => n + "[".repeat(depth)),
    fc
      .tuple(
        name,
        fc.constantFrom("[", "]", "[]", ".", "..x", "[]x", "[[0]]", ".[0]", "[0", "\u0000"),
      )
      .map(([n, end]) => n + end),
    fc
      .tuple(fc.constantFrom("[", ".", "]", "[0].", "__proto__.", " "), name)
      .map((all) => all.join("")),
    fc
      .tuple(
        fc.constantFrom(...OBJECT_NAMES, "prototype"),
        fc.constantFrom("", ".x", "[x]", "[prototype][x]", ".prototype.x", "[0]", "[99999999]"),
      )
      .map((all) => all.join("")),
    fc.tuple(name, fc.constantFrom(...OBJECT_NAMES)).map(([n, of]) => `${n}.${of}.${of}`),
    fc.constantFrom(
      "a".repeat(10_000),
      ".".repeat(5_000),
      "[]".repeat(5_000),
      "",
      "[0]",
      "[99999999]",
    ),
    hostileText,
  );
  const value = fc.oneof(fc.constantFrom("1", "", "on", "x".repeat(2_000)), hostileText);
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(name, fc.constantFrom(...LONGEST))
        .map(([n, index]): Field[] => [[`${n}[${index}]`, "1"]]),
    },
    {
      weight: 8,
      arbitrary: fc.array(fc.tuple(one, value) as fc.Arbitrary<Field>, {
        minLength: 1,
        maxLength: 3,
      }),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...LIBRARY_NAMES), fc.constantFrom(...LIBRARY_VALUES))
        .map((field): Field[] => [field]),
    },
    { weight: 1, arbitrary: fc.constantFrom(...COUNTS).map(many((i) => `f${i}`)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(name, fc.constantFrom(...COUNTS), fc.constantFrom("", "[]", "[%]", ".%", "[%].x"))
        .map(([n, count, end]) => many((i) => n + end.replace("%", String(i)))(count)),
    },
  );
}

/** JSON whose objects are what the names would be expanded to. */
const strangeJson = fc.oneof(
  fc.constantFrom(...DEPTHS).map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
  fc.constantFrom(...DEPTHS).map((depth) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`),
  fc
    .constantFrom(...COUNTS)
    .map((n) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, i]))),
    ),
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
  const base = { kind: "names", target: target.path, method: target.method, headers };
  if (target.method === "GET") {
    return mixed.map((fields) => ({
      ...base,
      path: `${target.path}?${new URLSearchParams(fields.map(([n, v]) => [n, String(v)]))}`,
    }));
  }
  const form = fc
    .tuple(mixed, fc.constantFrom<string>(...FORM_TYPES))
    .map(([fields, type]) => ({ ...base, path: target.path, type, fields }));
  if (!/^\/(api|webhooks)\//.test(target.path)) return form;
  const json = fc
    .tuple(rest, strangeJson, fc.constantFrom(...names, "notes"))
    .map(([fields, strange, name]) => ({
      ...base,
      path: target.path,
      headers: [...headers, ["Content-Type", "application/json"] as const],
      body: `{"${name}":${strange},${JSON.stringify(Object.fromEntries(fields)).slice(1)}`.replace(
        /,}$/,
        "}",
      ),
    }));
  return fc.oneof({ weight: 3, arbitrary: json }, { weight: 1, arbitrary: form });
}
