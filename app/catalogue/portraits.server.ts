/** Captains' portraits and the logo: re-encoded, stored in the database, served by id. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { lower, threadFile } from "#app/core/threads.server.ts";
import { WorkQueue } from "#app/core/work-queue.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Counselor, counselorKeyed } from "#app/model/catalogue.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { readCatalogue, savePortrait } from "#db/queries/catalogue.server.ts";
import { writeCounselor } from "./change-catalogue.server.ts";
import type { MadePortrait } from "./portrait-process.ts";
import { refuseStale } from "./read.server.ts";

const MOST_BYTES = 4 * 2 ** 20;
const ID_LENGTH = 32;

const NO_FILE = "Please choose a picture to upload.";
const TAKEN = "a PNG, JPEG or WebP picture of at most 4 MB and 24 megapixels";
const NO_PICTURE = `This file cannot be read as a picture. Please choose ${TAKEN}.`;
const TOO_LARGE = failure("too_large", `This file is too large. Please choose ${TAKEN}.`);

/**
 * Replaces the captain's portrait. Refusals: `not_found`, `stale`, `too_large`, `validation_failed`
 * (`portrait`). Rejects with QueueFull.
 */
export async function changePortrait(
  deps: ChangeDeps,
  actor: Actor,
  key: string,
  picture: Uint8Array<ArrayBuffer>,
  version?: number,
): Promise<Outcome<Counselor>> {
  const found = counselorKeyed(readCatalogue(deps.db), key);
  if (!found.ok) return found;
  const taken = await takePicture(key, picture, "portrait");
  if (!taken.ok) return taken;
  return change(deps, actor, (changing) => {
    const { tx } = changing;
    const counselor = counselorKeyed(readCatalogue(tx), key);
    if (!counselor.ok) return counselor;
    const stale = refuseStale(counselor.value, version);
    if (stale) return stale;
    const portrait = storePicture(tx, taken.value);
    writeCounselor(changing, counselor.value, { ...counselor.value, portrait });
    return counselorKeyed(readCatalogue(tx), key);
  });
}

type Made = NonNullable<MadePortrait>;

/**
 * Re-encodes the picture in each width. Pictures of one `owner` share its places in the queue.
 * Refusals: `too_large`, `validation_failed` (`field`). Rejects with QueueFull.
 */
export async function takePicture(
  owner: string,
  picture: Uint8Array<ArrayBuffer>,
  field: "portrait" | "logo",
): Promise<Outcome<Made>> {
  if (picture.length === 0) return invalid({ [field]: [NO_FILE] });
  if (picture.length > MOST_BYTES) return TOO_LARGE;
  const made = isPicture(picture) ? await makePortrait(owner, picture, field === "logo") : null;
  return made ? success(made) : invalid({ [field]: [NO_PICTURE] });
}

/** Returns the id, a hash of the contents. */
export function storePicture(tx: Db, made: Made): string {
  const id = createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, ID_LENGTH);
  for (const { width, base64 } of made) {
    savePortrait(tx, { id, width, bytes: Buffer.from(base64, "base64") });
  }
  return id;
}

/** Judged by the first bytes, whatever the name or type says. */
function isPicture(bytes: Uint8Array): boolean {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return /^(\x89PNG\r\n|\xff\xd8\xff|RIFF.{4}WEBP)/s.test(begin);
}

// Made in a separate process, one at a time: a hostile picture can crash nothing else.

const LIMIT_MS = 10_000;
/** Limits JavaScript only; the picture needs memory besides. */
const ARGUMENTS = ["--max-old-space-size=64"];

/** Each waiting job holds its picture in memory. */
const queue = new WorkQueue({ mostWaiting: 8, mostOfOwner: 4 });

/** Null if the file is not a picture or takes too long. Rejects with QueueFull. */
function makePortrait(owner: string, picture: Uint8Array, isLogo: boolean): Promise<MadePortrait> {
  const begin = async (left: AbortSignal) => {
    const file = threadFile(import.meta.url, "portrait-process", "./portrait-process.ts");
    const child = spawn(process.execPath, [...ARGUMENTS, file, ...(isLogo ? ["logo"] : [])], {
      // Without the environment's secrets.
      env: {},
      stdio: ["pipe", "pipe", "inherit"],
      timeout: LIMIT_MS,
      signal: left,
      killSignal: "SIGKILL",
    });
    const ended = once(child, "close");
    lower(child.pid);
    // The process may exit before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(picture);
    const [answer, [status, signal]] = await Promise.all([text(child.stdout), ended]);
    if (signal !== null) return null;
    if (status !== 0) throw new Error(`no portrait was made: status ${status}`);
    return JSON.parse(answer);
  };
  return queue.run({ owner, key: `${owner} ${sha256(picture)}`, begin });
}
