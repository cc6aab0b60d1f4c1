/** A place whose space can run out for one server while it runs: a small tmpfs, else a size limit. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIZE = "8m";

export interface SmallDisk {
  /** Where the database goes. */
  folder: string;
  /** It is small for everybody, not for one process alone. */
  isMounted: boolean;
  /** From now on nothing more fits. */
  fill(server: { pid: number }, databasePath: string): void;
  free(server: { pid: number }): void;
  close(): void;
}

/** Null where the system lets neither be done (it takes Linux; root for the first). */
export function openSmallDisk(): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "captain-disk-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (runs("mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder)) {
    const filler = join(folder, "filler");
    return {
      folder,
      isMounted: true,
      fill: () => writeUntilFull(filler),
      free: () => rmSync(filler),
      close() {
        runs("umount", folder);
        remove();
      },
    };
  }
  if (runs("prlimit", "--version")) {
    const limit = (pid: number, size: number | "unlimited") =>
      execFileSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`]);
    return {
      folder,
      isMounted: false,
      fill: ({ pid }, databasePath) => limit(pid, statSync(`${databasePath}-wal`).size),
      free: ({ pid }) => limit(pid, "unlimited"),
      close: remove,
    };
  }
  remove();
  return null;
}

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, "w");
  for (let block = Buffer.alloc(64 * 1024); block.length > 0; ) {
    try {
      writeSync(file, block);
    } catch {
      block = block.subarray(Math.ceil(block.length / 2));
    }
  }
  closeSync(file);
}
