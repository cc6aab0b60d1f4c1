import { telLink } from "#app/model/tel-link.ts";
import type { BusinessView } from "./business-view.server.ts";

/** `write to … or call …`, within a sentence; without a number nothing about calling. */
export function WriteOrCall({ business }: { business: BusinessView }) {
  return (
    <>
      write to{" "}
      <a className="link" href={`mailto:${business.email}`}>
        {business.email}
      </a>
      {business.phone && (
        <>
          {" "}
          or call{" "}
          <a className="link whitespace-nowrap" href={telLink(business.phone)}>
            {business.phone}
          </a>
        </>
      )}
    </>
  );
}
