/** A form that without a network is not sent, says so, and keeps what was typed. */
import { type ComponentProps, useState } from "react";
import { Form } from "react-router";

type FormProps = ComponentProps<typeof Form>;

export function OnlineForm({ children, onSubmit, ...form }: FormProps) {
  const [wasOffline, setWasOffline] = useState(false);
  const submit: FormProps["onSubmit"] = (event) => {
    setWasOffline(!navigator.onLine);
    if (navigator.onLine) onSubmit?.(event);
    else event.preventDefault();
  };
  return (
    <Form {...form} onSubmit={submit}>
      {children}
      <p role="status" className={wasOffline ? "font-semibold text-stop" : "sr-only"}>
        {wasOffline &&
          "You were offline, so nothing was sent. What you typed is still here: please try again."}
      </p>
    </Form>
  );
}
