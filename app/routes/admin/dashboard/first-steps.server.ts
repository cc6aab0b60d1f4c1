/** The words of the first steps, each with a link. */
import { href } from "react-router";
import type { Deps } from "#app/core/deps.server.ts";
import { CONFIRMED, readFirstSteps } from "#app/doctor/first-steps.server.ts";
import { lookUp } from "#app/model/unknown-code.ts";

interface Words {
  title: string;
  text: string;
  /** The page where it is done; null if a button in the list does it. */
  to: string | null;
}

const wordsOf = lookUp<string, Words>({
  business: {
    title: "Say who you are",
    text: "Legal name, address and GSTIN stand on every invoice and on the policy pages.",
    to: href("/admin/settings"),
  },
  captain: {
    title: "Enter a captain",
    text: "One of your own, on the page, with a portrait; the samples go.",
    to: href("/admin/catalogue"),
  },
  prices: {
    title: "Set the prices",
    text: "In whole rupees, before GST.",
    to: `${href("/admin/catalogue")}#packages`,
  },
  hours: {
    title: "Set the hours",
    text: "The times at which a captain can be booked.",
    to: href("/admin/schedule"),
  },
  invitation: {
    title: "Invite somebody",
    text: "Staff, or a captain who sees their own sessions.",
    to: href("/admin/team"),
  },
  provider: {
    title: "Connect Razorpay",
    text: "Set its keys and its webhook on the server. It is done when the keys open and an event came.",
    to: `${href("/admin/settings")}#outside`,
  },
  mail: {
    title: "Send a test mail",
    text: "To your own address. It is done when the mail server has taken it.",
    to: null,
  },
  whatsapp: {
    title: "Connect WhatsApp, if you want it",
    text: "Confirmations and reminders go there too.",
    to: `${href("/admin/settings")}#outside`,
  },
  copies: {
    title: "Send copies off the machine",
    text: "So that nothing is lost with it. It is done when the first one is there.",
    to: `${href("/admin/settings")}#outside`,
  },
  testBooking: {
    title: "Book once yourself",
    text: "On your own page, with a test key of Razorpay and its test card. Then cancel it. A payment with live keys counts as well.",
    to: href("/"),
  },
  live: {
    title: "Go live",
    text: "With the live keys, a public https address, and no sample left.",
    to: `${href("/admin/settings")}#outside`,
  },
});

export type FirstStepsView = NonNullable<ReturnType<typeof firstStepsView>>;

/** Null once every required step is done, or the list was dismissed. */
export function firstStepsView(deps: Pick<Deps, "db" | "env">) {
  const steps = readFirstSteps(deps)?.map(({ name, isDone }) => ({
    name,
    isDone,
    ...wordsOf(name)!,
    isConfirmed: CONFIRMED.some((one) => one === name),
  }));
  return steps ?? null;
}
