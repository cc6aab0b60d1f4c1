/**
 * `npm run test:mutants -- [--count N] [--seed S] [--only PATH] [--workers W]`: changes one thing in
 * the code, N times, and counts how often the tests notice (docs/adding.md). Not part of `npm test`:
 * 200 changes take an hour or two.
 */
import "#tests/mutants/run.ts";
