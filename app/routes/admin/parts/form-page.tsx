/** The forms of a screen in the page: response, fields, buttons, dialog. */
import { getFormProps, useForm } from "@conform-to/react";
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { Form, Link, useNavigation } from "react-router";
import { sentAs } from "#app/components/field.tsx";
import { lookUp } from "#app/model/unknown-code.ts";
import { SessionFacts } from "./facts.tsx";
import { type FieldOf, FormFields } from "./fields.tsx";
import { type Merged, type Reply, sentFor, type Typed, type Values } from "./form-data.ts";
import type { Answer } from "./form-page.server.ts";
import { boardHref, withList } from "./list-search.ts";
import { Overlay, useListSearch } from "./overlay.tsx";
import { Account, Problem, Unseen } from "./page-parts.tsx";
import { keyAfter, useAnswer } from "./submission.ts";
import type { SessionView } from "./views.server.ts";

interface Given<View, More> {
  loaderData: {
    view: View;
    formKey: string;
    failed: Readonly<Record<string, string>>;
  };
  actionData?: Answer<View, More> | undefined;
}

/** What a screen made by `screen` shows: after a submission, the view from its response. */
export function useFormPage<View, More>({ loaderData, actionData }: Given<View, More>) {
  const { failed } = loaderData;
  const titleOf = lookUp(failed);
  const names = Object.keys(failed);
  const answer = useAnswer(actionData, (form) => titleOf(sentFor(form, names)) ?? "");
  const typed: Typed = answer?.typed ?? {};
  const listSearch = useListSearch();
  const [keptKey, keepKey] = useState(typed.formKey ?? loaderData.formKey);
  const formKey = keyAfter(keptKey, loaderData.formKey);
  if (formKey !== keptKey) keepKey(formKey);
  return {
    view: answer?.view ?? loaderData.view,
    listSearch,
    formKey,
    /** Null if nothing was refused. */
    refusal: answer?.refusal ?? null,
    typed,
    merged: answer?.merged ?? null,
    notice: answer?.notice ?? null,
    more: answer?.more ?? null,
    /** The reply to one of these forms; without names, to any form. */
    replyTo: (...intents: string[]): Reply | null =>
      intents.length === 0 || intents.includes(answer?.intent ?? "")
        ? (answer?.reply ?? null)
        : null,
    /** A new object for each submission. */
    answer,
  };
}

export type FormPageOf<View, More> = ReturnType<typeof useFormPage<View, More>>;
export type FormPage = FormPageOf<unknown, unknown>;

const NOTHING_WRONG: Reply = {};

/**
 * A form with the errors of its last submission. With `onInput` on the form, the error of a
 * one-time code disappears when another one is typed.
 */
export function useAnsweredForm<Names extends string>(
  id: string,
  reply: Reply | null | undefined,
  defaultValue: Partial<Record<Names, string>> = {},
) {
  const [mended, setMended] = useState<{ reply: Reply; left: Reply } | null>(null);
  const isMended = mended !== null && mended.reply === reply;
  const [form, fields] = useForm<Record<Names, string>>({
    id,
    lastResult: isMended ? mended.left : (reply ?? NOTHING_WRONG),
    defaultValue: defaultValue as never,
  });
  // Conform focuses by name; an invalid field of a list is submitted under another name.
  useEffect(() => {
    if (reply?.status !== "error") return;
    const wrong = Object.keys(reply.error ?? {}).flatMap(
      (name) => document.getElementById(`${id}-${name}`) ?? [],
    );
    if (!wrong.some((control) => control === document.activeElement)) wrong[0]?.focus();
  }, [id, reply]);
  const onInput = ({ target }: FormEvent) => {
    if (!reply || isMended || !(target instanceof HTMLInputElement)) return;
    if (target.autocomplete !== "one-time-code") return;
    const { [target.name]: _, ...error } = reply.error ?? {};
    // Without the status, so that the focus stays.
    setMended({ reply, left: { error } });
  };
  return [form, fields, { onInput, isMended }] as const;
}

/** Calls `act` after a submission that was not refused. */
export function useAfterSubmit(pending: boolean, refused: boolean, act: () => void): void {
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !pending && !refused) act();
    wasPending.current = pending;
  });
}

interface PageFormProps
  extends Omit<ComponentProps<typeof Form>, "children" | "id" | "method" | "onInput"> {
  id: string;
  reply: Reply | null;
  /** What the fields hold before anything is typed. */
  filled?: Readonly<Record<string, string>>;
  /** What was typed into the refused form. */
  typed?: Typed;
  /** From `concurrentEdit`, for two admins editing at once. */
  edit?: ConcurrentEdit<Values>;
  /** Hidden fields. */
  sends?: ComponentProps<typeof Unseen>["fields"];
  /** The fields, see `fields.tsx`, and the button. */
  children: ReactNode;
}

