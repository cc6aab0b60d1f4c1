import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The built server is run as it is; transforming it would test something else. */
const server = { deps: { external: [/\/build\/server\//] } };

/** As the built server meets it; React chooses its production half by it. */
const env = { NODE_ENV: "production" };

/** Limits for a test that hangs, not for a slow machine. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // As in playwright.config.ts.
  retry: process.env.CI ? 1 : 0,
};

/** Those that wait most begin first; the others, short ones last, then fill the processors. */
const FIRST = [
  /\/(storm|histories|backup|slow-bodies)\.test\.ts$/,
  /\/tests\/(commands|documents|faults|fuzz|sandbox|seed)\//,
  /\/tests\//,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = FIRST.findIndex((pattern) => pattern.test(moduleId));
      return place < 0 ? FIRST.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** What only `npm run test:long` runs. */
const LONG = ["tests/load/**/*.test.ts", "tests/commands/container.test.ts"];

export default defineConfig({
  test: {
    // Most tests wait for answers: four keep two processors busy.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
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
          include: ["tests/{code,mutants,notifications,operations,routes}/**/*.test.ts"],
          // The server keeps nothing outside what it is started with, so files can share a process.
          isolate: false,
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          name: "commands",
          include: ["tests/{commands,sandbox,seed}/**/*.test.ts"],
          exclude: LONG,
          // What they look at runs in processes of its own.
          isolate: false,
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          name: "whole",
          include: ["tests/{documents,fuzz}/**/*.test.ts"],
          // Run only where their number is given, on a quiet machine.
          exclude: process.env.FUZZ_CROWDS ? [] : ["tests/fuzz/crowds.test.ts"],
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          // With few rows in `npm test`, with many in `npm run test:long`.
          name: "speed",
          include: ["tests/load/admin-list-speed.test.ts"],
          // What they measure is to have the machine for itself: run alone, at the end.
          fileParallelism: false,
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          name: "long",
          include: LONG,
          exclude: ["tests/load/admin-list-speed.test.ts"],
          fileParallelism: false,
          ...patience,
          server,
          env,
        },
      },
      {
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          ...patience,
          // The long run is as long as asked for; each history limits its own waits.
          testTimeout: 0,
          // Each round has a server, a file and a sandbox of its own.
          maxConcurrency: 2,
          server,
          env,
        },
      },
    ],
  },
});
