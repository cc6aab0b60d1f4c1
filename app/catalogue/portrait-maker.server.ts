/** Makes portraits in a process of its own, one at a time: a hostile picture ends nothing else. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { sha256 } from "#app/core/secrets.server.ts";
import { lower, threadFile } from "#app/core/threads.server.ts";
import { WorkQueue } from "#app/core/work-queue.server.ts";
import type { MadePortrait } from "./portrait-process.ts";

const LIMIT_MS = 10_000;
/** Of its JavaScript; the picture stands beside it. */
const ARGUMENTS = ["--max-old-space-size=64"];

/** Each waits with its picture. */
const queue = new WorkQueue({ mostWaiting: 8, mostOfOwner: 4 });

/** Null for what is no picture, or takes too long. Rejects with QueueFull. */
export function makePortrait(owner: string, picture: Uint8Array): Promise<MadePortrait> {
  const begin = async (left: AbortSignal) => {
    const file = threadFile(import.meta.url, "portrait-process", "./portrait-process.ts");
    const child = spawn(process.execPath, [...ARGUMENTS, file], {
      // It is told none of our secrets.
      env: {},
      stdio: ["pipe", "pipe", "inherit"],
      timeout: LIMIT_MS,
      signal: left,
      killSignal: "SIGKILL",
    });
    const ended = once(child, "close");
    lower(child.pid);
    // It may be gone before it has read all.
    child.stdin.on("error", () => {});
    child.stdin.end(picture);
    const [answer, [status, signal]] = await Promise.all([text(child.stdout), ended]);
    if (signal !== null) return null;
    if (status !== 0) throw new Error(`no portrait was made: status ${status}`);
    return JSON.parse(answer);
  };
  return queue.run({ owner, key: `${owner} ${sha256(picture)}`, begin });
}
