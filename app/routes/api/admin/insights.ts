import { insightsSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withQuery } from "#app/http/json.server.ts";
import { readInsights } from "#app/insights/read.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { rupeesOf } from "#app/model/money.ts";
import type { SessionFigures } from "#app/model/session-figures.ts";

const route = methods({
  GET: withQuery(insightsSchema, async ({ from, to, counselor }, { deps }) => {
    const { counselors } = readCatalogue(deps.db);
    const chosen = counselor === undefined ? null : counselorNamed({ counselors }, counselor);
    if (chosen?.ok === false) return failureJson(chosen);
    const asked = { from, to, counselor: chosen?.value ?? null, all: counselors };
    const { months, byCounselor, byPackage, leadDays } = await readInsights(deps.db, asked);
    return successJson({
      months: months.map((one) => ({ month: one.value, ...figuresJson(one) })),
      byCounselor: byCounselor.map((one) => ({ counselor: one.counselor, ...figuresJson(one) })),
      byPackage: byPackage.map((one) => ({ package: one.package, ...figuresJson(one) })),
      leadDays,
    });
  }),
});

function figuresJson(figures: SessionFigures) {
  const { booked, paid, cancelled, completed, noShow } = figures;
  return {
    ...{ booked, paid, cancelled, completed, noShow },
    revenue: rupeesOf(figures.keptPaise),
    refunded: rupeesOf(figures.refundedPaise),
    takenBack: rupeesOf(figures.takenBackPaise),
  };
}

export { route as action, route as loader };
