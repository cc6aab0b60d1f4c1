/** One field for whatever a person on the phone says: a name, a number, an ID. */
import { useEffect, useRef } from "react";
import { Form, href } from "react-router";
import { AdminIcon } from "./icons.tsx";

const KEY = "/";

export function QuickFind() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (key !== KEY || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      const isTyping =
        target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
      // Behind an open dialog nothing takes the focus.
      if (isTyping || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      field.current?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  return (
    <Form
      method="post"
      action={href("/admin/find")}
      role="search"
      aria-label="Quick find"
      className="flex max-md:order-2 max-md:w-full md:max-w-96 md:flex-1"
    >
      <input
        ref={field}
        type="search"
        name="q"
        aria-label="Quick find"
        aria-keyshortcuts={KEY}
        title={`Name, phone, email, ID, document or payment. Press ${KEY} to come here.`}
        placeholder="Name, phone, ID, invoice …"
        autoComplete="off"
        required
        maxLength={100}
        className="min-h-11 w-full min-w-0 rounded-l-sm border border-night-line bg-night-raised px-3 text-night-ink outline-sky placeholder:text-night-muted"
      />
      <button
        type="submit"
        aria-label="Find"
        className="grid min-h-11 min-w-11 place-items-center rounded-r-sm border border-l-0 border-night-line bg-night-raised text-night-ink outline-sky"
      >
        <AdminIcon name="search" className="size-5" />
      </button>
    </Form>
  );
}
