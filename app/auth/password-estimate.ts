/** Which passwords are too easily guessed. Its dictionaries take 30 MB, which only the end of the thread frees. */
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** Of 0 to 4; below it a password is found within a million tries. */
const LEAST_SCORE = 2;

/** What this product and its trade are called, and what else the dictionaries lack or rank low. */
const HOUSE_WORDS = [
  "administrator default guest root user login mohit omshanti dubsmash",
  "airline aviation booking briefing cadet captain captains captainsbriefing dgca flying pilot",
].flatMap((words) => words.split(" "));

/** A year, a row of digits or a sign behind a word: they make it no better. */
const PLAIN_END = /(?<=\p{L})[@#!$*._-]?(0*1?2?3?4?5?6?7?8?9?0?|(19|20)\d\d|(\d)\3*)[@#!$*._-]?$/u;

let loading: Promise<ZxcvbnFactory> | undefined;

/** `ownWords`: those of the person, such as a name or an address. */
export async function isEasilyGuessed(
  password: string,
  ownWords: readonly string[],
): Promise<boolean> {
  loading ??= loadEstimator();
  const estimator = await loading;
  const parts = ownWords.flatMap((words) => words.split(/[^\p{L}\p{N}]+/u));
  const own = [...ownWords, ...parts].filter(({ length }) => length > 2);
  const scoreOf = (text: string) => estimator.check(text, own).score;
  if (scoreOf(password) < LEAST_SCORE) return true;
  const word = password.replace(PLAIN_END, "");
  return word !== password && scoreOf(word) === 0;
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary, house: HOUSE_WORDS },
    graphs: common.adjacencyGraphs,
    // Longer ones would keep the process from everything else for a second.
    maxLength: 32,
    l33tMaxSubstitutions: 10,
  });
}
