/** Sends its requests all at once, on a thread of its own, and reads every answer to its end. */
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import type { CrowdOptions, Shot } from "./crowd.ts";

const { origin, shots, hangUpAfterMs } = workerData as CrowdOptions;
const agent = new Agent({ keepAlive: false });

function send({ method = "GET", path, headers, body }: Shot): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(origin + path, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", () => resolve("cut"));
    });
    asked.on("error", () => resolve("cut"));
    asked.end(body);
    if (hangUpAfterMs !== undefined) setTimeout(() => asked.destroy(), hangUpAfterMs);
  });
}

const statuses: Record<string, number> = {};
for (const status of await Promise.all(shots.map(send))) {
  statuses[status] = (statuses[status] ?? 0) + 1;
}
parentPort?.postMessage(statuses);
