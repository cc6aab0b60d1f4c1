/** What the thread of one job does: the work, after the one that answers visitors. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerOwnThread } from "./thread-priority.server.ts";

export async function answerJob<Job>(work: (job: Job) => unknown): Promise<void> {
  lowerOwnThread();
  parentPort?.postMessage(await work(workerData as Job));
}
