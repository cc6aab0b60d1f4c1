import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { amountOf, type Switches } from "./switches.ts";

export interface MailAttachment {
  filename: string | null;
  contentType: string;
  size: number;
  sha256: string;
  contentId: string | null;
}

export interface Mail {
  n: number;
  at: number;
  from: string;
  to: string[];
  envelope: { from: string; to: string[] };
  messageId: string | null;
  subject: string;
  text: string;
  html: string | null;
  headers: { key: string; value: string }[];
  attachments: MailAttachment[];
}

export interface MailQuery {
  to?: string;
  subject?: string;
  min?: number;
  timeoutMs?: number;
}

interface StoredMail {
  mail: Mail;
  raw: Buffer;
  files: Uint8Array[];
}

const MOST_MAILS = 2000;

type Reply = (error?: Error | null, message?: string) => void;

/** The SMTP sink: keeps every mail raw and parsed, plays a relay's refusals. */
export class Mailbox {
  readonly #switches: Switches;
  readonly #stored: StoredMail[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #deferredOnce = new Set<string>();
  #server: SMTPServer | undefined;
  readonly #sockets = new Map<string, Socket>();
  #port = 0;
  #host = "127.0.0.1";
  #next = 1;
  #closed = false;
  #work: Promise<void> = Promise.resolve();
  onChange: () => void = () => {};

