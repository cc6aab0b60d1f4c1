import { describe, expect, it, vi } from "vitest";
import { apply, mutantsOf, switched } from "./mutants.ts";

const of = (source: string) => mutantsOf("a.ts", source).map((mutant) => apply(source, mutant));

describe("a mutant", () => {
  it.each([
    ["x(a < b);", ["x(a <= b);", "x(a >= b);"]],
    ["x(a === b);", ["x(a !== b);"]],
    ["x(a && b || c);", ["x(a || b || c);", "x(a && b && c);"]],
    ["x(!a);", ["x(a);"]],
    ["x(a * b - c);", ["x(a / b - c);", "x(a * b + c);"]],
    ["x(41, 1_000);", ["x(42, 1_000);", "x(41, 1001);"]],
    ["x(true);", ["x(false);"]],
    ["x(a ? b : c);", ["x(true ? b : c);", "x(false ? b : c);"]],
    ["if (a) b = c;", ["if (true) b = c;", "if (false) b = c;"]],
    ["x(query.where('a', '=', b).limit(c));", ["x(query.limit(c));"]],
  ])("of %s has one change", (source, changed) => {
    expect(of(source).filter((text) => text !== ";")).toEqual(changed);
  });

  it("leaves a call out, awaited too, but none that only tells", () => {
    expect(of("tell(a);\nawait send(b);")).toEqual([";\nawait send(b);", "tell(a);\n;"]);
    expect(of('deps.log.warn(a);\nthrow new Error("b");')).toEqual([]);
  });

  it("lets a term of SQL be true, with as many parameters as before", () => {
    const sql = (where: string) => `x(\`DELETE FROM t WHERE ${where}\`);`;
    expect(of(sql("a = ? AND t.b IS NULL AND c < 'd' ORDER BY e")).slice(1)).toEqual([
      sql("(a = ? OR 1) AND t.b IS NULL AND c < 'd' ORDER BY e"),
      sql("a = ? AND (t.b IS NULL OR 1) AND c < 'd' ORDER BY e"),
      sql("a = ? AND t.b IS NULL AND (c < 'd' OR 1) ORDER BY e"),
    ]);
  });

  it("takes another number that has a name in the file", () => {
    const head = "const HOUR = 60 * m;\nconst DAY = 24 * HOUR;\n";
    expect(of(`${head}x(DAY);`)).toContain(`${head}x(HOUR);`);
    expect(of(`${head}x(DAY);`)).not.toContain(
      "const DAY = 60 * m;\nconst DAY = 24 * HOUR;\nx(DAY);",
    );
  });

  it("is none of a type, an import, a name or a text", () => {
    expect(of('import { a } from "b";\ninterface C { d: 1 | true }\ntype E = 2;')).toEqual([]);
    expect(of('const a: 1 | 2 = b as 2;\nconst c = d.e + "f" + `g`;')).toEqual([]);
  });

  it("is marked where its body begins, once for each body", () => {
    const source = "const a = (b) => !b;\nfunction c() { if (!d) { e(1, 2); } }\nf(3);";
    const call = (start: number) => `globalThis.reached?.("a.ts:${start}")`;
    expect(switched(source, mutantsOf("a.ts", source), [])).toBe(
      `const a = (b) => (${call(17)},!b);\n` +
        `function c() {${call(34)}; if (!d) {${call(44)}; e(1, 2); } }\nf(3);`,
    );
  });

  it.each([
    "x(a < b === !a, b - a ? 1 : 2);",
    "if (a < b) x(3); else x(4);",
    "if (!a) x(1); else { x(c.where(1).where(2)); }",
    "x((e) => !e, `DELETE FROM t WHERE a = ?`, sql`UPDATE t SET b = 1 WHERE c IS NULL AND d = 2`);",
    "const HOUR = 60;\nconst DAY = 24;\nx({ HOUR, a: HOUR, b: -1 });",
  ])("is what its switch makes of %s, and nothing else", (source) => {
    const mutants = mutantsOf("a.ts", source);
    const all = switched(source, mutants, mutants);
    expect(traceOf(all, [])).toEqual(traceOf(source, []));
    const traces = mutants.map((mutant) => traceOf(apply(source, mutant), []));
    expect(mutants.map((_, number) => traceOf(all, [number]))).toEqual(traces);
    expect(new Set(traces.flat()).size).toBeGreaterThan(1);
  });

  it("knows its line", () => {
    expect(mutantsOf("a.ts", "a;\n\nx(!b);").at(-1)).toMatchObject({ line: 3, operator: "no !" });
  });
});

/** What a program calls `x` with while these changes are made. */
function traceOf(program: string, numbers: readonly number[]): string[] {
  const trace: string[] = [];
  const x = (...given: unknown[]) =>
    trace.push(JSON.stringify(given.map((one) => (typeof one === "function" ? one(1) : one))));
  const query = (terms: readonly number[]) => ({
    terms,
    where: (term: number) => query([...terms, term]),
  });
  const sql = ({ raw }: TemplateStringsArray) => raw.join();
  vi.stubGlobal("mutants", new Set(numbers));
  new Function("x", "a", "b", "c", "sql", program)(x, 1, 2, query([]), sql);
  vi.unstubAllGlobals();
  return trace;
}
