import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";

/** The head of a page below the catalogue. */
export function CatalogueHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-5">
      <title>{`${title} – Admin`}</title>
      <p>
        <Link
          to={href("/admin/catalogue")}
          className="link inline-flex min-h-8 items-center gap-1 text-sm"
        >
          <Icon name="chevronLeft" className="size-4" />
          Catalogue
        </Link>
      </p>
      <h1 className="display wrap-anywhere text-2xl">{title}</h1>
      {children && <div className="mt-1 max-w-text text-muted">{children}</div>}
    </div>
  );
}
