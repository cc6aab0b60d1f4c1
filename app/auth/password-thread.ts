/**
 * Entry of the password thread, which says whether a password is easy to guess. The dictionaries
 * take 30 MB, freed only when the thread ends.
 */
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/**
 * Below these a password is easy to guess. A million is what zxcvbn counts for six characters that
 * follow no pattern. It holds for letters alone and digits alone, of which leaked lists mostly consist.
 */
const LEAST_GUESSES = 100_000;
const LEAST_OF_ONE_KIND = 1_000_000;
const ONE_KIND = /^(\p{L}+|\d+)$/u;

/** Words of this product and its trade, and others that the dictionaries lack or rank low. */
const HOUSE_WORDS = [
  "administrator default guest root user login mohit omshanti dubsmash",
  "airline aviation booking briefing cadet captain captains captainsbriefing dgca flying pilot",
].flatMap((words) => words.split(" "));

/** A year, a row of digits or a sign after a word, which make it no stronger. */
const PLAIN_END = /(?<=\p{L})[@#!$*._-]?(0*1?2?3?4?5?6?7?8?9?0?|(19|20)\d\d|(\d)\3*)[@#!$*._-]?$/u;

export interface PasswordJob {
  password: string;
  ownWords: readonly string[];
}

export default function run({ password, ownWords }: PasswordJob): Promise<boolean> {
  return isEasilyGuessed(password, ownWords);
}

let loading: Promise<ZxcvbnFactory> | undefined;

/** `ownWords`: the person's own, such as the username and the e-mail address. */
export async function isEasilyGuessed(
  password: string,
  ownWords: readonly string[],
): Promise<boolean> {
  loading ??= loadEstimator();
  const estimator = await loading;
  const parts = ownWords.flatMap((words) => words.split(/[^\p{L}\p{N}]+/u));
  const own = [...ownWords, ...parts].filter(({ length }) => length > 2);
  const least = ONE_KIND.test(password) ? LEAST_OF_ONE_KIND : LEAST_GUESSES;
  if (estimator.check(password, own).guesses < least) return true;
  const word = password.replace(PLAIN_END, "");
  return word !== password && estimator.check(word, own).score === 0;
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
    // A longer password would take a second to check.
    maxLength: 32,
    l33tMaxSubstitutions: 10,
  });
}
