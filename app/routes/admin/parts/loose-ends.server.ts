/** What is still to be sent or paid back for bookings, as the pages say it that remove their data. */
import { href } from "react-router";
import type { Deps } from "#app/core/deps.server.ts";
import { messageLabel } from "#app/model/messages.ts";
import { formatAmount } from "#app/model/money.ts";
import { listOutliving } from "#db/queries/messages.server.ts";
import { listOwedByPerson } from "#db/queries/payments.server.ts";
import { channelWords } from "./words.ts";

export function looseEnds({ db }: Pick<Deps, "db">, appointmentIds: readonly string[]) {
  return {
    due: appointmentIds
      .flatMap((id) => listOutliving(db, id))
      .map(({ kind, channel, audience }) => {
        const whom = audience === "counselor" ? "captain" : "customer";
        return `${messageLabel(kind)}, ${channelWords(channel)} to the ${whom}`;
      }),
    owed: listOwedByPerson(db, appointmentIds).map(({ id, way, appointmentId, amountPaise }) => ({
      words: formatAmount(amountPaise),
      to:
        way === "by_hand" || appointmentId === null
          ? href("/admin/refunds/:id/settle", { id })
          : href("/admin/appointments/:id", { id: appointmentId }),
    })),
  };
}
