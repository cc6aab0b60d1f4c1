/**
 * The completeness of package-lock.json. `npm install` leaves out the optional packages that the
 * registry in use does not hold (the binaries for other systems); `npm ci` then refuses the lock
 * file everywhere. They are added by name and version; without an integrity, which nobody here knows.
 */

export interface LockEntry {
  version?: string;
  resolved?: string;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

export interface LockFile {
  packages: Record<string, LockEntry>;
}

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** Path → entry of every optional package that an entry names and the lock file does not hold. */
export function missingEntries(lock: LockFile): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (holds(lock, path, name)) continue;
      missing[`node_modules/${name}`] = {
        version,
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        ...platformOf(name),
      };
    }
  }
  return missing;
}

/** Looks where Node looks: in the package's own folder, then in each folder above. */
function holds(lock: LockFile, path: string, name: string): boolean {
  for (
    let folder = path;
    ;
    folder = folder.slice(0, Math.max(folder.lastIndexOf("node_modules/") - 1, 0))
  ) {
    if (lock.packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === "") return false;
  }
}

/** By the naming habit of such packages: `@scope/name-linux-x64-musl`. */
function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = name.split("-");
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === "linux" ? { libc: [libc] } : {}),
  };
}
