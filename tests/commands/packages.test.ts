/** What ships, asked of a registry that answers, of one that does not, and of none. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runScript } from "#tests/support/run-script.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packages-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const DAYS = 86_400_000;
const at = (days: number) => new Date(Date.now() - days * DAYS).toISOString();

/** An npm that answers so; what it was asked stands in its log. */
function run(answers: { audit: unknown; view: unknown }, ...names: string[]) {
  const npm = join(folder, "npm");
  writeFileSync(
    npm,
    `#!${process.execPath}
const answers = ${JSON.stringify(answers)};
const { audit, view } = answers;
const answer = process.argv[2] === "audit" ? audit : view[process.argv[3]] ?? { error: { code: "E404" } };
if (typeof answer === "string") console.error(answer);
else console.log(JSON.stringify(answer));
process.exitCode = 1;
`,
  );
  chmodSync(npm, 0o755);
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  return runScript("packages.ts", names, { PATH });
}

it("tells what is known against what ships, and how old it is, the longest without a release first", async () => {
  const advisory = { title: "Reads too much", url: "https://advisories.example/1" };
  const { status, output } = await run(
    {
      audit: {
        vulnerabilities: {
          zod: { severity: "high", range: "<9", via: [advisory] },
          kysely: { severity: "high", range: "*", via: ["zod"] },
        },
      },
      view: {
        zod: { time: { "9.0.0": at(10) }, "dist-tags.latest": "9.0.0" },
        negotiator: { time: { "1.1.0": at(900.5) }, "dist-tags.latest": "1.1.0" },
        "@e965/xlsx": { time: { "0.20.3": at(400.5) }, "dist-tags.latest": "0.20.3" },
      },
    },
    ...["zod", "negotiator", "@e965/xlsx", "kysely", "vitest"],
  );
  expect(status, output).toBe(1);
  expect(output).toContain("Advisories: 1 known for what ships");
  expect(output).toContain("  HIGH  zod <9: Reads too much https://advisories.example/1");
  // What only development needs does not ship.
  expect(output).toContain("Packages that ship: 4.");
  expect(output.split("\n").filter((line) => /^ +[\d?]+ +[\d?]+ /.test(line))).toEqual([
    "   900    900  negotiator 1.1.0",
    "   400    400  @e965/xlsx 0.20.3",
    expect.stringMatching(/^ {5}\? {5}10 {2}zod \d\S+ {2}\(latest: 9\.0\.0\)$/),
    expect.stringMatching(/^ {5}\? {6}\? {2}kysely \d\S+ {2}\(latest: not told\)$/),
  ]);
});

it("says that a registry does not answer what is known, and goes on", async () => {
  const refused = { message: "405 Method Not Allowed - POST https://registry.example/x" };
  const { status, output } = await run({ audit: refused, view: {} }, "zod");
  expect([status, output.includes("registry.example")], output).toEqual([0, false]);
  expect(output).toContain("the registry does not answer that here (405 Method Not Allowed)");
  const none = await run({ audit: "npm error network", view: {} }, "zod");
  expect(none.status).toBe(0);
  expect(none.output).toContain("the registry does not answer that here (");
  const clean = await run({ audit: { vulnerabilities: {} }, view: {} }, "zod");
  expect(clean.output).toContain("Advisories: none known for what ships");
});
