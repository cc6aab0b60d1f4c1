import { defineConfig } from "vitest/config";

/** The built server is run as it is; transforming it would test something else. */
const server = { deps: { external: [/\/build\/server\//] } };

/** As the built server meets it; React chooses its production half by it. */
const env = { NODE_ENV: "production" };

/** Limits for a test that hangs, not for a slow machine. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    // Most tests wait for answers: three keep two processors busy.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,db,scripts}/**/*.test.{ts,tsx}"],
          isolate: false,
          ...patience,
        },
      },
      {
        test: {
          name: "routes",
          include: ["tests/{code,notifications,operations,routes}/**/*.test.ts"],
          // The server keeps nothing outside what it is started with, so files can share a process.
          isolate: false,
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          name: "whole",
          include: ["tests/{commands,documents,fuzz,sandbox,seed}/**/*.test.ts"],
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          name: "load",
          include: ["tests/load/**/*.test.ts"],
          // What they measure is to have the machine for itself.
          fileParallelism: false,
          ...patience,
          hookTimeout: 180_000,
          server,
          env,
        },
      },
      {
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          fileParallelism: false,
          ...patience,
          // The long run is as long as asked for; each history limits its own waits.
          testTimeout: 0,
          server,
          env,
        },
      },
    ],
  },
});
