/** How a person is reached, each by a press; nothing for what is not known. */
import { telLink } from "#app/model/tel-link.ts";

interface ContactLinksProps {
  email: string | null;
  phone: string | null;
}

export function ContactLinks({ email, phone }: ContactLinksProps) {
  return (
    <p className="flex flex-wrap gap-x-4">
      {email && (
        <a href={`mailto:${email}`} className="link [overflow-wrap:anywhere]">
          {email}
        </a>
      )}
      {phone && (
        <a href={telLink(phone)} className="link figures">
          {phone}
        </a>
      )}
    </p>
  );
}
