import { filterOf, filterSchema } from "#app/api-contract/admin-calls.ts";
import { failureJson, readQuery } from "#app/api-contract/api.server.ts";
import { exportAppointments } from "#app/booking/export.server.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const route = adminApi({
  async GET({ deps, actor, url, request }) {
    const query = readQuery(url, filterSchema);
    if (!query.ok) return failureJson(query);
    if (request.method === "HEAD") return new Response(null, { headers: { "Content-Type": XLSX } });
    const file = await exportAppointments(deps, actor, filterOf(query.value));
    if (!file.ok) return failureJson(file);
    const { bytes, fileName } = file.value;
    return new Response(new Uint8Array(bytes), {
      headers: {
        "Content-Type": XLSX,
        "Content-Disposition": `attachment; filename="${fileName}"`,
        "Content-Length": String(bytes.length),
      },
    });
  },
});

export const loader = route;
export const action = route;
