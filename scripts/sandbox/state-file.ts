import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Parts } from "./parts.ts";

const WAIT = 500;

/**
 * Takes up the money that a file holds and keeps the file in step; the answer writes it at once. It is one JSON
 * file, written to a neighbour and renamed, so that a stop at any moment leaves a whole one.
 */
export function keepState(path: string | undefined, { ledger, desk }: Parts): () => void {
  if (!path) return () => {};
  if (existsSync(path)) {
    try {
      const saved = JSON.parse(readFileSync(path, "utf8"));
      ledger.restore(saved.ledger);
      for (const [key, record] of saved.keys) desk.keys.set(key, record);
    } catch {
      console.error(`the sandbox begins anew: ${path} cannot be read`);
      ledger.clear();
    }
  }
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dirname(path), { recursive: true });
    const keys = [...desk.keys].filter(([, { answer }]) => answer);
    writeFileSync(`${path}.next`, JSON.stringify({ ledger: ledger.state(), keys }), {
      mode: 0o600,
    });
    renameSync(`${path}.next`, path);
  };
  ledger.onChange = () => {
    timer ??= setTimeout(() => {
      try {
        write();
      } catch (error) {
        console.error(`the sandbox's state is not saved: ${(error as Error).message}`);
      }
    }, WAIT).unref();
  };
  return write;
}
