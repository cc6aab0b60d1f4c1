/**
 * Repeats an assertion until it holds, at most for `ms` milliseconds; then it throws its error.
 * Answers what the assertion does.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, ms = 60_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