export function PageForm(props: PageFormProps) {
  const { id, reply, filled, typed, edit, sends, children, ...more } = props;
  const [form, fields, { onInput }] = useAnsweredForm<string>(id, reply, filled);
  const of: FieldOf = (name, path) => ({
    field: path === undefined ? fields[name]! : sentAs(fields[path]!, name),
    ...(typed && { shown: typed[name] }),
    ...edit?.of(name),
  });
  return (
    <Form {...getFormProps(form)} {...more} method="post" onInput={onInput}>
      <Unseen fields={{ account: useContext(Account), ...sends, ...edit?.sends }} />
      <FormFields value={of}>{children}</FormFields>
    </Form>
  );
}

export type ConcurrentEdit<T extends Values> = ReturnType<typeof concurrentEdit<T>>;

/**
 * Keeps what was typed if another admin has saved meanwhile, and shows what is saved. The form also
 * submits what it was filled with.
 */
export function concurrentEdit<T extends Values>(merged: Merged<Values> | null, loaded: T) {
  const values = (merged?.values ?? loaded) as T;
  const saved = merged?.saved;
  return {
    values,
    sends: { version: values.version, shown: JSON.stringify(merged?.shown ?? loaded) },
    of: (name: string): { shown: string | undefined; hint?: ReactNode } => ({
      shown: values[name],
      ...(saved && saved[name] !== values[name] && { hint: <Saved text={saved[name]} /> }),
    }),
  };
}

export function Saved({ text }: { text: string | undefined }) {
  return <span className="whitespace-pre-wrap">Saved at present: {text || "nothing"}</span>;
}

interface SubmitButtonProps
  extends Pick<ComponentProps<"button">, "aria-label" | "disabled" | "formNoValidate"> {
  /** Which button it is, in a form or screen with several. */
  intent?: string;
  /** The label during the submission. */
  pending?: string;
  look?: "primary" | "quiet" | "danger";
  className?: string;
  children: ReactNode;
}

/** Disabled while a form is being submitted. */
export function SubmitButton(props: SubmitButtonProps) {
  const { intent, pending, look = "primary", className = "", disabled, children, ...more } = props;
  const { formMethod, formData } = useNavigation();
  const isSent = formMethod === "POST";
  const isOwn = isSent && (intent === undefined || formData?.get("intent") === intent);
  return (
    <button
      type="submit"
      name={intent === undefined ? undefined : "intent"}
      value={intent}
      disabled={disabled || isSent}
      aria-busy={isOwn || undefined}
      className={`button button-${look} ${className}`.trimEnd()}
      {...more}
    >
      {isOwn ? (pending ?? children) : children}
    </button>
  );
}

interface FormDialogProps
  extends Pick<PageFormProps, "id" | "edit" | "sends" | "className">,
    Pick<ComponentProps<typeof Overlay>, "title"> {
  page: FormPage;
  /** The page to go back to; without it, the list or the calendar. */
  backTo?: string;
  /** The session it is about; null if it is unknown. */
  session?: SessionView | null;
  /** Submits the session's version and the form's key, so that it is done once, and as shown. */
  once?: boolean;
  /** Before the form. */
  lead?: ReactNode;
  /** The button's label, its label during the submission, its look. */
  submit: readonly [word: string, pending: string, look?: "primary" | "danger"];
  /** Shown instead of fields and button if nothing is left to do. */
  over?: ReactNode;
  /** True while another day is being loaded. */
  busy?: boolean;
  /** The link that closes the dialog, and whether it comes after the button. */
  keep?: string;
  keepLast?: boolean;
  children?: ReactNode;
}

/** A form over the list or the calendar: its session, the fields, the link back, one button. */
export function FormDialog(props: FormDialogProps) {
  const { page, title, backTo, session, lead, children, ...more } = props;
  const { submit, over, busy = false, once, keep = "Close", keepLast, sends, ...form } = more;
  const [word, pending, look = "primary"] = submit;
  const key = once && session ? { version: session.version, formKey: page.formKey } : {};
  const closeTo = backTo ? withList(backTo, page.listSearch) : boardHref(page.listSearch);
  const back = (
    <Link
      to={closeTo}
      preventScrollReset
      data-first={!over && look === "danger" ? "" : undefined}
      className="button button-quiet"
    >
      {over ? "Close" : keep}
    </Link>
  );
  const actions = (
    <>
      {!keepLast && back}
      {!over && (
        <SubmitButton pending={pending} look={look} disabled={busy}>
          {word}
        </SubmitButton>
      )}
      {keepLast && back}
    </>
  );
  return (
    <Overlay title={title} closeTo={closeTo}>
      <Problem refusal={page.refusal} />
      {session && <SessionFacts session={session} />}
      {lead}
      <PageForm
        reply={page.replyTo()}
        typed={page.typed}
        sends={{ ...key, ...sends }}
        preventScrollReset
        className="mt-4 grid gap-4"
        {...form}
      >
        {children ? (
          <>
            {over || children}
            <div className="form-actions">{actions}</div>
          </>
        ) : (
          actions
        )}
      </PageForm>
    </Overlay>
  );
}
