/**
 * The sandbox's check of signatures against the four examples that AWS publishes in "Signature
 * Calculations for the Authorization Header: Transferring Payload in a Single Chunk" of the S3 API
 * reference. What the app signs is checked by the sandbox in every other test of the store.
 */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { signatureFault } from "#scripts/sandbox/s3.ts";

const ACCOUNT = {
  s3Bucket: "examplebucket",
  s3Region: "us-east-1",
  s3AccessKeyId: "AKIAIOSFODNN7EXAMPLE",
  s3SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const NOW = Date.UTC(2013, 4, 24);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const EXAMPLES = {
  "GET object": {
    method: "GET",
    path: "/test.txt",
    body: "",
    more: { range: "bytes=0-9" },
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  "PUT object": {
    method: "PUT",
    path: "/test%24file.text",
    body: "Welcome to Amazon S3.",
    more: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  "GET bucket lifecycle": {
    method: "GET",
    path: "/?lifecycle",
    body: "",
    more: {},
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  "GET bucket (list objects)": {
    method: "GET",
    path: "/?prefix=J&max-keys=2",
    body: "",
    more: {},
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
} as const;

it.each(Object.entries(EXAMPLES))("%s: taken, and nothing else under it", (_, example) => {
  const { method, path, body, more, signature } = example;
  const { pathname: rawPath, searchParams: query } = new URL(path, "http://x");
  const signed: Record<string, string> = {
    ...more,
    host: "examplebucket.s3.amazonaws.com",
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": "20130524T000000Z",
  };
  const names = Object.keys(signed).sort().join(";");
  const authorization = (of: string) =>
    `AWS4-HMAC-SHA256 Credential=${ACCOUNT.s3AccessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${of}`;
  const call = {
    method,
    rawPath,
    query,
    headers: { ...signed, authorization: authorization(signature) },
  };
  const fault = (changes: object, account = ACCOUNT, now = NOW) =>
    signatureFault(account, { ...call, ...changes }, now)?.[1] ?? null;
  expect(fault({})).toBeNull();

  const wrong = "SignatureDoesNotMatch";
  expect(fault({ method: "DELETE" })).toBe(wrong);
  expect(fault({ rawPath: `${rawPath}x` })).toBe(wrong);
  expect(fault({ query: new URLSearchParams("prefix=K") })).toBe(wrong);
  for (const name of Object.keys(signed).filter((one) => one !== "x-amz-date")) {
    expect([name, fault({ headers: { ...call.headers, [name]: "x" } })]).toEqual([name, wrong]);
  }
  expect(fault({}, { ...ACCOUNT, s3SecretAccessKey: "another" })).toBe(wrong);
  expect(
    fault({ headers: { ...call.headers, authorization: authorization("0".repeat(64)) } }),
  ).toBe(wrong);
  expect(fault({}, { ...ACCOUNT, s3AccessKeyId: "another" })).toBe("InvalidAccessKeyId");
  expect(fault({}, ACCOUNT, NOW + 16 * 60_000)).toBe("RequestTimeTooSkewed");
});
