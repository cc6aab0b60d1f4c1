/** A meeting link that comes while the confirmation is still to go out is mailed once to each, and to each for certain. */
import { expect, it } from "vitest";
import type { OutgoingMail } from "#app/core/services.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { zoomTill } from "#tests/support/zoom-till.ts";

const zoom = zoomTill();
const { till } = zoom;

/** Sends what is due and answers what went out; the first confirmation may be refused for good. */
async function sent({ drawing = async () => {}, refuses = "nothing" } = {}) {
  const mails: { said: string; hasLink: boolean }[] = [];
  const send = async ({ to, subject, text, calendar }: OutgoingMail) => {
    if (subject.startsWith(refuses)) return { outcome: "park", error: "552", code: "552" } as const;
    const who = to.address === "asha@captains.example" ? "captain" : "customer";
    const link = zoom.links()[0] ?? "none yet";
    const said = `${who}: ${subject.split(":")[0]}`;
    const event = calendar?.content.replaceAll("\r\n ", "");
    mails.push({ said, hasLink: text.includes(link) && event!.includes(link) });
    return { outcome: "sent", transportId: "1" } as const;
  };
  till.deps.senders = { mail: { send, close() {} }, whatsapp: null };
  const renderDocument = async () => {
    await drawing();
    return Buffer.from("pdf");
  };
  till.deps.documents = { renderDocument } as never;
  await runOutbox(till.deps);
  return mails.map(({ said, hasLink }) => `${said}${hasLink ? ", with the link" : ""}`).toSorted();
}

it("comes with the confirmation if it is made while its invoice is drawn", async () => {
  await till.bookAndPay();
  const drawing = async () => void (await zoom.later(1));
  expect(await sent({ drawing })).toEqual([
    "captain: Meeting link, with the link",
    "captain: New session",
    "customer: Confirmed, with the link",
  ]);
});

it("comes with whatever waited until it was made", async () => {
  const { id } = await till.bookAndPay();
  await zoom.later(1);
  expect(await sent()).toEqual([
    "captain: New session, with the link",
    "customer: Confirmed, with the link",
  ]);
  const news = till.messages(id).filter(({ kind }) => /joining/.test(kind));
  const superseded = { lastError: "Not sent: another message brought the link." };
  expect(news).toMatchObject([superseded, superseded]);
});

it("comes by itself after what was sent without it, or could not be sent", async () => {
  const { id } = await till.bookAndPay();
  expect(await sent({ refuses: "Confirmed" })).toEqual(["captain: New session"]);
  const [confirmed] = till.messages(id).filter(({ state }) => state === "failed");
  await zoom.later(1);
  expect(await sent()).toEqual([
    "captain: Meeting link, with the link",
    "customer: Your meeting link, with the link",
  ]);
  expect(resendMessage(till.deps, ADMIN_ACTOR, confirmed!.id).ok).toBe(true);
  expect(await sent()).toEqual(["customer: Confirmed, with the link"]);
});

it("comes by itself if the confirmation that would have brought it is refused", async () => {
  await till.bookAndPay();
  await zoom.later(1);
  expect(await sent({ refuses: "Confirmed" })).toEqual([
    "captain: New session, with the link",
    "customer: Your meeting link, with the link",
  ]);
});
