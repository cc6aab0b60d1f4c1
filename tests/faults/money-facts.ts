/** What people did and were promised in a money world, as they know it themselves. */
import type { MessageData } from "#app/model/messages.ts";

export interface Person {
  name: string;
  email: string;
  phone: string;
  clientAddress: string;
  /** Of the browser. */
  token: string | null;
  /** Rupees that their page shows, by the package's minutes. */
  prices: Map<number, number>;
}

export interface BookingFacts {
  id: string;
  person: Person;
  /** The latest instant until which it could be paid, milliseconds UTC. */
  payBefore: number;
  /** `backPaise`: what staff said goes back; `all` of what is kept. Null if nobody cancelled it. */
  cancelled: {
    by: "business" | "customer";
    wasPaid: boolean;
    backPaise: number | "all";
  } | null;
  /** Refunds that staff wanted without cancelling, in paise. */
  partsPaise: number;
  isErased: boolean;
}

/** Money that a person handed back. */
export interface HandedBack {
  paymentId: string;
  refundId: string;
  amountPaise: number;
}

/** A mail or WhatsApp message as it went out. */
export interface Sent {
  at: number;
  queuedAt: number;
  messageId: string;
  kind: string;
  channel: "email" | "whatsapp";
  audience: string;
  recipient: string;
  appointmentId: string | null;
  data: MessageData;
  /** In one line. */
  text: string;
}

export interface Violation {
  rule: string;
  what: string;
}
