import type { DashboardData } from "./dashboard-view.server.ts";

const count = new Intl.NumberFormat("en-IN");

/** The four figures of the filtered set, and what went back where that is asked for. */
export function StatCards({ stats }: Pick<DashboardData, "stats">) {
  const cards = [
    ["Total Appointments", count.format(stats.totalAppointments)],
    ["Confirmed", count.format(stats.confirmedAppointments)],
    ["Pending Payment", count.format(stats.pendingPayments)],
    ["Revenue", stats.revenue],
    ...(stats.refunded === null ? [] : [["Refunded", stats.refunded]]),
  ];
  return (
    <dl
      className={`grid grid-cols-2 gap-3 ${cards.length > 4 ? "lg:grid-cols-5" : "lg:grid-cols-4"}`}
    >
      {cards.map(([label, figure]) => (
        <div key={label} className="card flex flex-col px-4 py-3">
          <dt className="legend">{label}</dt>
          <dd className="display figures break-words text-lg sm:text-2xl">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
