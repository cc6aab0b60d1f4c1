/** One of the things that happen when data are removed: who is still told before. */
export function DueFirst({ due }: { due: readonly string[] }) {
  if (due.length === 0) return null;
  return (
    <li>
      <strong>Still on its way, and sent first:</strong> {due.join("; ")}. It is tried for three
      days at most, and removed as soon as it has gone.
    </li>
  );
}
