/** The documents: what they point to is there, and what they list is what the code has. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#app/http/rate-limits.ts";

const root = join(import.meta.dirname, "../..");

const DOCUMENTS = [
  "README.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "scripts/sandbox/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The words of a heading as GitHub makes an anchor of them. */
function anchorsOf(path: string): Set<string> {
  const headings = read(path).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
}

/** The cells of the table rows under a heading, the table's own two head rows left out. */
function rowsUnder(path: string, heading: string): string[][] {
  const [, section = ""] = read(path).split(`\n## ${heading}\n`);
  return section
    .split(/\n## /, 1)[0]!
    .split("\n")
    .filter((line) => /^\| (?!-+ \|)/.test(line))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

const quoted = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

describe.each(DOCUMENTS)("%s", (document) => {
  const text = read(document);

  it("links to files and headings that are there", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)]
      .map(([, link, image]) => link ?? image ?? "")
      .filter((link) => !/^https?:/.test(link));
    const broken = links.filter((link) => {
      const [file = "", anchor] = link.split("#", 2);
      const path = file === "" ? document : join(dirname(document), file);
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && !anchorsOf(path).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("names paths that are there", () => {
    const paths = [...text.matchAll(/`((?:app|db|docs|public|scripts|tests)\/[\w./-]*)`/g)];
    const missing = paths.filter(([, path = ""]) => !existsSync(join(root, path)));
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  it("names commands that are there", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/\bnpm run ([a-z][a-z:]*)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe.each(["SECURITY.md", "docs/asvs.md"])("what %s claims", (document) => {
  const claim = /`([\w./-]+\.(?:test|spec)\.tsx?)` "([^"\n]+)"/g;

  it("names each test by its file and its title, which stands in it", () => {
    const text = read(document);
    const claims = [...text.matchAll(claim)];
    expect(claims.length).toBeGreaterThan(10);
    expect(text.replaceAll(claim, "").match(/`[\w./-]+\.(?:test|spec)\.tsx?`/g)).toBeNull();
    const wrong = claims.filter(([, file = "", title = ""]) => !isTitleIn(file, title));
    expect(wrong.map(([words]) => words)).toEqual([]);
  });
});

/** In quotes; a placeholder in a title stands for anything. */
function isTitleIn(file: string, title: string): boolean {
  if (!existsSync(join(root, file))) return false;
  const titles = read(file).matchAll(/"([^"\n]+)"|`([^`\n]+)`/g);
  return [...titles].some(([, plain = "", template = plain]) => {
    const [start = "", ...rest] = template.split(/%[sij]|\$\w+|\$\{[^}]*\}/);
    const end = rest.at(-1);
    if (end === undefined) return title === start;
    return (start + end).length > 8 && title.startsWith(start) && title.endsWith(end);
  });
}

it("README stays short enough to be read: 9 KB, with one picture and every other document", () => {
  expect(statSync(join(root, "README.md")).size).toBeLessThanOrEqual(9_000);
  expect(read("README.md").match(/!\[|<img/g)).toHaveLength(1);
  for (const document of DOCUMENTS.slice(1)) expect(read("README.md")).toContain(`](${document})`);
});

it("the tables of variables hold every variable that is read, and no other", () => {
  const sources = readdirSync(join(root, "app/core"))
    .filter((name) => /^env\b.*(?<!\.test)\.ts$/.test(name))
    .map((name) => read(`app/core/${name}`).replace(/\/\*[\s\S]*?\*\/|Number\.\w+/g, ""))
    .join("\n");
  const own = new Set(
    [...sources.matchAll(/\bconst ([A-Z_]+)|\bimport \{([^}]*)\}/g)].flatMap(([, name, names]) =>
      name ? [name] : (names?.match(/[A-Z_]+/g) ?? []),
    ),
  );
  const variables = sources.match(/\b(?:HOST|PORT|[A-Z]+(?:_[A-Z0-9]+)+)\b/g) ?? [];
  const named = rowsUnder("docs/operations.md", "Configuration").flatMap(([cell]) => quoted(cell));
  expect(new Set(named)).toEqual(new Set(variables.filter((name) => !own.has(name))));
});

it("the table of packages holds every package that the app needs, and no other", () => {
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>;
  };
  const named = rowsUnder("docs/decisions.md", "What the packages are for")
    .slice(1)
    .flatMap(([names = ""]) => names.split(", "));
  const isNamed = (name: string) =>
    named.includes(name) || named.includes(name.replace(/\/.*/, "/*"));
  const names = Object.keys(dependencies);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
  const starts = named.map((name) => name.replace(/\*$/, ""));
  expect(starts.filter((start) => !names.some((name) => name.startsWith(start)))).toEqual([]);
});

it("the table of rooms says what the linter allows", () => {
  const { overrides } = JSON.parse(read("biome.json")) as { overrides: unknown[] };
  const roomOf = (pattern: string) => pattern.replace(/^!#|\/\*\*$/g, "");
  const everybody = ["app/model", "app/catalogue.ts"];
  const rows = rowsUnder("docs/decisions.md", "Rooms and floors").slice(1);
  const rooms = JSON.stringify(overrides).match(/(?<="includes":\["|",")app\/[\w-]+(?=\/\*\*")/g);
  const named = rows.flatMap(([, names]) => quoted(names));
  expect(rooms?.filter((room) => room !== "app/routes" && !named.includes(room))).toEqual([]);
  for (const [, names, allowed] of rows) {
    const subjects = quoted(names);
    const rule = overrides
      .map((override) => JSON.stringify(override))
      .find((json) => json.includes(`"includes":["${subjects[0]}`));
    const group = rule?.match(/"group":\[([^\]]*)\]/)?.[1]?.match(/!#[^"]+/g) ?? [];
    const others = group.map(roomOf).filter((name) => ![...everybody, ...subjects].includes(name));
    expect(new Set(others), names).toEqual(
      new Set(quoted(allowed).filter((name) => !everybody.includes(name))),
    );
  }
});

it("SECURITY.md names the limits that hold", () => {
  const { changes, findBooking } = LIMITS;
  const words = `${changes.points} changes of a booking, ${findBooking.points} requests for links`;
  expect(read("SECURITY.md")).toContain(words);
});
