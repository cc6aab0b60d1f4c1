/** What must not stand in the sources, whoever writes them next. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

const sources = ["app", "db"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path}`,
    ),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

function filesWith(pattern: RegExp, except: readonly string[] = []): string[] {
  return sources
    .filter(({ path, text }) => pattern.test(text) && !except.includes(path))
    .map(({ path }) => path);
}

describe("the sources", () => {
  it("run no text as code and no other program", () => {
    // One of ours, by its path alone, which reads what it works on from its standard input.
    const own = ["app/catalogue/portraits.server.ts"];
    expect(filesWith(/\beval\(|new Function\(|node:vm\b|child_process/, own)).toEqual([]);
  });

  it("write no markup from text, but the page's own structured data", () => {
    expect(
      filesWith(/dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write/),
    ).toEqual([]);
  });

  it("take nothing that must not be guessed from Math.random", () => {
    const spread = ["app/core/queue.server.ts", "app/payments/refunds.server.ts"];
    expect(filesWith(/Math\.random/, spread)).toEqual([]);
  });

  it("use no hash that is broken", () => {
    // The header that S3 asks for against errors on the line; what counts is sealed and read back.
    const store = ["app/jobs/copy-store.server.ts"];
    expect(filesWith(/createHash\("(md5|sha1)"\)|createHmac\("(md5|sha1)"/, store)).toEqual([]);
  });

  it("put no value into SQL text", () => {
    // Text of SQL may be joined from constants, never from what a request said.
    const risky =
      /(SELECT|INSERT|UPDATE|DELETE)[^`"]*\$\{(input|request|params|query|body|form|value)\b/;
    expect(filesWith(risky)).toEqual([]);
    const outside = sources.filter(
      ({ path, text }) => path.startsWith("app/") && /(all|first|run)Raw\(/.test(text),
    );
    expect(outside.map(({ path }) => path)).toEqual([]);
  });

  it("look nothing up by a text among the names that every object has", () => {
    // Tables whose names are asked by numbers, by words of the program alone, or by words that the
    // database's own checks allow.
    const asked =
      "ABOUT_APPOINTMENT|ACCOUNT_NOTICES|ALERTS|ALPHABET|ASKED_FOR|ASKS|CREDIT_REASONS|DAY_WORDS|DERIVED_ALPHABET|GIVEN_UP|INFO_TITLES|INTERNATIONAL|LEDGERS|LETTERS|MESSAGE_KINDS|NAMES|NATURE|OFFLINE_WORDS|ORDER|OTHER|PATHS|PENDING_TEXT|PLACES|REASONS|REFUND_NEEDS|SAMPLES|SLOTS|SMALL|SOURCES|STAMP_CLASS|STATE_RANK|STATE_WORDS|STATUS_OF_CODE|TAKEN_BY|TENS|TEXTS|THEMES|TITLES|TONES|TO_ACCOUNT|TO_ADMIN|TO_COUNSELOR|TO_CUSTOMER|UNSIGNED|WEEKDAY_LABELS|WHATSAPP_CODES|WORDS";
    const inTable = new RegExp(`\\b(?!(${asked})\\[)[A-Z][A-Z0-9_]*\\[[^\\]\\n]*[a-z]`);
    const inObject =
      /([([&|?=!:>]|return)\s*[a-z]\w*(\.\w+)* in [A-Za-z_][\w.]*\s*([)\]?;,:]|&&|\|\|)/;
    const finds = (text: string) => inTable.exec(text)?.[0] ?? inObject.exec(text)?.[0];
    for (const text of ["GST_STATES[code]", "|| code in GST_STATES,", "(date in days.counts)"]) {
      expect(finds(text), text).toBeDefined();
    }
    const hits = sources.flatMap(({ path, text }) => {
      const found = finds(text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, ""));
      return found ? [`${path}: ${found}`] : [];
    });
    expect(hits).toEqual([]);
  });

  it("keep no queue in memory but the bounded ones", () => {
    // Those who wait, kept in a list or a map; work hung behind the work before; a pool's own queue.
    const waiting =
      /\bwithResolvers\b|Map<[^;=]*\b(\) => void|Waiting)\b|(Waiting|\(\(\) => void\))\[\]|\.push\((resolve|\{[^}]*\b(begin|resolve)\b)/;
    const chained =
      /\b(\w+(?:\.#?\w+)?) = (?:\w+ = )?\1\.(then|finally|catch)\(|\b(\w+) = (\w+)\.then\(\w+\);[\s\S]{0,80}?\b\4 = \3\.catch/;
    const pooled = /new Piscina\b|\bopenPool[<(]/;
    for (const text of [
      "let last = Promise.resolve(); last = last.then(work);",
      "const turn = last.then(work);\n    last = turn.catch(() => {});",
      "this.#last = this.#last.finally(work)",
      "const turn = Promise.withResolvers<void>(); queue.push(turn);",
      "const waiting: (() => void)[] = [];",
      "await new Promise((resolve) => turns.push(resolve));",
      "new Map<string, (answer: T) => void>()",
    ]) {
      expect(waiting.test(text) || chained.test(text), text).toBe(true);
    }
    // Each is bounded, and tested at its bound; what opens a pool has a WorkQueue before it.
    const bounded = ["app/core/work-queue.server.ts", "app/http/admission.ts"];
    expect([...filesWith(waiting, bounded), ...filesWith(chained, bounded)]).toEqual([]);
    for (const { path, text } of sources.filter(({ text }) => pooled.test(text))) {
      if (path === "app/core/thread-pool.server.ts") continue;
      expect(text, path).toContain("new WorkQueue(");
    }
  });

  it("let other sites read nothing", () => {
    expect(filesWith(/Access-Control-Allow/i)).toEqual([]);
  });

  it("call the outside without following it elsewhere", () => {
    for (const { path, text } of sources.filter(({ path }) => path.includes(".server."))) {
      const calls = text.match(/(?<![.\w])fetch\(/g)?.length ?? 0;
      const bounded = text.match(/redirect: "(error|manual)"/g)?.length ?? 0;
      expect(bounded, path).toBeGreaterThanOrEqual(calls);
    }
  });

  it("check certificates, always", () => {
    const found = filesWith(/rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity/);
    // It looks at the certificate itself, and sends nothing.
    expect(found).toEqual(["app/doctor/site.server.ts"]);
  });

  it("hold no key", () => {
    expect(filesWith(/rzp_live_[A-Za-z0-9]{10,}|EAA[A-Za-z0-9]{40,}|-----BEGIN/)).toEqual([]);
  });
});

describe("docs/asvs.md", () => {
  const text = readFileSync(join(ROOT, "docs/asvs.md"), "utf8");

  it("has a row or a word for every chapter", () => {
    for (let chapter = 1; chapter <= 17; chapter++) expect(text).toContain(`\n## V${chapter} `);
  });
});
