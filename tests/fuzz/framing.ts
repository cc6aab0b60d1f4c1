/** Heads repeated, folded, huge or at odds with themselves; bodies that stop, dribble or lie. */
import fc from "fast-check";
import { FIELDS, PATHS } from "./fuzz-targets.ts";
import type { Delivery, Shot } from "./shot.ts";
import { OBJECT_NAMES } from "./values.ts";

type Header = readonly [name: string, value: string];

const times = (count: number, make: (i: number) => Header) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Of each kind of head its values, as nobody would send them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "Accept-Encoding": [
    ...["br;q=0.5", "br; q=0", "br;q=", "*", "*;q=0", "identity;q=0", "gzip;q=1e9, br;q=-1"],
    ...[", ,,", "br,".repeat(4_000), "gzip;q=0.".concat("0".repeat(9_000))],
  ],
  "If-None-Match": ["*", 'W/""', '"', '"a",'.repeat(3_000), "W/".repeat(5_000)],
  Range: [
    "bytes=0-",
    "bytes=-1",
    "bytes=9-1",
    "bytes=0-0,".repeat(1_500),
    `bytes=0-${"9".repeat(400)}`,
  ],
  Cookie: [
    "a=b; ".repeat(3_000),
    "=;".repeat(6_000),
    `admin_session=${"x".repeat(12_000)}`,
    `__Host-admin_session=%${"25".repeat(5_000)}`,
    `last_booking=${btoa(`{"__proto__":{"a":1},"id":"constructor"}`)}`,
    `flash=${btoa("[".repeat(6_000))}`,
    OBJECT_NAMES.map((name) => `${name}=1`).join("; "),
    '"'.repeat(9_000),
  ],
  "Content-Type": [
    "application/json; charset=__proto__",
    `multipart/form-data; boundary=${"-".repeat(5_000)}`,
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary="',
    "application/x-www-form-urlencoded;;;;",
    "application/json,text/html",
  ],
};
const OTHERS = [
  "Accept",
  "Authorization",
  "Expect",
  "Host",
  "Idempotency-Key",
  "Origin",
  "Referer",
  "Sec-Fetch-Site",
  "TE",
  "Trailer",
  "Transfer-Encoding",
  "Upgrade",
  "Via",
  "X-Client",
  "X-Forwarded-For",
  "X-Http-Method-Override",
  "__proto__",
  "constructor",
];
const NO_NAMES = ["X Space", "X-Nul\u0000", "", "X:", "\tX"];
const ANY = [...OBJECT_NAMES, "x".repeat(9_000), "\u00ff\u00fe", "100-continue", "null", "a\r\n b"];

/** Of each kind of head one, or the same one many times. */
const name = fc.constantFrom(...Object.keys(VALUES), ...OTHERS, ...NO_NAMES);
const game: fc.Arbitrary<Header[]> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...Object.entries(VALUES))
      .chain(([one, values]) =>
        fc.constantFrom(...values).map((value): Header[] => [[one, value]]),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(name, fc.constantFrom(...ANY)).map((header): Header[] => [header]),
  },
  fc
    .tuple(name, fc.constantFrom(2, 40, 900))
    .map(([one, count]) => times(count, (i) => [one, `v${i}=1`])),
  fc.constantFrom(50, 900, 2_500).map((count) => times(count, (i) => [`X-${i}`, "1"])),
  fc
    .constantFrom(100, 8_000, 15_000, 60_000)
    .map((length): Header[] => [["X-Long", "y".repeat(length)]]),
);

const somewhere = fc.constantFrom(...PATHS);

