/** What the linter's rooms (biome.json) cannot say of imports, and how large files may be. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, it } from "vitest";
import map from "#app/routes.ts";

const root = join(import.meta.dirname, "../..");

interface Source {
  path: string;
  lines: number;
  /** Paths from the root for our own files, names for packages. */
  imports: string[];
}

const sources: Source[] = ["app", "db", "scripts", "tests"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => readSource(join(entry.parentPath, entry.name))),
);

function readSource(file: string): Source {
  const text = readFileSync(file, "utf8");
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
    ([, target = ""]) => {
      if (target.startsWith("#")) return target.slice(1);
      if (target.startsWith(".")) return relative(root, join(file, "..", target));
      return target;
    },
  );
  return { path: relative(root, file), lines: text.split("\n").length, imports };
}

const filesOf = (nodes: readonly RouteConfigEntry[]): string[] =>
  nodes.flatMap(({ file, children = [] }) => [file, ...filesOf(children)]);

/** Every import from `from` into `into`, as lines that name both. */
function crossings(from: RegExp, into: RegExp, except: RegExp = /^$/): string[] {
  return sources
    .filter(({ path }) => from.test(path) && !/\.test\.tsx?$/.test(path) && !except.test(path))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => into.test(target)).map((target) => `${path} → ${target}`),
    );
}

describe("who imports whom", () => {
  it("routes import no other route, no query builder, no driver, no provider's SDK", () => {
    const routes = new Set(filesOf(map).map((file) => `app/${file}`));
    expect(routes.size).toBeGreaterThan(80);
    const otherRoute = sources
      .filter(({ path }) => path.startsWith("app/"))
      .flatMap(({ path, imports }) =>
        imports.filter((target) => routes.has(target)).map((target) => `${path} → ${target}`),
      );
    expect(otherRoute).toEqual([]);
    expect(crossings(/^app\/routes\//, /^(kysely|better-sqlite3|razorpay|nodemailer)/)).toEqual([]);
  });

  it("rules know neither React, nor the database, nor the clock", () => {
    const rules =
      /^app\/(model|booking|availability|payments|auth|documents|notifications|insights)\/(?!.*(\.server\.|\/render\/))[^/]+\.ts$/;
    expect(
      crossings(
        rules,
        /^(react|react-router|better-sqlite3|kysely)(\/|$)|^db\/(?!tables|ledger-document)/,
      ),
    ).toEqual([]);
    const clock = sources
      .filter(({ path }) => rules.test(path) && !path.endsWith(".test.ts"))
      .filter(({ path }) =>
        /Date\.now\(|new Date\(\)/.test(readFileSync(join(root, path), "utf8")),
      );
    expect(clock.map(({ path }) => path)).toEqual([]);
  });

  it("components import no server file and no database", () => {
    expect(crossings(/^app\/components\//, /\.server(\.ts)?$|^db\/(?!tables\.ts)/)).toEqual([]);
  });

  it("only the connection file imports the driver", () => {
    expect(
      crossings(
        /^(app|db|scripts)\//,
        /^better-sqlite3$/,
        /^db\/(connection|backup)\.server\.ts$|^scripts\/bench/,
      ),
    ).toEqual([]);
  });

  it("only the walls import the SDKs", () => {
    expect(crossings(/^app\//, /^razorpay/, /^app\/payments\/razorpay\.server\.ts$/)).toEqual([]);
    expect(
      crossings(/^app\//, /^nodemailer/, /^app\/notifications\/mail-sender\.server\.ts$/),
    ).toEqual([]);
  });
});

it("rows end in db/: above it nobody knows a column by its name in the table", () => {
  const files = ["db/tables.ts", "db/money-tables.ts"].map((path) => join(root, path));
  const tables = files.map((path) => readFileSync(path, "utf8")).join("\n");
  const columns = new Set([...tables.matchAll(/\b[a-z]+(_[a-z]+)+(?=: )/g)].map(([name]) => name));
  const read = new RegExp(`\\b(${[...columns].join("|")})\\b`, "g");
  // Razorpay's own names on the wire.
  const ofProvider =
    /\/(razorpay\.server|razorpay-shapes|provider-events\.server|booking-view\.server|checkout)\.ts$/;
  const reads = sources
    .filter(({ path }) => /^app\/(?!.*\.test\.)/.test(path) && !ofProvider.test(path))
    .flatMap(({ path }) => {
      const text = readFileSync(join(root, path), "utf8");
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g, "");
      return [...code.matchAll(read)].map(([name]) => `${path}: ${name}`);
    });
  expect(reads).toEqual([]);
});

it("no file is longer than 300 lines, no test than 400, and none is called utils, misc, helpers, common or service", () => {
  expect(
    sources
      .filter(({ path, lines }) => lines > (/^tests\/|\.test\./.test(path) ? 401 : 301))
      .map(({ path, lines }) => `${path}: ${lines}`),
  ).toEqual([]);
  const vague = sources.filter(({ path }) =>
    /(^|\/)(utils?|misc|helpers?|common|service)\.\w+$/.test(path),
  );
  expect(vague.map(({ path }) => path)).toEqual([]);
});

it("no test expects a pattern as a value: toMatchObject takes any string for one", () => {
  const expected = /\.toMatchObject\([^;]*?[{,]\s*\w+: \/\S[^;]*;/;
  expect(expected.test("expect(a).toMatchObject({ text: /a/ });")).toBe(true);
  const hits = sources.filter(
    ({ path }) =>
      /^tests\/|\.test\./.test(path) && expected.test(readFileSync(join(root, path), "utf8")),
  );
  expect(hits.map(({ path }) => path)).toEqual(["tests/code/house-rules.test.ts"]);
});

it("no command is called as what npm runs by itself, with an install for example", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const own = /^(pre|post)?(dependencies|install|prepare|pack|publish|version|prepublish(Only)?)$/;
  expect(Object.keys(scripts).filter((name) => own.test(name))).toEqual([]);
});

it("the booking form comes without the schema library, which is loaded for the first check", () => {
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    if (!/\.tsx?$/.test(path)) return;
    const text = readFileSync(join(root, path), "utf8");
    for (const [, name = ""] of text.matchAll(/^import (?!type )[^;]*?"([^"]+)";$/gm)) {
      follow(/^#/.test(name) ? name.slice(1) : /^\./.test(name) ? join(dirname(path), name) : name);
    }
  };
  follow("app/routes/public/home/form/booking-form.tsx");
  expect(reached).toContain("app/booking/honeypot-field.ts");
  expect(reached).not.toContain("zod");
});
