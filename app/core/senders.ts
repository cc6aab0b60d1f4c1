/** The walls to mail and WhatsApp, as every operation meets them. */

/**
 * What came of a send. `retry`: it may go through later. `park`: never as it is, so a person must
 * look. `stop`: the channel itself is broken, so nothing else is tried on it for a while.
 */
export type SendResult =
  | { outcome: "sent"; transportId: string }
  | {
      outcome: "retry" | "park" | "stop";
      /** Fit for the admin. */
      error: string;
      /** The provider's code, for the log: the error may hold an address. */
      code: string;
      /** Milliseconds to wait at least. */
      waitAtLeast?: number;
      /** The admin is told: this does not mend itself. */
      alert?: boolean;
    };

export interface OutgoingMail {
  /** Without angle brackets and domain; the same for every try of one message. */
  messageId: string;
  to: { name: string; address: string };
  /** The same for all mails of one booking, in the form of `messageId`; null for mails of none. */
  thread: string | null;
  subject: string;
  text: string;
  html: string;
  calendar: { method: "REQUEST" | "CANCEL"; content: string } | null;
  attachments: { filename: string; content: Buffer; contentType: string }[];
}

export interface OutgoingWhatsApp {
  /** Comes back in the delivery reports. */
  messageId: string;
  /** E.164. */
  to: string;
  /** Kind; the sender puts the prefix before it. */
  template: string;
  parameters: string[];
}

/** Neither method rejects for a fault of the outside. */
export interface Senders {
  mail: { send(mail: OutgoingMail, signal: AbortSignal): Promise<SendResult>; close(): void };
  /** Null where WhatsApp is not configured. */
  whatsapp: {
    send(message: OutgoingWhatsApp, signal: AbortSignal): Promise<SendResult>;
  } | null;
}
