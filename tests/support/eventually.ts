/**
 * Repeats an assertion until it holds, at most for `ms` milliseconds; then it throws its error. Each
 * pause is longer than the one before: what takes long is not to be held up by being asked for.
 * Answers what the assertion does.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, ms = 60_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (let pause = 10; ; pause = Math.min(2 * pause, 100)) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
