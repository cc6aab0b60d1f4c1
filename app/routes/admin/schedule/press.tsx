import type { ReactNode } from "react";
import { useNavigation } from "react-router";

interface PressProps {
  intent: string;
  quiet?: boolean;
  /** Where the words alone do not tell which one is meant. */
  name?: string;
  children: ReactNode;
}

/** A button that says what a form of the schedule is sent for. */
export function Press({ intent, quiet = false, name, children }: PressProps) {
  const pending = useNavigation().formMethod === "POST";
  return (
    <button
      type="submit"
      name="intent"
      value={intent}
      aria-label={name}
      disabled={pending}
      className={`button justify-self-start ${quiet ? "button-quiet" : "button-primary"}`}
    >
      {children}
    </button>
  );
}
