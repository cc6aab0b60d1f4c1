/**
 * `npm run packages`: the advisories known against the packages that ship, where the registry answers
 * that, and how old each package is, the longest without a release first. `-- NAME …` asks for these
 * alone. Status 1 if an advisory is known.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { DAY } from "#app/model/duration.ts";

const AT_ONCE = 4;

/** What `npm audit` says; in `via` a name stands for another package of the list. */
interface Audit {
  vulnerabilities?: Record<
    string,
    { severity: string; range: string; via: (string | { title: string; url?: string })[] }
  >;
}

interface View {
  time?: Record<string, string>;
  "dist-tags.latest"?: string;
}

const isClean = await printAdvisories();
await printAges(shippedPackages(process.argv.slice(2)));
process.exitCode = isClean ? 0 : 1;

async function printAdvisories(): Promise<boolean> {
  const { json, fault } = await npm<Audit>("audit", "--omit=dev");
  if (!json?.vulnerabilities) {
    console.log(`Advisories: the registry does not answer that here (${fault}).`);
    console.log("That is no all-clear: ask from a machine whose npm reaches one that does.");
    return true;
  }
  const lines: string[] = [];
  for (const [name, { severity, range, via }] of Object.entries(json.vulnerabilities)) {
    for (const one of via.filter((each) => typeof each !== "string")) {
      lines.push(`  ${severity.toUpperCase()}  ${name} ${range}: ${one.title} ${one.url ?? ""}`);
    }
  }
  console.log(`Advisories: ${lines.length || "none"} known for what ships`);
  for (const line of lines) console.log(line.trimEnd());
  return lines.length === 0;
}

async function printAges(queue: [name: string, version: string][]): Promise<void> {
  console.log(`\nPackages that ship: ${queue.length}. Days since this version, since the latest:`);
  const rows: { days: number; line: string }[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, version] = next;
      const { json } = await npm<View>("view", name, "time", "dist-tags.latest");
      const latest = json?.["dist-tags.latest"] ?? "not told";
      const ages = [version, latest].map((one) => daysSince(json?.time?.[one]));
      const words = ages.map((days) => String(days ?? "?").padStart(6)).join(" ");
      const newer = latest === version ? "" : `  (latest: ${latest})`;
      rows.push({ days: ages[1] ?? -1, line: `${words}  ${name} ${version}${newer}` });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const { line } of rows.sort((one, other) => other.days - one.days)) console.log(line);
}

/** What a production-only install of this machine holds, each version once; of these names alone. */
function shippedPackages(names: string[]): [name: string, version: string][] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const found = new Map<string, [string, string]>();
  for (const [path, entry] of Object.entries<Record<string, string>>(packages)) {
    // `name` is that of an alias; `devOptional` is here only because development wants it.
    const { version, dev, devOptional, name = path.split("node_modules/").at(-1)! } = entry;
    if (path === "" || !version || dev || devOptional || !existsSync(path)) continue;
    if (names.length === 0 || names.includes(name))
      found.set(`${name} ${version}`, [name, version]);
  }
  return [...found.values()];
}

function daysSince(time = ""): number | undefined {
  const at = Date.parse(time);
  return Number.isNaN(at) ? undefined : Math.floor((Date.now() - at) / DAY);
}

/** What npm prints as JSON, also where it ends with a fault; `fault` is its word for that. */
function npm<T>(...args: string[]): Promise<{ json: T | null; fault: string }> {
  const options = { maxBuffer: 64 * 2 ** 20, timeout: 120_000 };
  return new Promise((resolve) => {
    execFile("npm", [...args, "--json"], options, (error, stdout) => {
      try {
        const json = JSON.parse(stdout) as T & { message?: string };
        // Without the address: whose registry it is, is the reader's own affair.
        resolve({ json, fault: json.message?.split(" - ")[0] ?? "an answer of another kind" });
      } catch {
        resolve({ json: null, fault: error?.message.split("\n")[0] ?? "no answer" });
      }
    });
  });
}
