/**
 * `npm run dependencies`: what is known against the packages that ship, where the registry answers
 * that, and how old each is; the longest without a release first. `-- NAME …` asks for these alone.
 * Status 1 if anything is known against one.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { DAY } from "#app/model/duration.ts";

const AT_ONCE = 4;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      /** Of an alias. */
      name: z.string().optional(),
      dev: z.boolean().optional(),
      /** Here only because development wants it. */
      devOptional: z.boolean().optional(),
    }),
  ),
});

const advisorySchema = z.object({ title: z.string(), url: z.string().optional() });
const auditSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      /** A name stands for another package of this list. */
      via: z.array(z.union([z.string(), advisorySchema])),
    }),
  ),
});

const viewSchema = z.object({
  time: z.record(z.string(), z.string()),
  "dist-tags.latest": z.string(),
});

const chosen = process.argv.slice(2);
const isClean = await tellAdvisories();
await tellAges();
process.exitCode = isClean ? 0 : 1;

async function tellAdvisories(): Promise<boolean> {
  const answer = await npm(["audit", "--omit=dev", "--json"]);
  const known = auditSchema.safeParse(answer.json).data?.vulnerabilities;
  if (!known) {
    console.log(`Advisories: the registry does not answer that here (${answer.fault}).`);
    console.log(
      "Ask from a machine whose npm reaches one that does; nothing is said of them here.",
    );
    return true;
  }
  const lines = Object.entries(known).flatMap(([name, { severity, range, via }]) =>
    via.flatMap((one) =>
      typeof one === "string"
        ? []
        : `  ${severity.toUpperCase()}  ${name} ${range}: ${one.title} ${one.url ?? ""}`.trimEnd(),
    ),
  );
  console.log(`Advisories: ${lines.length || "none"} known for what ships`);
  for (const line of lines) console.log(line);
  return lines.length === 0;
}

async function tellAges(): Promise<void> {
  const queue = shipped();
  console.log(`\nPackages that ship: ${queue.length}. Days since this version, since the latest:`);
  const rows: { days: number; line: string }[] = [];
  const unknown: string[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name, version } = next;
      const { json } = await npm(["view", name, "time", "dist-tags.latest", "--json"]);
      const view = viewSchema.safeParse(json).data;
      if (!view) {
        unknown.push(`${name} ${version}`);
        continue;
      }
      const latest = view["dist-tags.latest"];
      const days = daysSince(view.time[latest]);
      const newer = latest === version ? "" : `  (latest: ${latest})`;
      const ages = `${shown(daysSince(view.time[version]))} ${shown(days)}`;
      rows.push({ days, line: `${ages}  ${name} ${version}${newer}` });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const { line } of rows.sort((one, other) => other.days - one.days)) console.log(line);
  if (unknown.length > 0) console.log(`The registry says nothing of: ${unknown.join(", ")}`);
}

/** What a production-only install of this machine holds, each version once. */
function shipped(): { name: string; version: string }[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const found = new Map<string, { name: string; version: string }>();
  for (const [path, { version, dev, devOptional, name: alias }] of Object.entries(packages)) {
    const name = alias ?? path.split("node_modules/").at(-1)!;
    if (path === "" || !version || dev || devOptional || !existsSync(path)) continue;
    if (chosen.length === 0 || chosen.includes(name)) {
      found.set(`${name} ${version}`, { name, version });
    }
  }
  return [...found.values()];
}

/** -1 where the registry does not tell. */
function daysSince(time: string | undefined): number {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? -1 : Math.floor((Date.now() - at) / DAY);
}

function shown(days: number): string {
  return (days < 0 ? "?" : String(days)).padStart(6);
}

/** What npm prints as JSON, also where it ends with a fault; `fault` is its word for that. */
function npm(args: string[]): Promise<{ json: unknown; fault: string }> {
  return new Promise((resolve) => {
    execFile("npm", args, { maxBuffer: 64 * 2 ** 20, timeout: 120_000 }, (error, stdout) => {
      try {
        const json = JSON.parse(stdout) as { message?: string };
        // Without the address: whose registry it is, is the reader's own affair.
        const fault = json.message?.split(" - ")[0] ?? "an answer of another kind";
        resolve({ json, fault });
      } catch {
        resolve({ json: null, fault: error?.message.split("\n")[0] ?? "no answer" });
      }
    });
  });
}
