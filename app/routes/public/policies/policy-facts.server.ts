/** Data of the business and configured rules, for the policy pages. */
import type { LoaderFunctionArgs } from "react-router";
import { readBookable } from "#app/catalogue/read.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { copiesLiveDays } from "#app/jobs/backups.server.ts";
import { payTimeWords } from "#app/model/appointment.ts";
import { dateInIndia, formatDate, keptUntil } from "#app/model/dates.ts";
import { placeWords } from "#app/model/room.ts";
import { keptWords } from "#app/model/wording.ts";
import { businessView, POLICY_DATE } from "#app/routes/public/parts/public-page.tsx";

export function policyFacts({ context }: LoaderFunctionArgs) {
  const deps = context.get(depsContext);
  const { env } = deps;
  const { counselors } = readBookable(deps);
  return {
    business: businessView(env),
    publicUrl: env.publicUrl,
    updated: formatDate(POLICY_DATE),
    /** The site runs with sample data. */
    unchecked: env.sampleDocuments || counselors.some(({ sample }) => sample),
    whatsapp: env.whatsapp !== null,
    zoom: counselors.some(({ room }) => room.kind === "zoom"),
    captains: counselors.map(({ name, room }) => ({ name, place: placeWords(room) })),
    payTime: payTimeWords(env.paymentWindowSeconds),
    cutoffHours: env.selfServiceCutoffHours,
    unpaidDays: env.retentionUnpaidDays,
    eventsDays: env.retentionEventsDays,
    copyDays: copiesLiveDays(env),
    kept: keptWords(`for those of today: ${formatDate(keptUntil(dateInIndia(deps.now())))}`),
  };
}
