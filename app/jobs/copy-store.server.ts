/**
 * The only connection to the S3-compatible store: path-style URLs, signature v4, responses of any
 * vendor. Also the names of copies there, and which old ones are removed.
 */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type AWSHeaders, S3mini, S3NetworkError, S3ServiceError } from "s3mini";
import type { Env } from "#app/core/env.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { madeAtOf as instantOf, stampOf } from "#db/copy-files.ts";

export type OffSite = NonNullable<Env["backup"]["offSite"]>;

/** The store or the connection to it failed; `message` is a sentence for the owner. */
export class StoreFailed extends Error {
  override name = "StoreFailed";
  /** True for a refusal that a retry would get too. */
  isFinal = false;
}

/** Pauses between the tries of one call, as multiples of `pauseMs`. */
const PAUSES = [1, 4];
/** Enough for a whole copy on a slow connection; a silent one ends after five minutes anyway. */
const LONGEST_CALL = 60 * MINUTE;

export type CopyStore = ReturnType<typeof openStore>;

/** Every call throws StoreFailed, after three tries if the error may pass. */
export function openStore(offSite: OffSite, signal?: AbortSignal) {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix, pauseMs } = offSite;
  const s3 = new S3mini({
    accessKeyId,
    secretAccessKey,
    region,
    endpoint: `${endpoint}/${bucket}`,
    fetch: (input, init) => {
      const signals = [AbortSignal.timeout(LONGEST_CALL), ...(signal ? [signal] : [])];
      return fetch(input, { ...init, redirect: "error", signal: AbortSignal.any(signals) });
    },
  });
  const call = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    for (let n = 0; ; n++) {
      try {
        return await work();
      } catch (error) {
        const pause = PAUSES.at(n);
        if (pause === undefined || signal?.aborted || !mayPass(error)) throw failureOf(what, error);
        await wait(pause * pauseMs, undefined, { signal });
      }
    }
  };
  return {
    partBytes: offSite.partBytes,
    /** Names without the prefix, in order. */
    async list() {
      const found = await call("list", () => s3.listObjects("/", prefix));
      return (found ?? [])
        .map(({ Key, Size }) => ({ name: Key.slice(prefix.length), bytes: Number(Size) }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    put: (name: string, bytes: Buffer) =>
      call("write", () => s3.putObject(prefix + name, bytes, TYPE, undefined, digest(bytes))),
    begin: (name: string) => call("write", () => s3.getMultipartUploadId(prefix + name, TYPE)),
    part: (name: string, upload: string, partNumber: number, bytes: Buffer) =>
      call("write", () =>
        s3.uploadPart(prefix + name, upload, bytes, partNumber, {}, undefined, digest(bytes)),
      ),
    complete: (name: string, upload: string, parts: { partNumber: number; etag: string }[]) =>
      call("write", async () => {
        const { etag } = await s3.completeMultipartUpload(prefix + name, upload, parts);
        // AWS responds with 200 before it is done, and may then send an error.
        if (!etag) throw new Error("200 with an error in it");
      }),
    /** Ends an upload, because the parts of an unfinished one cost storage. */
    abandon: (name: string, upload: string) =>
      call("remove", () => s3.abortMultipartUpload(prefix + name, upload)),
    /** Null for an unknown name. Iterating throws StoreFailed if the connection breaks. */
    async read(name: string): Promise<AsyncIterable<Buffer> | null> {
      const answer = await call("read", () => s3.getObjectResponse(prefix + name));
      return answer?.body ? bytesOf(answer.body as AsyncIterable<Buffer>) : null;
    },
    remove: (name: string) => call("remove", () => s3.deleteObject(prefix + name)),
  };
}

const TYPE = "application/octet-stream";

/**
 * A bucket with an object lock refuses uploads without this header. AWS accepts it with every part,
 * unlike `x-amz-checksum-…`, which must be announced at the start and repeated at the end.
 */
function digest(bytes: Buffer): AWSHeaders {
  const headers = { "Content-MD5": createHash("md5").update(bytes).digest("base64") };
  // The client signs and sends any header, but its type only has those of AWS.
  return headers as AWSHeaders;
}

async function* bytesOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw failureOf("read", error);
  }
}

/** True for a broken connection, too many requests or a server error; false for a refusal. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof S3ServiceError)) return true;
  return error.status === 429 || error.status === 408 || error.status >= 500;
}

function failureOf(what: string, error: unknown): StoreFailed {
  const words = `The store could not ${what}: ${reasonOf(error)}.`;
  const failed = new StoreFailed(words, { cause: error });
  failed.isFinal = !mayPass(error);
  return failed;
}

function reasonOf(error: unknown): string {
  if (error instanceof S3ServiceError) {
    return `${error.status}${error.serviceCode ? ` ${error.serviceCode}` : ""}`;
  }
  if (error instanceof S3NetworkError) return error.code ?? error.message;
  const { cause, message } = error as { cause?: { code?: string }; message?: string };
  // The error about a response that is not a list contains its whole text.
  return cause?.code ?? /status \d{3}/.exec(message ?? "")?.[0] ?? message ?? String(error);
}

const PATTERN = /^bookings-\d{8}T\d{6}Z\.db\.zst\.sealed$/;

/** Younger copies are all kept; of older ones the newest of each hour, later of each day. */
const ALL_KEPT_MS = DAY;
const HOURLY_KEPT_MS = 2 * DAY;

/** The name is exact to the second. */
export function copyName(madeAt: number): string {
  return `bookings-${stampOf(madeAt)}.db.zst.sealed`;
}

/** Null for a name that is not a copy's. */
export function madeAtOf(name: string): number | null {
  return PATTERN.test(name) ? instantOf(name) : null;
}

/**
 * Copies to remove: those older than `keepDays`; older than a day if the same hour has a newer one;
 * and older than two days if the same day (UTC) has a newer one. Never the newest of all.
 */
export function copiesToRemove(names: readonly string[], now: number, keepDays: number): string[] {
  const copies = names
    .flatMap((name) => {
      const madeAt = madeAtOf(name);
      return madeAt === null ? [] : [{ name, madeAt }];
    })
    .sort((one, other) => other.madeAt - one.madeAt);
  const seen = new Set<string>();
  return copies.slice(1).flatMap(({ name, madeAt }) => {
    const age = now - madeAt;
    if (age <= ALL_KEPT_MS) return [];
    const span = age <= HOURLY_KEPT_MS ? HOUR : DAY;
    const place = `${span} ${Math.floor(madeAt / span)}`;
    const isNewest = !seen.has(place);
    seen.add(place);
    return isNewest && age <= keepDays * DAY ? [] : [name];
  });
}
