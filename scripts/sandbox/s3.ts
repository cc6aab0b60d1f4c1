/**
 * A store for copies: the calls of S3 that the app makes, path-style, with signature v4 and
 * checksums looked at as AWS documents them. Objects are kept in memory.
 */
import { createHash, createHmac } from "node:crypto";
import type { Credentials } from "./credentials.ts";
import { type Answer, type Call, type Reply, typed } from "./http.ts";
import { newToken } from "./random.ts";
import type { Switches } from "./switches.ts";

/** How far the client's clock may be off. */
const MOST_SKEW_MS = 15 * 60_000;

export function makeS3(account: Credentials, switches: Switches) {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  const limits = { leastPart: 5 * 2 ** 20 };
  const root = `/${account.s3Bucket}`;

  function answer(call: Call): Answer | undefined {
    if (call.path !== root && !call.path.startsWith(`${root}/`)) return undefined;
    const about = `${call.method} ${call.path}`;
    const hang = switches.amount("s3_slow", about);
    if (hang !== undefined) return { cutAfterSeconds: hang };
    if (switches.take("s3_cut", about)) return { cutAfterSeconds: 0 };
    const status = switches.amount("s3_error", about);
    if (status !== undefined) return refusal(status, status === 403 ? "AccessDenied" : "SlowDown");
    const fault = signatureFault(account, call) ?? checksumFault(call);
    if (fault) return refusal(...fault);
    const isWrite = call.method === "PUT" || call.method === "POST";
    if (isWrite && switches.take("s3_full", about)) return refusal(507, "InsufficientStorage");
    const key = decodeURIComponent(call.path.slice(root.length + 1));
    const reply = key === "" ? list(call) : handlers[call.method]?.(key, call);
    const isLost = switches.take("s3_answer_lost", `${about}?${call.query}`);
    return isLost ? { cutAfterSeconds: 0 } : reply;
  }

  const handlers: Record<string, (key: string, call: Call) => Reply> = {
    GET(key) {
      const found = objects.get(key);
      if (!found) return refusal(404, "NoSuchKey");
      const bytes = Buffer.from(found);
      const isChanged = bytes.length > 0 && switches.take("s3_other_bytes", key);
      if (isChanged) bytes[bytes.length >> 1]! ^= 1;
      const reply = typed("application/octet-stream", bytes);
      return switches.take("s3_half", key) ? { ...reply, isCutInside: true } : reply;
    },
    PUT(key, { query, body }) {
      const upload = uploads.get(query.get("uploadId") ?? "");
      if (query.has("uploadId") && !upload) return refusal(404, "NoSuchUpload");
      if (upload) upload.parts.set(Number(query.get("partNumber")), body);
      else objects.set(key, body);
      const reply = typed("text/plain", "");
      reply.headers.ETag = `"${createHash("md5").update(body).digest("hex")}"`;
      return reply;
    },
    POST(key, { query, body }) {
      if (query.has("uploads")) {
        const id = newToken();
        uploads.set(id, { key, parts: new Map() });
        return xml(
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      const id = query.get("uploadId") ?? "";
      const upload = uploads.get(id);
      if (!upload) return refusal(404, "NoSuchUpload");
      const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)];
      const parts = wanted.map(([, number]) => upload.parts.get(Number(number)));
      if (parts.some((part) => !part)) return refusal(400, "InvalidPart");
      const isSmall = parts.slice(0, -1).some((part) => part!.length < limits.leastPart);
      if (isSmall) return refusal(400, "EntityTooSmall");
      objects.set(key, Buffer.concat(parts as Buffer[]));
      uploads.delete(id);
      return xml(
        `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"${newToken()}-${parts.length}"</ETag></CompleteMultipartUploadResult>`,
      );
    },
    DELETE(key, { query }) {
      const id = query.get("uploadId");
      if (id === null) objects.delete(key);
      else uploads.delete(id);
      return typed("text/plain", "", 204);
    },
  };

  /** A page of keys in their order, two hundred at a time, so that a list has several. */
  function list({ query }: Call): Reply {
    const after = query.get("continuation-token") ?? "";
    const found = [...objects]
      .filter(([key]) => key.startsWith(query.get("prefix") ?? "") && key > after)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const page = found.slice(0, 200);
    const contents = page.map(
      ([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
    );
    const more = found.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)![0]}</NextContinuationToken>` : "";
    return xml(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
    );
  }

  return {
    objects,
    uploads,
    /** In bytes; the last part may be shorter. */
    limits,
    answer,
    clear() {
      objects.clear();
      uploads.clear();
    },
  };
}

type Fault = [status: number, code: string];

/** `now` in milliseconds. */
export function signatureFault(
  account: Pick<Credentials, "s3Region" | "s3AccessKeyId" | "s3SecretAccessKey">,
  call: Pick<Call, "method" | "rawPath" | "query" | "headers">,
  now = Date.now(),
): Fault | null {
  const { authorization = "", "x-amz-date": date = "" } = call.headers as Record<string, string>;
  const [, scope, names, given] =
    /^AWS4-HMAC-SHA256 Credential=(\S+?),\s*SignedHeaders=(\S+?),\s*Signature=(\w{64})$/.exec(
      authorization,
    ) ?? [];
  if (!scope || !names) return [403, "AccessDenied"];
  const [id, day, region, service, end] = scope.split("/");
  if (id !== account.s3AccessKeyId) return [403, "InvalidAccessKeyId"];
  if (region !== account.s3Region || service !== "s3" || end !== "aws4_request") {
    return [400, "AuthorizationHeaderMalformed"];
  }
  const at = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(Math.abs(now - at) < MOST_SKEW_MS)) return [403, "RequestTimeTooSkewed"];
  const canonical = canonicalRequest(call, names.split(";"));
  const toSign = ["AWS4-HMAC-SHA256", date, `${day}/${region}/s3/aws4_request`, sha256(canonical)];
  const key = [day!, region!, "s3", "aws4_request"].reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${account.s3SecretAccessKey}`,
  );
  const right = createHmac("sha256", key).update(toSign.join("\n")).digest("hex");
  return given === right ? null : [403, "SignatureDoesNotMatch"];
}

