/** Loaded into a server by `--import`: SIGUSR2 collects garbage, so that what is left is held. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
if (isMainThread) process.on("SIGUSR2", () => collect());
