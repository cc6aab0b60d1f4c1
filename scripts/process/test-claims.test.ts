import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkClaims, wrongClaims } from "./test-claims.ts";
import { readReport } from "./test-reports.ts";

const folder = mkdtempSync(join(tmpdir(), "claims-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const vitest = file("vitest.json", {
  testResults: [
    {
      name: join(process.cwd(), "app/a.test.ts"),
      assertionResults: [
        { title: "holds", status: "passed" },
        { title: "breaks", status: "failed" },
        { title: "waits", status: "skipped" },
      ],
    },
  ],
});
const browser = file("browser.json", {
  suites: [
    {
      suites: [{ specs: [{ title: "inner", file: "b.spec.ts", tests: [{ status: "expected" }] }] }],
      specs: [{ title: "waits", file: "b.spec.ts", tests: [{ status: "skipped" }] }],
    },
  ],
});

describe("the claims of a document", () => {
  const passed = new Set([vitest, browser].flatMap((path) => readReport(path).passed));

  it("hold for tests that ran and passed, of both runners", () => {
    expect(passed).toEqual(new Set(['app/a.test.ts "holds"', 'tests/browser/b.spec.ts "inner"']));
    const text = '| `app/a.test.ts` "holds", `tests/browser/b.spec.ts` "inner" |';
    expect(wrongClaims(text, passed)).toEqual([]);
  });

  it("are wrong for a title that there is not, that failed or was skipped, and for none", () => {
    const text =
      '`app/a.test.ts` "breaks"; `app/a.test.ts` "waits"; `app/a.test.ts` "x"; `app/a.test.ts`';
    expect(wrongClaims(text, passed)).toHaveLength(4);
  });

  it("need only stand in the file where another command runs it", () => {
    const here = "scripts/process/test-claims.test.ts";
    const claims = `\`${here}\` "count as one test a document"; \`${here}\` "is no test"`;
    expect(wrongClaims(claims, new Set(), (path) => path === here)).toEqual([
      `${here} "is no test" did not run and pass`,
    ]);
    expect(wrongClaims(claims, new Set())).toHaveLength(2);
  });

  it("count as one test a document", async () => {
    const good = file("good.md", '`app/a.test.ts` "holds"');
    const missing = join(folder, "missing.json");
    const bad = file("bad.md", '`app/a.test.ts` "gone"');
    expect(await checkClaims([good, bad], [vitest, missing])).toMatchObject({
      passed: 1,
      failed: 1,
    });
  });
});
