import { Icon } from "#app/components/icons.tsx";
import type { OutsideLink } from "#app/model/catalogue.ts";

export function MoreLinks({ links }: { links: readonly OutsideLink[] }) {
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="more-title" className="mx-auto max-w-page px-4 pt-16 md:px-6">
      <h2 id="more-title" className="display text-2xl">
        Not ready for a call?
      </h2>
      <ul className="mt-6 grid gap-4 md:grid-cols-3">
        {links.map(({ label, url }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two links may be alike
          <li key={i} className="min-w-0">
            <a
              href={url}
              className="card group flex h-full items-start gap-4 p-5 shadow-low hover:border-action"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-semibold group-hover:underline">{label}</span>
                <span className="block text-muted">{new URL(url).host}</span>
              </span>
              <Icon name="external" className="size-4 text-muted" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
