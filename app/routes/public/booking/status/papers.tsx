/** What the invoice and the credit notes say, for who cannot or need not open the PDF. */
interface PapersProps {
  papers: readonly { title: string; said: readonly (readonly [string, string])[] }[];
}

export function Papers({ papers }: PapersProps) {
  if (papers.length === 0) return null;
  return (
    <section aria-label="Papers" className="no-print card grid gap-1 px-5 py-3 shadow-low md:px-6">
      {papers.map(({ title, said }) => (
        <details key={title}>
          <summary className="link figures min-h-11 w-fit cursor-pointer py-2.5">{title}</summary>
          <dl className="figures grid grid-cols-[minmax(0,1fr)] gap-1 pb-3">
            {said.map(([label, text]) => (
              <div key={label} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-muted">{label}</dt>
                <dd className="min-w-0 break-words">{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  );
}
