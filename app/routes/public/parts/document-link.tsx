/** A booking's paper, in a tab of its own. */
import type { ReactNode } from "react";

interface DocumentLinkProps {
  to: string;
  look: "button-primary" | "button-quiet";
  children: ReactNode;
}

export function DocumentLink({ to, look, children }: DocumentLinkProps) {
  return (
    <a className={`button ${look}`} href={to} target="_blank" rel="noopener">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