export function headersArbitrary(own: Shot["headers"]): fc.Arbitrary<Shot> {
  return fc
    .tuple(
      somewhere,
      fc.array(game, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("GET", "GET", "POST", "HEAD"),
    )
    .map(([path, games, method]) => ({
      kind: "headers",
      target: path,
      method,
      path,
      headers: [...own, ...games.flat()],
      // Node closes on some of these at once, and what was still being sent may cost the answer.
      broken: true,
    }));
}

/** Two framings of one body: whoever believes the other one reads a second request. */
const FRAMINGS: Header[][] = [
  ["Content-Length: 5", "Transfer-Encoding: chunked"],
  ["Transfer-Encoding: chunked", "Content-Length: 0"],
  ["Content-Length: 5", "Content-Length: 60"],
  ["Content-Length: 5, 60"],
  ["Content-Length: +5"],
  ["Content-Length: 0x5"],
  ["Content-Length: -1"],
  [`Content-Length: ${"9".repeat(30)}`],
  ["Content-Length: 5", "Transfer-Encoding: identity"],
  ["Content-Length: 5", "Transfer-Encoding: xchunked"],
  ["Content-Length: 5", "Transfer-Encoding:  chunked", "Transfer-Encoding: identity"],
  ["Content-Length: 5", "Transfer-Encoding: chunked, identity"],
  ["Content-Length: 5", "Transfer-Encoding\u000b: chunked"],
  ["Content-Length : 5"],
  ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
].map((lines) =>
  lines.map((line): Header => {
    const [name = "", value = ""] = line.split(/: (.*)/s);
    return [name, value];
  }),
);
const INNER = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
const CHUNKS = [
  `0\r\n\r\n${INNER}`,
  `5\r\nname=\r\n0\r\n\r\n${INNER}`,
  "zz\r\n",
  "5;x=y\r\nname=\r\n0\r\nX: y\r\n\r\n",
  `5;${"e".repeat(20_000)}\r\nname=\r\n0\r\n\r\n`,
  `ffffffffffffffff\r\n${"x".repeat(500)}`,
  "1\r\na\r\n".repeat(9_000),
  "-5\r\nname=\r\n0\r\n\r\n",
  `0\r\n${"X: y\r\n".repeat(3_000)}\r\n`,
  `name=${INNER}`,
];

const posted = fc.constantFrom(
  ...Object.keys(FIELDS).map((key) => key.split(" ") as [string, string]),
  ["POST", "/webhooks/whatsapp"] as [string, string],
);

/** Bodies at odds with their head; the first answer is all there may be. */
export function framingArbitrary(own: Shot["headers"]): fc.Arbitrary<Shot> {
  const TYPE: Header = ["Content-Type", "application/x-www-form-urlencoded"];
  return fc
    .tuple(posted, fc.constantFrom(...FRAMINGS), fc.constantFrom(...CHUNKS))
    .map(([[method, path], framing, body]) => ({
      kind: "framing",
      target: path,
      method,
      path,
      headers: [...own, TYPE, ...framing],
      body,
      framed: true,
      broken: true,
      delivery: { patienceMs: 2_000 },
    }));
}

/** The longest that one of them is held open, in milliseconds. */
const HELD_MS = 12_000;

const slow: fc.Arbitrary<Delivery> = fc.oneof(
  fc.constantFrom(0.02, 0.5, 0.9, 0.999).map((share) => ({ share, patienceMs: HELD_MS })),
  fc.constantFrom(1, 40, 1_000).map((piece) => ({ piece, everyMs: 100, patienceMs: HELD_MS })),
  fc.constantFrom(0.1, 0.6).map((share) => ({ share, patienceMs: 300 })),
);

/** Sent in part, byte by byte, or shorter than announced: each holds its socket for a while. */
export function bodiesArbitrary(own: Shot["headers"]): fc.Arbitrary<Shot> {
  return fc
    .record({
      to: posted,
      length: fc.constantFrom(5, 3_000, 60_000, 66_000, 2_900_000),
      announced: fc.constantFrom("right", "right", "more", "less"),
      type: fc.constantFrom(
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=fz",
      ),
      delivery: slow,
    })
    .map(({ to: [method, path], length, announced, type, delivery }) => {
      const many = { right: length, more: length + 900, less: Math.max(1, length - 3) }[announced];
      return {
        kind: "bodies",
        target: path,
        method,
        path,
        headers: [...own, ["Content-Type", type], ["Content-Length", String(many)]] as Header[],
        body: `"${"x".repeat(length - 2)}"`,
        framed: true,
        broken: true,
        delivery,
      };
    });
}
