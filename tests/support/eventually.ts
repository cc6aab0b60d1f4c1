/** Repeats an assertion until it holds, at most for `ms` milliseconds; then it throws its error. */
export async function eventually(
  assertion: () => void | Promise<void>,
  ms = 15_000,
): Promise<void> {
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
