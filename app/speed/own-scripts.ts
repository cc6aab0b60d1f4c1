/**
 * Tells the scripts of the app's own rendering from injected ones: only they carry the nonce of the
 * rendering, which nobody can know in advance. A page for one visitor is sent with it. In a cached
 * page everybody could read it, so it is removed, and the page's policy names the scripts by hash.
 */
import { hash, randomBytes } from "node:crypto";

/** 128 random bits. */
export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

const SCRIPT_END = "</script>";

/** The page without the nonce, and the CSP sources of the inline scripts that carried it. */
export function takeOutNonce(page: Buffer, nonce: string): { page: Buffer; scripts: string[] } {
  const mark = ` nonce="${nonce}"`;
  const parts: Buffer[] = [];
  const scripts = new Set<string>();
  let from = 0;
  for (let at = page.indexOf(mark); at !== -1; at = page.indexOf(mark, from)) {
    parts.push(page.subarray(from, at));
    from = at + mark.length;
    const tagEnd = page.indexOf(">", from);
    const tag = page.toString("latin1", page.lastIndexOf("<", at), tagEnd);
    if (!tag.startsWith("<script ") || / src=/.test(tag)) continue;
    const code = page.subarray(tagEnd + 1, page.indexOf(SCRIPT_END, tagEnd));
    if (code.length > 0) scripts.add(`'sha256-${hash("sha256", code, "base64")}'`);
  }
  if (parts.length === 0) return { page, scripts: [] };
  parts.push(page.subarray(from));
  return { page: Buffer.concat(parts), scripts: [...scripts] };
}
