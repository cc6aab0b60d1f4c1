/** Parts of admin pages: heading, jump links, notices, icons, and what the account may do. */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from "react";
import { Form, href, Link, useActionData } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { Icon, IconPath } from "#app/components/icons.tsx";
import type { Toast } from "#app/components/toast-region.tsx";
import { showFailure, showToast } from "#app/components/toasts.tsx";
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

export interface Flash extends Omit<Toast, "id"> {
  /** Shown once, however often the page is reloaded. */
  id: string;
}

const shownIds = new Set<string>();

/** About the previous action: a notification with scripts, a line in the page without. */
export function FlashNotice({ flash }: { flash: Flash | null }) {
  const hydrated = useHydrated();
  useEffect(() => {
    if (!flash || shownIds.has(flash.id)) return;
    shownIds.add(flash.id);
    showToast(flash);
  }, [flash]);
  if (!flash || hydrated) return null;
  return (
    // With scripts, a notification says it.
    <div className="[@media(scripting:enabled)]:hidden">
      <Notice {...flash} />
    </div>
  );
}

type NoticeProps = Pick<Flash, "title" | "variant"> & { description?: string | undefined };

export function Notice({ title, description, variant }: NoticeProps) {
  const wrong = variant === "destructive";
  return (
    <div
      role={wrong ? "alert" : "status"}
      className={`mb-4 flex gap-3 rounded-lg border-2 p-4 ${
        wrong ? "border-stop bg-stop-soft" : "border-go bg-go-soft"
      }`}
    >
      <Icon
        name={wrong ? "alert" : "check"}
        className={`mt-0.5 size-5 ${wrong ? "text-stop" : "text-go"}`}
      />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        {description && <p className="break-words">{description}</p>}
      </div>
    </div>
  );
}

export interface Refusal {
  title: string;
  message: string;
}

interface ProblemProps {
  refusal: Refusal | null | undefined;
  /** The response it belongs to, if not the page's. */
  to?: unknown;
}

/**
 * What went wrong with a form: stays in the page, and with scripts is a notification too. Each
 * response is announced, also one with the same text as the previous one.
 */
export function Problem({ refusal, to }: ProblemProps) {
  const ofPage: unknown = useActionData();
  const answer = to ?? ofPage;
  const [shown, setShown] = useState({ answer, number: 0 });
  if (shown.answer !== answer) setShown({ answer, number: shown.number + 1 });
  return refusal ? <ShownProblem key={shown.number} {...refusal} /> : null;
}

function ShownProblem({ title, message }: Refusal) {
  useEffect(() => showFailure(title, message), [title, message]);
  return <Notice title={title} description={message} variant="destructive" />;
}
