import { LINKS } from "#app/catalogue.ts";
import { Icon, type IconName } from "#app/components/icons.tsx";

const MORE: readonly { icon: IconName; text: string; link: { label: string; url: string } }[] = [
  { icon: "plane", text: "A paid course for when you have decided.", link: LINKS.bootcamp },
  { icon: "play", text: "Free, if you want to listen first.", link: LINKS.webinar },
  { icon: "document", text: "To read at your own pace.", link: LINKS.book },
];

export function MoreLinks() {
  return (
    <section aria-labelledby="more-title" className="mx-auto max-w-page px-4 pt-16 md:px-6">
      <h2 id="more-title" className="display text-2xl">
        Not ready for a call?
      </h2>
      <ul className="mt-6 grid gap-4 md:grid-cols-3">
        {MORE.map(({ icon, text, link }) => (
          <li key={link.url} className="min-w-0">
            <a
              href={link.url}
              className="card group flex h-full items-start gap-4 p-5 shadow-low hover:border-action"
            >
              <Icon name={icon} className="size-6 text-action" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-semibold group-hover:underline">{link.label}</span>
                <span className="block text-muted">{text}</span>
              </span>
              <Icon name="external" className="size-4 text-muted" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
