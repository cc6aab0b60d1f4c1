/** Figures, and the workbooks of appointments and of a month's GST. */
import type { z } from "zod";
import { filterOf, filterSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { exportAppointments, exportGstMonth } from "#app/documents/exports.server.ts";
import { workbookResponse } from "#app/http/file-response.server.ts";
import { withQuery } from "#app/http/json.server.ts";
import { insightsSchema } from "#app/insights/ranges.ts";
import { readInsights } from "#app/insights/read.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { rupeesOf, type SessionFigures } from "#app/model/money.ts";
import { papersSchema } from "#app/model/month.ts";
import { success } from "#app/model/outcome.ts";
import { type AdminCall, adminCalls } from "./call.server.ts";

const route = adminCalls({
  "api/admin/insights": {
    GET: withQuery(insightsSchema, insights, ({ months, byCounselor, byPackage, leadDays }) => ({
      months: months.map((one) => ({ month: one.value, ...figuresJson(one) })),
      byCounselor: byCounselor.map((one) => ({ counselor: one.counselor, ...figuresJson(one) })),
      byPackage: byPackage.map((one) => ({ package: one.package, ...figuresJson(one) })),
      leadDays,
    })),
  },
  "api/admin/export": { GET: withQuery(filterSchema, workbook, workbookResponse) },
  "api/admin/gst": {
    GET: withQuery(
      papersSchema,
      async ({ month, format }, { deps, actor, request }) => {
        if (request.method === "HEAD") return success({ fileName: `.${format}` });
        return exportGstMonth(deps, actor, month, format);
      },
      workbookResponse,
    ),
  },
});

async function insights(
  { from, to, counselor }: z.output<typeof insightsSchema>,
  { deps }: AdminCall,
) {
  const { counselors } = readCatalogue(deps.db);
  const chosen = counselor === undefined ? null : counselorNamed({ counselors }, counselor);
  if (chosen?.ok === false) return chosen;
  const asked = { from, to, counselor: chosen?.value ?? null, all: counselors };
  return success(await readInsights(deps.db, asked));
}

function figuresJson(figures: SessionFigures) {
  const { booked, paid, cancelled, completed, noShow } = figures;
  return {
    booked,
    paid,
    cancelled,
    completed,
    noShow,
    revenue: rupeesOf(figures.keptPaise),
    refunded: rupeesOf(figures.refundedPaise),
    takenBack: rupeesOf(figures.takenBackPaise),
  };
}

function workbook(query: z.output<typeof filterSchema>, { deps, actor, request }: AdminCall) {
  if (request.method === "HEAD") return success(null);
  const filter = filterOf(readCatalogue(deps.db), query);
  return filter.ok ? exportAppointments(deps, actor, filter.value) : filter;
}

export { route as action, route as loader };
