import { type Logger, pino } from "pino";

/** JSON lines on standard output. Never given a secret, a code, a token or a name with an id. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ["err.config", "err.request", "err.response", "*.authorization", "*.cookie"],
      remove: true,
    },
  });
}
