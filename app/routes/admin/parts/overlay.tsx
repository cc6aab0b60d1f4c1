/**
 * The frame of a row's dialog: over the list a modal dialog, which traps the focus and gives it
 * back; requested directly, or without scripts, a page.
 */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link, useLocation, useNavigate, useNavigationType } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { Toaster } from "#app/components/toasts.tsx";
import { boardHref, listSearchOf, withList } from "./list-search.ts";

/** True if the list is behind the dialog. */
export const OverList = createContext(false);

/** The search of the list or the calendar, for everything on it. */
export const ListSearch = createContext<string | null>(null);

export function useListSearch(): string {
  const own = listSearchOf(useLocation());
  return useContext(ListSearch) ?? own;
}

interface DialogLinkProps extends Omit<ComponentProps<typeof Link>, "to"> {
  to: string;
  /** Search parameters of the dialog. */
  search?: Parameters<typeof withList>[2];
}

/** Opens a dialog over the list or the calendar of its page. */
export function DialogLink({ to, search, ...more }: DialogLinkProps) {
  return <Link to={withList(to, useListSearch(), search)} preventScrollReset {...more} />;
}

const ModalContext = createContext<(open: boolean) => void>(() => {});

/** Shows the page's notifications; while a dialog is open, it shows them, as it covers the page. */
export function ToastPlace({ children }: { children: ReactNode }) {
  const [modalOpen, setModalOpen] = useState(false);
  // Loaded in advance: the first notification may be that the connection is lost.
  useEffect(() => {
    import("#app/components/toast-region.tsx").catch(() => {});
  }, []);
  return (
    <ModalContext value={setModalOpen}>
      {children}
      {!modalOpen && <Toaster />}
    </ModalContext>
  );
}

interface OverlayProps {
  title: string;
  /** Where Close and Escape lead; by default the list or the calendar. */
  closeTo?: string | undefined;
  kind?: "box" | "wide" | "panel";
  /** Kept in view at the top while the rest scrolls. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Overlay({ closeTo, ...props }: OverlayProps) {
  const board = boardHref(useListSearch());
  const Frame = useContext(OverList) ? ModalDialog : OwnPage;
  return <Frame closeTo={closeTo ?? board} {...props} />;
}

type FrameProps = OverlayProps & { closeTo: string };

function OwnPage({ title, closeTo, kind = "box", actions, children }: FrameProps) {
  const width = kind === "wide" ? "max-w-[56rem]" : "max-w-[40rem]";
  const isBack = useNavigationType() === "POP";
  // Also after a form far down another page; on Back the browser restores the position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens.
  useEffect(() => {
    if (!isBack) scrollTo(0, 0);
  }, []);
  return (
    <section aria-label={title} className={`card mx-auto ${width}`}>
      <title>{`${title} – Admin`}</title>
      <div className="overlay-head rounded-t-lg px-5 py-3">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="display text-xl">{title}</h1>
          <Link to={closeTo} className="link ml-auto inline-flex min-h-8 items-center">
            {backWords(closeTo)}
          </Link>
        </div>
        {actions}
      </div>
      <div className="p-5">{children}</div>
    </section>
  );
}

function backWords(closeTo: string): string {
  if (/^\/admin\/calendar([?#]|$)/.test(closeTo)) return "Back to the calendar";
  return /^\/admin([?#]|$)/.test(closeTo) ? "Back to the list" : "Back";
}

function ModalDialog({ title, closeTo, kind = "box", actions, children }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  const navigate = useNavigate();
  useModal(dialog);
  const close = () => void navigate(closeTo, { preventScrollReset: true });
  return (
    <dialog
      ref={dialog}
      aria-labelledby={headingId}
      className={`overlay overlay-${kind}`}
      onCancel={(event) => {
        // A file picker or a select inside cancels too; only the dialog's own event closes it.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
    >
      <title>{`${title} – Admin`}</title>
      <div className="overlay-head px-5 py-2">
        <div className="flex items-center gap-3">
          <h2 id={headingId} tabIndex={-1} className="display text-xl outline-none">
            {title}
          </h2>
          <Link
            to={closeTo}
            preventScrollReset
            aria-label="Close the dialog"
            className="-mr-2 ml-auto flex size-11 items-center justify-center rounded-sm text-muted hover:text-ink"
          >
            <Icon name="close" />
          </Link>
        </div>
        {actions}
      </div>
      <div className="p-5">{children}</div>
      <Toaster />
    </dialog>
  );
}

/** Opens on mount and focuses the element with `data-first`, else the heading. */
function useModal(dialog: React.RefObject<HTMLDialogElement | null>): void {
  const setModalOpen = useContext(ModalContext);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.open) element.showModal();
    setModalOpen(true);
    const first = element.querySelector<HTMLElement>("[data-first]") ?? element.querySelector("h2");
    first?.focus({ preventScroll: true });
    return () => {
      element.close();
      setModalOpen(false);
    };
  }, [dialog, setModalOpen]);
}
