/** The outside services as every operation meets them: payments, mail, WhatsApp, documents. Pure. */
import type { AppointmentFilter } from "#app/model/appointment.ts";
import type { Dispute } from "#app/model/dispute.ts";
import type { Money } from "#app/model/money.ts";
import type { Month } from "#app/model/month.ts";
import type { ProviderFault } from "#app/model/statuses.ts";
import type { TextBlock } from "#app/model/text-blocks.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import type { SettlementLineTable } from "#db/money-tables.ts";
import type { FieldsOf } from "#db/row-fields.ts";
import type { Env } from "./env.server.ts";

/** An outside service refused or did not answer: a failed try, not a bug. */
export class OutsideError extends Error {
  /** For the log, because the message may hold an address. */
  readonly code: string;
  /** Trying again does not help: a person has to fix it. */
  readonly needsPerson: boolean;

  constructor(code: string, message: string, needsPerson = false) {
    super(message);
    this.name = "OutsideError";
    this.code = code;
    this.needsPerson = needsPerson;
  }
}

/** What a service sent, unchecked; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface ProviderOrder extends Money {
  orderId: string;
  receipt: string | null;
  status: "created" | "attempted" | "paid";
}

export interface ProviderPayment extends Money {
  paymentId: string;
  orderId: string | null;
  /** Unknown words of the provider are kept as they are and treated as "not captured". */
  status: "created" | "authorized" | "captured" | "refunded" | "failed" | (string & {});
  refundedPaise: number;
  /** True if it was only authorised, and returned by the provider itself; left out otherwise. */
  isUncaptured?: boolean;
  method: string | null;
  /** The provider's fee; null until it is known, which is some time after the capture. */
  fee: ProviderFee | null;
  /** What the customer's bank calls it, such as the RRN of UPI; left out while it is not known. */
  reference?: string;
  /** Of a foreign card or account; left out where the provider does not say. */
  isInternational?: boolean;
  /** Left out where the provider names nobody. */
  payer?: Payer;
  createdAt: number;
}

/** As the customer entered it at the checkout. Never logged. */
export interface Payer {
  email: string | null;
  /** With the country's code. */
  phone: string | null;
}

/** Paise. It is not given back with a refund. */
export interface ProviderFee {
  feePaise: number;
  feeTaxPaise: number;
}

export interface ProviderRefund {
  refundId: string;
  paymentId: string;
  amountPaise: number;
  /** Our own reference, where it was sent along. */
  receipt: string | null;
  status: "pending" | "processed" | "failed";
  /** When it was made; null if the provider does not say. */
  createdAt: number | null;
}

/** A line of the report on settlements, as it is stored. */
export type SettledLine = FieldsOf<SettlementLineTable>;

export interface ProviderDispute extends Dispute {
  disputeId: string;
  paymentId: string;
  createdAt: number;
}

export class ProviderError extends OutsideError {
  readonly fault: ProviderFault;
  readonly status: number;

  constructor(fault: ProviderFault, status: number, message: string) {
    super(fault, message);
    this.name = "ProviderError";
    this.fault = fault;
    this.status = status;
  }
}

/**
 * Every call rejects with ProviderError and with nothing else. A list is read to its end; those of a
 * time hold what was made from `from` to `to`.
 */
export interface PaymentProvider {
  createOrder(input: {
    receipt: string;
    amountPaise: number;
    notes: Record<string, string>;
  }): Promise<ProviderOrder>;
  findOrderByReceipt(receipt: string): Promise<ProviderOrder | null>;
  listPayments(orderId: string): Promise<ProviderPayment[]>;
  listOrders(from: number, to: number): Promise<ProviderOrder[]>;
  fetchPayment(paymentId: string): Promise<ProviderPayment>;
  listPaymentsMade(from: number, to: number): Promise<ProviderPayment[]>;
  refund(input: {
    paymentId: string;
    amountPaise: number;
    /** Our own reference, at most 40 characters. */
    receipt: string | null;
    /** At least 10 characters; the same key never makes a second refund. */
    idempotencyKey: string;
  }): Promise<ProviderRefund>;
  listRefunds(paymentId: string): Promise<ProviderRefund[]>;
  fetchRefund(refundId: string): Promise<ProviderRefund>;
  listRefundsMade(from: number, to: number): Promise<ProviderRefund[]>;
  fetchDispute(disputeId: string): Promise<ProviderDispute>;
  listDisputes(from: number, to: number): Promise<ProviderDispute[]>;
  /** What was settled in a month, yyyy-MM. */
  listSettled(month: string): Promise<SettledLine[]>;
}