  constructor(switches: Switches) {
    this.#switches = switches;
    switches.onChange(() => void this.#followRefusal());
  }

  get port(): number {
    return this.#port;
  }

  async listen(host: string, port: number): Promise<void> {
    this.#host = host;
    this.#port = port;
    await this.#start();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#work.catch(() => {});
    await this.#stop();
  }

  list(query: MailQuery = {}): Mail[] {
    const to = query.to?.toLowerCase();
    return this.#stored
      .map(({ mail }) => mail)
      .filter(
        (mail) =>
          (!to || mail.envelope.to.some((address) => address.toLowerCase() === to)) &&
          (!query.subject || mail.subject.includes(query.subject)),
      );
  }

  /** Waits until enough mails match; throws when the time is over before. */
  async waitFor(query: MailQuery): Promise<Mail[]> {
    const found = await this.gather(query);
    const least = query.min ?? 1;
    if (found.length >= least) return found;
    const there = this.list().map(({ envelope, subject }) => `${envelope.to}: ${subject}`);
    throw new Error(
      `waited for ${least} mails as ${JSON.stringify(query)}, found ${found.length} of:\n${there.join("\n")}`,
    );
  }

  /** Waits until enough mails match or the time is over, and gives what is there. */
  async gather(query: MailQuery): Promise<Mail[]> {
    const deadline = Date.now() + (query.timeoutMs ?? 60_000);
    for (;;) {
      const found = this.list(query);
      const left = deadline - Date.now();
      if (found.length >= (query.min ?? 1) || left <= 0) return found;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, left);
        const waiters = this.#waiters;
        function wake() {
          clearTimeout(timer);
          waiters.delete(wake);
          resolve();
        }
        waiters.add(wake);
      });
    }
  }

  find(n: number): StoredMail | undefined {
    return this.#stored.find(({ mail }) => mail.n === n);
  }

  saved(most: number): { at: number; from: string; to: string[]; raw: string }[] {
    return this.#stored.slice(-most).map(({ mail, raw }) => ({
      at: mail.at,
      ...mail.envelope,
      raw: raw.toString("base64"),
    }));
  }

  async restore(saved: ReturnType<Mailbox["saved"]>): Promise<void> {
    for (const { at, from, to, raw } of saved) {
      await this.#keep(Buffer.from(raw, "base64"), { from, to }, at);
    }
  }

  clear(): void {
    this.#stored.length = 0;
    this.#deferredOnce.clear();
    this.#next = 1;
    this.onChange();
  }

  async #start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 200,
      onAuth: (auth, _session, reply) => reply(null, { user: auth.username ?? "sandbox" }),
      onRcptTo: ({ address }, _session, reply) => this.#judge(address, reply),
      onData: (stream, session, reply) => void this.#receive(stream, session, reply),
    });
    server.on("error", () => {});
    server.server.on("connection", (socket: Socket) => {
      const key = `${socket.remoteAddress}:${socket.remotePort}`;
      this.#sockets.set(key, socket);
      socket.on("close", () => this.#sockets.delete(key));
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve, reject) => {
      server.server.once("error", reject);
      server.listen(this.#port, this.#host, () => {
        server.server.off("error", reject);
        resolve();
      });
    });
    const address = server.server.address();
    if (address && typeof address === "object") this.#port = address.port;
    this.#server = server;
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets.values()) socket.destroy();
    await closed;
  }

  /** Refusing connections means not listening; the port stays the same. */
  #followRefusal(): Promise<void> {
    this.#work = this.#work.then(async () => {
      if (this.#port === 0 || this.#closed) return;
      const refuse = this.#switches.isSet("smtp_refuse");
      if (refuse && this.#server) await this.#stop();
      else if (!refuse && !this.#server) await this.#start();
    });
    return this.#work;
  }

  /** Ends when a change of the refusal switch has taken effect. */
  settled(): Promise<void> {
    return this.#work;
  }

  #judge(address: string, reply: Reply): void {
    const magic = /^(?:.*\+)?(550|451once|451)@/.exec(address)?.[1];
    if (magic === "550" || this.#switches.take("smtp_550", address)) {
      reply(smtpError(550, "5.1.1 The mailbox does not exist"));
      return;
    }
    const again = magic === "451once" && !this.#deferredOnce.has(address);
    if (again) this.#deferredOnce.add(address);
    if (magic === "451" || again || this.#switches.take("smtp_451", address)) {
      reply(smtpError(451, "4.3.0 Try again later"));
      return;
    }
    reply();
  }

  async #receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    reply: Reply,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of stream) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { mailFrom, rcptTo } = session.envelope;
    const to = rcptTo.map(({ address }) => address);
    const subject = to.join(" ");
    const hang = this.#switches.take("smtp_hang", subject);
    if (hang || to.some((address) => /^(?:.*\+)?hang@/.test(address))) {
      const seconds = hang ? amountOf(hang) : 60;
      setTimeout(() => reply(smtpError(421, "4.4.2 Timeout")), seconds * 1000).unref();
      return;
    }
    await this.#keep(Buffer.concat(chunks), { from: mailFrom ? mailFrom.address : "", to });
    if (this.#switches.take("smtp_answer_lost", subject)) {
      this.#sockets.get(`${session.remoteAddress}:${session.remotePort}`)?.destroy();
      return;
    }
    reply(null, "2.0.0 Kept by the sandbox");
  }

  async #keep(
    raw: Buffer,
    envelope: { from: string; to: string[] },
    at = Date.now(),
  ): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    const files = parsed.attachments.map(({ content }) => bytesOf(content));
    const n = this.#next;
    this.#next += 1;
    this.#stored.push({
      raw,
      files,
      mail: {
        n,
        at,
        from: addresses(parsed.from ? [parsed.from] : [])[0] ?? "",
        to: addresses(parsed.to ?? []),
        envelope,
        messageId: parsed.messageId ?? null,
        subject: parsed.subject ?? "",
        text: parsed.text ?? "",
        html: parsed.html ?? null,
        headers: parsed.headers.map(({ key, value }) => ({ key, value })),
        attachments: parsed.attachments.map((attachment, index) => {
          const content = files[index] ?? new Uint8Array();
          return {
            filename: attachment.filename ?? null,
            contentType: attachment.mimeType,
            size: content.byteLength,
            sha256: createHash("sha256").update(content).digest("hex"),
            contentId: attachment.contentId ?? null,
          };
        }),
      },
    });
    if (this.#stored.length > MOST_MAILS) this.#stored.shift();
    for (const wake of [...this.#waiters]) wake();
    this.onChange();
  }
}

function addresses(list: { address?: string | undefined }[]): string[] {
  return list.map(({ address }) => address ?? "").filter(Boolean);
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
