/** What comes after a session, as the panel and the captain's page lead to it. */
import { Link } from "react-router";
import type { PlanLinkView } from "./after-session-view.server.ts";

export function PlanLink({ plan }: { plan: PlanLinkView | null }) {
  if (plan === null) return null;
  return (
    <p className="no-print mt-2">
      <Link to={plan.to} className="link inline-flex min-h-8 items-center">
        {plan.words}
      </Link>
    </p>
  );
}
