/** A captain's buttons on a phone: contact the customer, block the rest of today. */
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { telLink } from "#app/model/tel-link.ts";
import { PageForm, SubmitButton } from "./form-page.tsx";
import { Part } from "./form-parts.tsx";
import type { OwnSession } from "./views.server.ts";

/** Starts the Zoom meeting as its host, else joins by the link; nothing without a link. */
export function JoinButton({ id, isHost, joinUrl }: Pick<OwnSession, "id" | "isHost" | "joinUrl">) {
  const to = isHost ? href("/admin/sessions/:id/host", { id }) : joinUrl;
  if (to === null) return null;
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className="button button-primary justify-self-start"
    >
      {isHost ? "Start the Meeting" : "Join"}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Join, if there is a link, else how it takes place; call; WhatsApp. */
export function ReachButtons({ session }: { session: OwnSession }) {
  const { name, phone, how, joinUrl } = session;
  return (
    <>
      {joinUrl === null && <p>{how.value}</p>}
      <p className="flex flex-wrap gap-3">
        <JoinButton {...session} />
        {phone && (
          <>
            <a
              href={telLink(phone)}
              aria-label={`Call ${name}: ${phone}`}
              className="button button-quiet"
            >
              <Icon name="call" />
              Call
            </a>
            <a
              href={`https://wa.me/${phone.replace(/\D/g, "")}`}
              target="_blank"
              rel="noreferrer"
              aria-label={`WhatsApp to ${name}`}
              className="button button-quiet"
            >
              WhatsApp
            </a>
          </>
        )}
      </p>
    </>
  );
}

interface BlockTodayProps {
  counselor: string;
  /** Date in India. */
  today: string;
  timesLeft: readonly { time: string; words: string }[];
}

/** Blocks times for new bookings; sessions in them stay, and are shown. */
export function BlockToday({ counselor, today, timesLeft }: BlockTodayProps) {
  const [running] = timesLeft;
  if (!running || counselor === "") return null;
  const day = { counselor, date: today, tab: "block" };
  const form = { reply: null, action: href("/admin/slots") } as const;
  return (
    <Part id="block-today" title="No more bookings today" className="grid gap-3 p-4">
      <PageForm {...form} id="block-now" sends={{ ...day, from: running.time }}>
        <SubmitButton intent="block-from" look="quiet">
          Block from now
        </SubmitButton>
      </PageForm>
      <PageForm {...form} id="block-later" sends={day} className="flex flex-wrap items-end gap-3">
        <label className="grid gap-1">
          <span className="font-semibold">Block today from</span>
          <select name="from" className="input" defaultValue={timesLeft[1]?.time ?? running.time}>
            {timesLeft.map(({ time, words }) => (
              <option key={time} value={time}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <SubmitButton intent="block-from" look="quiet">
          Block
        </SubmitButton>
      </PageForm>
    </Part>
  );
}
