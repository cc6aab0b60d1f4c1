/** The thread's entry: the path of a copy in, what is known of it out. */
import { parentPort, workerData } from "node:worker_threads";
import { checkCopy } from "./backup.server.ts";

parentPort!.postMessage(checkCopy(workerData));
