/** Captains' portraits: re-encoded, stored in the database so that copies hold them, served by id. */
import { createHash } from "node:crypto";
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Counselor, counselorKeyed } from "#app/model/catalogue.ts";
import { failure, invalid, type Outcome } from "#app/model/outcome.ts";
import { readCatalogue, savePortrait } from "#db/queries/catalogue.server.ts";
import { writeCounselor } from "./change-counselor.server.ts";
import { makePortrait } from "./portrait-maker.server.ts";
import { refuseStale } from "./versions.ts";

const MOST_BYTES = 4 * 2 ** 20;
const ID_LENGTH = 32;

const NO_FILE = "Please choose a picture to upload.";
const TAKEN = "a PNG, JPEG or WebP picture of at most 4 MB and 24 megapixels";
const NO_PICTURE = `This file cannot be read as a picture. Please choose ${TAKEN}.`;
const TOO_LARGE = failure("too_large", `This file is too large. Please choose ${TAKEN}.`);

/**
 * Makes a picture the captain's portrait; the one before is gone. Refusals: `not_found`, `stale`,
 * `too_large`, `validation_failed` (`portrait`). Rejects with QueueFull.
 */
export async function changePortrait(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  key: string,
  picture: Uint8Array<ArrayBuffer>,
  version?: number,
): Promise<Outcome<Counselor>> {
  const found = counselorKeyed(readCatalogue(deps.db), key);
  if (!found.ok) return found;
  if (picture.length === 0) return invalid({ portrait: [NO_FILE] });
  if (picture.length > MOST_BYTES) return TOO_LARGE;
  const made = isPicture(picture) ? await makePortrait(key, picture) : null;
  if (!made) return invalid({ portrait: [NO_PICTURE] });
  const id = createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, ID_LENGTH);
  return change(deps, actor, (changing) => {
    const { tx } = changing;
    const counselor = counselorKeyed(readCatalogue(tx), key);
    if (!counselor.ok) return counselor;
    const stale = refuseStale(counselor.value, version);
    if (stale) return stale;
    for (const { width, base64 } of made) {
      savePortrait(tx, { id, width, bytes: Buffer.from(base64, "base64") });
    }
    writeCounselor(changing, counselor.value, { ...counselor.value, portrait: id });
    return counselorKeyed(readCatalogue(tx), key);
  });
}

/** By its first bytes, whatever its name or type says. */
function isPicture(bytes: Uint8Array): boolean {
  const begin = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return /^(\x89PNG\r\n|\xff\xd8\xff|RIFF.{4}WEBP)/s.test(begin);
}
