/** A dialog over a form whose session had ended: signs in, then submits the form again. */
import { getFormProps } from "@conform-to/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { href, useSubmit } from "react-router";
import { useAnsweredForm } from "./form-page.tsx";
import {
  LoginFields,
  type LoginName,
  restoreSession,
  type SignInRefusal,
  signInByCalls,
  signInRefusal,
} from "./login-card.tsx";
import { Problem } from "./page-parts.tsx";
import { type LostForm, useLostForm } from "./submission.ts";

/** `username` is the account of the page. */
export function SignInAgain({ username }: { username: string | null }) {
  const { lost, forget } = useLostForm();
  return lost && username !== null ? (
    <SignInDialog username={username} lost={lost} close={forget} />
  ) : null;
}

interface SignInDialogProps {
  username: string;
  lost: LostForm;
  close: () => void;
}

function SignInDialog({ username, lost, close }: SignInDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [refusal, setRefusal] = useState<SignInRefusal | null>(null);
  const [pending, setPending] = useState(true);
  const [form, fields] = useAnsweredForm<LoginName>("again", refusal?.reply, { username });
  const submit = useSubmit();
  const goOn = (admin: { username: string }) => {
    // Another account must get neither this page nor its form.
    if (admin.username !== username) return location.assign(href("/admin"));
    close();
    const { pathname, search } = new URL(lost.request.url);
    const encType = lost.request.headers.get("content-type")?.startsWith("multipart/form-data")
      ? "multipart/form-data"
      : "application/x-www-form-urlencoded";
    void submit(lost.form, {
      method: "post",
      action: pathname + search,
      encType,
      preventScrollReset: true,
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per lost form.
  useEffect(() => {
    // A lost cookie is restored from the stored token.
    void restoreSession().then((admin) => {
      if (admin) return goOn(admin);
      setPending(false);
      dialog.current?.showModal();
      // The username is filled in.
      dialog.current?.querySelector<HTMLInputElement>("[type=password]")?.focus();
    });
  }, []);
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setPending(true);
    try {
      goOn(await signInByCalls(typed));
    } catch (error) {
      setRefusal(signInRefusal(error, typed.username, typed.totp !== undefined));
      setPending(false);
    }
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="again-title"
      className="overlay overlay-box"
      onClose={close}
    >
      <div className="p-5">
        <h2 id="again-title" className="display text-xl">
          Sign in again
        </h2>
        <p className="mb-4 text-muted">Your session has ended. What you typed goes on after it.</p>
        <Problem refusal={refusal?.reply.error ? null : refusal} />
        <form {...getFormProps(form)} method="post" onSubmit={signIn} className="grid gap-4">
          <LoginFields fields={fields} secondFactor={refusal?.secondFactor ?? false} />
          <div className="flex flex-wrap gap-3">
            <button type="submit" disabled={pending} className="button button-primary">
              {pending ? "Signing In..." : "Sign In"}
            </button>
            <button type="button" onClick={close} className="button button-quiet">
              Close
            </button>
          </div>
        </form>
      </div>
    </dialog>
  );
}
