/** Parts of admin pages: heading, jump links, icons, and what the account may do. */
import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import { Form, href, Link } from "react-router";
import { Icon, IconPath } from "#app/components/icons.tsx";
import type { Subject } from "#app/model/roles.ts";

/** What the signed-in account may do. */
export const May = createContext<readonly Subject[]>([]);

export function useMay(subject: Subject): boolean {
  return useContext(May).includes(subject);
}

/** The page's username, submitted with its forms, which no other account's session may accept. */
export const Account = createContext<string | undefined>(undefined);

type Sends = Readonly<Record<string, string | number | undefined>>;

/** Hidden fields; undefined values are left out. */
export function Unseen({ fields }: { fields: Sends }) {
  return Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  );
}

/** A form of buttons that sends no typed text: `sends` and whose page it is on. */
export function ButtonForm({ sends, children, ...more }: ButtonFormProps) {
  return (
    <Form {...more} method="post">
      <Unseen fields={{ account: useContext(Account), ...sends }} />
      {children}
    </Form>
  );
}

type ButtonFormProps = Omit<ComponentProps<typeof Form>, "method"> & { sends?: Sends };

const PATHS = {
  view: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  signOut: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21",
  edit: "M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4",
} as const;

export function AdminIcon({ name, className }: { name: keyof typeof PATHS; className?: string }) {
  return <IconPath d={PATHS[name]} className={className} />;
}

/** Links to the parts of a long page, on screens where they are stacked. */
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

interface PageHeadProps {
  title: string;
  /** The parent page, if it is not the dashboard. */
  above?: { to: string; words: string };
  children?: ReactNode;
}

export function PageHead({ title, above, children }: PageHeadProps) {
  const home = useMay("ownSessions") ? "Sessions" : "Dashboard";
  const { to, words } = above ?? { to: href("/admin"), words: home };
  return (
    <div className="mb-5">
      <title>{`${title} – Admin`}</title>
      <p>
        <Link to={to} className="link inline-flex min-h-8 items-center gap-1 text-sm">
          <Icon name="chevronLeft" className="size-4" />
          {words}
        </Link>
      </p>
      <h1 className={`display ${above ? "wrap-anywhere " : ""}text-2xl`}>{title}</h1>
      {children && <div className="mt-1 max-w-text text-muted">{children}</div>}
    </div>
  );
}
