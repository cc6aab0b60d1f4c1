/**
 * Repeats an assertion until it holds, at most for `ms` milliseconds; then it throws its error. The
 * pauses double up to 100 ms, so that asking does not slow down what is waited for. Answers what the
 * assertion does.
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
