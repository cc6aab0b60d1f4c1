/**
 * The completeness of package-lock.json. `npm install` leaves out the optional packages that the
 * registry in use does not hold (the binaries for other systems); `npm ci` then refuses the lock
 * file everywhere. They are added by name and version; without an integrity, which nobody here knows.
 */

interface LockEntry {
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
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isPresent(lock, path, name)) continue;
      missing[`node_modules/${name}`] = {
        version,
        ...(dev ? { dev } : {}),
        optional: true,
        ...platformOf(name),
      };
    }
  }
  return missing;
}

/** Looks where Node looks: in the package's own folder, then in each folder above. */
function isPresent(lock: LockFile, path: string, name: string): boolean {
  if (lock.packages[`${path === "" ? "" : `${path}/`}node_modules/${name}`]) return true;
  if (path === "") return false;
  return isPresent(lock, path.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
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
