/** Where the parts of a long page stand one below the other: the way to each. */
export function JumpLinks({ to }: { to: readonly (readonly [id: string, words: string])[] }) {
  return (
    <nav aria-label="On this page" className="mb-3 flex flex-wrap gap-x-5 lg:hidden">
      {to.map(([id, words]) => (
        <a key={id} href={`#${id}`} className="link inline-flex min-h-11 items-center">
          {words}
        </a>
      ))}
    </nav>
  );
}
