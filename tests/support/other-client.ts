/** Somebody else, who goes on asking while one client does its worst. */
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** The longest that another client waits for `/health` while `work` runs, in milliseconds. */
export async function longestWaitWhile(origin: string, work: () => Promise<void>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const at = performance.now();
      await health(origin, agent);
      longest = Math.max(longest, performance.now() - at);
      await wait(20);
    }
  })();
  // Awaited at the end.
  asking.catch(() => {});
  try {
    await work();
  } finally {
    isOver = true;
    await asking;
    agent.destroy();
  }
  return longest;
}

function health(origin: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/health`, { agent }, (answer) => {
      answer.resume();
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`/health answered ${answer.statusCode}`));
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}
