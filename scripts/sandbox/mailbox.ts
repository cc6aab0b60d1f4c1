/** The SMTP sink: keeps every mail raw and parsed, and refuses as a relay does. */
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { Switches } from "./switches.ts";

type Envelope = { from: string; to: string[] };

export interface Mail {
  n: number;
  at: number;
  from: string;
  to: string[];
  envelope: Envelope;
  messageId: string | null;
  subject: string;
  text: string;
  html: string | null;
  headers: { key: string; value: string }[];
  attachments: { filename: string | null; contentType: string }[];
}

interface StoredMail {
  mail: Mail;
  raw: Buffer;
  files: Buffer[];
  /** Its HTML, the pictures that it carries in it. */
  shown: string;
}

interface MailQuery {
  to?: string | undefined;
  subject?: string | undefined;
  min?: number;
}

type Reply = (error?: Error | null, message?: string) => void;

const MOST_MAILS = 2000;

export function makeMailbox(switches: Switches) {
  const stored: StoredMail[] = [];
  const sockets = new Set<Socket>();
  let server: SMTPServer | undefined;
  let place = { host: "127.0.0.1", port: 0 };
  let last = 0;
  let closed = false;
  let work: Promise<void> = Promise.resolve();

  async function start(): Promise<void> {
    const made = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 200,
      onAuth: (auth, _session, reply) => reply(null, { user: auth.username ?? "sandbox" }),
      onRcptTo: ({ address }, _session, reply) => reply(refusalOf(address)),
      onData: (stream, session, reply) => void receive(stream, session, reply),
    });
    made.server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve, reject) => {
      made.once("error", reject);
      made.listen(place.port, place.host, () => resolve());
    });
    made.on("error", () => {});
    place.port = (made.server.address() as AddressInfo).port;
    server = made;
  }

  async function stop(): Promise<void> {
    const stopping = server;
    server = undefined;
    if (!stopping) return;
    const ended = new Promise<void>((resolve) => stopping.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await ended;
  }

  /** Refusing connections means not listening; the port stays the same. */
  switches.onChange = () => {
    work = work.then(async () => {
      if (place.port === 0 || closed) return;
      const refuse = switches.list().some(({ name }) => name === "smtp_refuse");
      if (refuse) await stop();
      else if (!server) await start();
    });
  };

  function refusalOf(address: string): Error | null {
    const isUnknown = switches.take("smtp_550", address);
    if (isUnknown) return smtpError(550, "5.1.1 The mailbox does not exist");
    return switches.take("smtp_451", address) ? smtpError(451, "4.3.0 Try again later") : null;
  }

  async function receive(
    stream: SMTPServerDataStream,
    { envelope, remotePort }: SMTPServerSession,
    reply: Reply,
  ): Promise<void> {
    const raw = await buffer(stream).catch(() => null);
    if (!raw) return;
    const to = envelope.rcptTo.map(({ address }) => address);
    const hang = switches.amount("smtp_hang", to.join(" "));
    if (hang !== undefined) {
      setTimeout(() => reply(smtpError(421, "4.4.2 Timeout")), hang * 1000).unref();
      return;
    }
    const from = envelope.mailFrom ? envelope.mailFrom.address : "";
    await keep(raw, { from, to });
    if (!switches.take("smtp_answer_lost", to.join(" "))) reply(null, "2.0.0 Kept");
    else for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
  }

  async function keep(raw: Buffer, envelope: Envelope): Promise<void> {
    const email = await PostalMime.parse(raw);
    const { from, to = [], messageId = null, ...parsed } = email;
    last += 1;
    stored.push({
      raw,
      files: parsed.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer)),
      shown: withPictures(email),
      mail: {
        n: last,
        at: Date.now(),
        from: from?.address ?? "",
        to: to.map(({ address }) => address ?? ""),
        envelope,
        messageId,
        subject: parsed.subject ?? "",
        text: parsed.text ?? "",
        html: parsed.html ?? null,
        headers: parsed.headers,
        attachments: parsed.attachments.map(({ filename, mimeType: contentType }) => {
          return { filename, contentType };
        }),
      },
    });
    if (stored.length > MOST_MAILS) stored.shift();
  }

  function list({ to, subject = "" }: MailQuery = {}): Mail[] {
    const wanted = to?.toLowerCase();
    const isTo = (mail: Mail) => mail.envelope.to.some((one) => one.toLowerCase() === wanted);
    return stored
      .map(({ mail }) => mail)
      .filter((mail) => mail.subject.includes(subject) && (!wanted || isTo(mail)));
  }

  return {
    list,
    /** Waits until enough mails match; throws after a minute. */
    async waitFor(query: MailQuery): Promise<Mail[]> {
      const { min = 1 } = query;
      const deadline = Date.now() + 60_000;
      while (list(query).length < min) {
        if (Date.now() > deadline) {
          const there = list().map(({ envelope, subject }) => `${envelope.to}: ${subject}`);
          throw new Error(`waited for mail as ${JSON.stringify(query)} in\n${there.join("\n")}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return list(query);
    },
    find: (n: number) => stored.find(({ mail }) => mail.n === n),
    clear(): void {
      stored.length = 0;
    },
    /** Ends when a change of the refusal switch has taken effect. */
    settled: () => work,
    async listen(host: string, port: number): Promise<number> {
      place = { host, port };
      await start();
      return place.port;
    },
    async close(): Promise<void> {
      closed = true;
      await work;
      await stop();
    },
  };
}

function withPictures({ html = "", attachments }: Email): string {
  return attachments.reduce((shown, { contentId, mimeType, content }) => {
    if (!contentId) return shown;
    const bytes = Buffer.from(content as ArrayBuffer).toString("base64");
    const place = `"cid:${contentId.slice(1, -1)}"`;
    return shown.replaceAll(place, `"data:${mimeType};base64,${bytes}"`);
  }, html);
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