/** The code of an OutsideError after which nobody knows whether it was done. */
export const UNANSWERED = "unanswered";

export interface MadeRoom {
  id: string;
  /** For everybody who comes; the captain's own link is fetched when it is needed. */
  joinUrl: string;
}

/** A server that makes rooms for sessions. A host is a captain's e-mail address; rejects with OutsideError. */
export interface RoomServer {
  make(
    host: string,
    /** The key is stored in the room, to find it again. */
    room: { key: string; title: string; startsAt: number; minutes: number },
    signal: AbortSignal,
  ): Promise<MadeRoom>;
  /** Future rooms with the key. */
  find(host: string, key: string, signal: AbortSignal): Promise<MadeRoom[]>;
  /** False if the room no longer exists. */
  move(id: string, startsAt: number, minutes: number, signal: AbortSignal): Promise<boolean>;
  /** Succeeds for a room that no longer exists. */
  remove(id: string, signal: AbortSignal): Promise<void>;
  /**
   * Opens the room as its host for two hours: never stored, mailed or logged. Null if the room no
   * longer exists.
   */
  hostLink(id: string): Promise<string | null>;
  hostState(host: string): Promise<"licensed" | "basic" | "unknown">;
}

/**
 * The result of a send. `retry`: it may succeed later. `park`: it never will as it is, so a person
 * has to look. `stop`: the channel itself is broken, so nothing else is sent on it for a while.
 */
export type SendResult =
  | { outcome: "sent"; transportId: string }
  | {
      outcome: "retry" | "park" | "stop";
      /** Shown to admins. */
      error: string;
      /** The provider's code, for the log: the error may hold an address. */
      code: string;
      waitAtLeast?: number;
      /** The owner is notified, because this does not resolve itself. */
      alert?: boolean;
    };

export interface OutgoingMail {
  /** Without angle brackets and domain; the same for every try of one message. */
  messageId: string;
  to: { name: string; address: string };
  /** The same for all mails of one booking, in the form of `messageId`; null for other mails. */
  thread: string | null;
  subject: string;
  text: string;
  html: string;
  calendar: { method: "REQUEST" | "CANCEL"; content: string } | null;
  /** `cid`: the HTML shows it, by this name. */
  attachments: { filename: string; content: Buffer; contentType: string; cid?: string }[];
}

export interface OutgoingWhatsApp {
  /** The message and its resend; comes back in the delivery reports. */
  messageId: string;
  /** E.164. */
  to: string;
  /** Kind; the sender puts the prefix before it. */
  template: string;
  parameters: string[];
}

/** Neither method rejects when an outside service fails. */
export interface Senders {
  mail: { send(mail: OutgoingMail, signal: AbortSignal): Promise<SendResult>; close(): void };
  whatsapp: {
    send(message: OutgoingWhatsApp, signal: AbortSignal): Promise<SendResult>;
  } | null;
}

/** A file holds all its pages in memory until it is written: this many take 240 MB. */
export const MAX_DOCUMENTS_IN_FILE = 500;

export class TooManyDocuments extends Error {
  override name = "TooManyDocuments";
}

export interface Workbook {
  bytes: Buffer;
  rows: number;
}

/** Who files the return, as configured now; a null GSTIN: all documents are samples. */
export type Filer = Pick<Env["business"], "name" | "gstin">;

/** What a person wrote, as a page of its own. */
export interface WrittenPage {
  brand: string;
  /** The id of a stored picture. */
  logo: string | null;
  title: string;
  facts: readonly [label: string, value: string][];
  blocks: readonly TextBlock[];
  at: number;
}

/** Every method throws QueueFull when the queue is full. */
export interface DocumentRenderer {
  /** The PDF of a ledger row; the same row gives the same bytes. */
  renderDocument(document: PrintableDocument): Promise<Buffer>;
  /**
   * One PDF of many documents, each on its own page with a bookmark, in the order given. Throws
   * TooManyDocuments over MAX_DOCUMENTS_IN_FILE, RangeError for none.
   */
  renderMonth(documents: readonly PrintableDocument[]): Promise<Buffer>;
  renderText(page: WrittenPage): Promise<Buffer>;
  /** The XLSX of the filter's appointments and documents; null for more than `most`. */
  renderExport(filter: AppointmentFilter, most: number): Promise<Workbook | null>;
  /** The accountant's XLSX of a month, or its journal as CSV. */
  renderGstMonth(month: Month, filer: Filer, format: "xlsx" | "csv"): Promise<Buffer>;
  close(): Promise<void>;
}
