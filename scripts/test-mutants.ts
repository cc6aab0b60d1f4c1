/**
 * `npm run test:mutants -- [--count N] [--seed S] [--only PATH] [--workers W]`: changes one thing in
 * the code, N times, and counts how often the tests notice; a change whose types do not compile is
 * none. It works in copies under data/, so that the sources and their build are never touched. First
 * it learns which test files enter which function, so that a change meets only those. What went
 * unnoticed is printed, and all of it stands in data/mutants.json. Not part of `npm test`: 200
 * changes take an hour or two.
 */
import "#tests/mutants/run.ts";