function canonicalRequest(
  { method, rawPath, query, headers }: Pick<Call, "method" | "rawPath" | "query" | "headers">,
  names: string[],
): string {
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const pairs = [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const signed = names.map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`);
  const payload = String(headers["x-amz-content-sha256"] ?? "");
  return [method, rawPath, pairs.join("&"), signed.join(""), names.join(";"), payload].join("\n");
}

/**
 * As a bucket with an object lock asks, nothing is stored without a digest of it. A part has Content-MD5:
 * AWS takes a checksum of its own only in an upload that began with one, and none begins so here.
 */
function checksumFault({ method, query, headers, body }: Call): Fault | null {
  const payload = headers["x-amz-content-sha256"];
  if (payload !== undefined && payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body)) {
    return [400, "XAmzContentSHA256Mismatch"];
  }
  const { "content-md5": md5, "x-amz-checksum-sha256": checksum } = headers;
  const right = (name: string) => createHash(name).update(body).digest("base64");
  if (md5 !== undefined && md5 !== right("md5")) return [400, "BadDigest"];
  if (checksum !== undefined && checksum !== right("sha256")) return [400, "BadDigest"];
  if (method !== "PUT") return null;
  const isPart = query.has("uploadId");
  const isTaken = isPart
    ? md5 !== undefined && checksum === undefined
    : (md5 ?? checksum) !== undefined;
  return isTaken ? null : [400, "InvalidRequest"];
}

function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function xml(body: string, status = 200): Reply {
  return typed("application/xml", `<?xml version="1.0" encoding="UTF-8"?>${body}`, status);
}

function refusal(status: number, code: string): Reply {
  return xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
}
