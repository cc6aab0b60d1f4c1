/** The thread's entry: checks the copy at the path it is given and posts the result. */
import { parentPort, workerData } from "node:worker_threads";
import { checkCopy } from "./backup.server.ts";

parentPort!.postMessage(checkCopy(workerData));
