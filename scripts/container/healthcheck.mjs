/** Ends with status 0 if the app in this container answers that it is well. */
const port = process.env.PORT || "3000";
try {
  const answer = await fetch(`http://127.0.0.1:${port}/health`, {
    signal: AbortSignal.timeout(3_000),
  });
  process.exit(answer.ok ? 0 : 1);
} catch {
  process.exit(1);
}
