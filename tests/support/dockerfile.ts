/** Runs the steps of our Dockerfile in empty folders, without an engine: what it copies must be there. */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, isAbsolute, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

interface Step {
  instruction: string;
  words: string[];
}

export function readSteps(): Step[] {
  const text = readFileSync(join(ROOT, "Dockerfile"), "utf8").replace(/\\\n/g, " ");
  return text
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => {
      const [instruction = "", ...words] = line.trim().split(/\s+/);
      return { instruction, words };
    });
}

/** What `.dockerignore` lets into the build: its lines without `*` that begin with `!`. */
export function contextPaths(): string[] {
  const lines = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
  return lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
}

function isIgnored(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)scripts\/sandbox(\/|$)/.test(path);
}

export interface Image {
  /** The folder that stands for `/` of the final image. */
  folder: string;
  environment: Record<string, string>;
  user: string;
  command: string[];
}

/** Makes the image's folders under `scratch`. The build's own packages are those of this checkout. */
export async function followDockerfile(scratch: string): Promise<Image> {
  const context = join(scratch, "context");
  for (const path of contextPaths()) {
    cpSync(join(ROOT, path), join(context, path), {
      recursive: true,
      filter: (source) => !isIgnored(source.slice(ROOT.length + 1)),
    });
  }
  let stage = "";
  let workdir = "/";
  const image: Image = { folder: "", environment: {}, user: "root", command: [] };
  const inside = (path: string) =>
    join(scratch, stage, isAbsolute(path) ? path : join(workdir, path));
  for (const { instruction, words } of readSteps()) {
    if (instruction === "FROM") {
      stage = words[1] === "AS" ? words[2]! : "final";
      workdir = "/";
      mkdirSync(join(scratch, stage, "tmp"), { recursive: true });
    } else if (instruction === "WORKDIR") {
      workdir = words[0]!;
      mkdirSync(inside("."), { recursive: true });
    } else if (instruction === "COPY") copy(words);
    else if (instruction === "RUN") await run(words);
    else if (instruction === "USER") image.user = words[0]!;
    else if (instruction === "CMD") image.command = JSON.parse(words.join(" "));
    else if (instruction === "ENV") {
      for (const word of words) {
        const [name = "", value = ""] = word.split("=");
        image.environment[name] = value;
      }
    }
  }
  image.folder = join(scratch, "final");
  return image;

  function copy(words: string[]): void {
    const from = words[0]?.startsWith("--from=") ? words.shift()!.slice("--from=".length) : null;
    const folder = from === null ? context : join(scratch, from);
    const target = words.pop()!;
    for (const path of words) {
      const source = join(folder, path);
      // Of a folder the content is copied; a file goes into a target that ends in a slash.
      const isInto = target.endsWith("/") && !statSync(source).isDirectory();
      const to = inside(isInto ? join(target, basename(path)) : target);
      // Packages are many files, and no later stage asks for them.
      if (path.endsWith("/node_modules")) renameSync(source, to);
      else cpSync(source, to, { recursive: true });
    }
  }

  async function run([shell, script = "", ...more]: string[]): Promise<void> {
    if (shell !== "sh" || more.length > 0) throw new Error(`RUN is no plain script: ${script}`);
    if (!existsSync(inside(script))) throw new Error(`${script} is not copied before it is run`);
    if (script.endsWith("install-all.sh")) {
      symlinkSync(join(ROOT, "node_modules"), inside("node_modules"));
      return;
    }
    const given: Record<string, string[]> = {
      "prepare-data.sh": [
        join(scratch, "final/data"),
        `${process.getuid?.()}:${process.getgid?.()}`,
      ],
      "install-production.sh": ["--prefer-offline"],
    };
    const args = [inside(script), ...(given[basename(script)] ?? [])];
    const isInstall = basename(script) === "install-production.sh";
    try {
      await runShell(args, inside("."), isInstall ? INSTALL_MS : undefined);
    } catch (error) {
      if (!isInstall || !NETWORK_TROUBLE.test(String(error))) throw error;
      console.log("Without a quick network, the packages are copied from this checkout.");
      copyProductionPackages(inside("."));
    }
  }
}

/** Longer than an install from npm's cache takes; a registry that is slower tells us nothing. */
const INSTALL_MS = 60_000;

/** After `ms` it is killed with all that it started: npm would write on. */
function runShell(args: string[], cwd: string, ms?: number): Promise<void> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn("sh", args, {
      cwd,
      env: { PATH, HOME },
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const end = () => {
      said += `ETIMEDOUT after ${ms} ms`;
      process.kill(-child.pid!, "SIGKILL");
    };
    const timer = ms === undefined ? undefined : setTimeout(end, ms);
    child.on("error", reject);
    child.on("close", (status) => {
      clearTimeout(timer);
      if (status === 0) resolve();
      else reject(new Error(`${args.join(" ")}: ${status} ${said}`));
    });
  });
}

const NETWORK_TROUBLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|network/i;

/** The packages that the lock file does not mark as for development. */
function copyProductionPackages(folder: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    if (path === "" || dev || devOptional || !existsSync(join(ROOT, path))) continue;
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.slice(join(ROOT, path).length).includes("node_modules"),
    });
  }
}
