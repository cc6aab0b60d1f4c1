/** The SMTP sink: keeps every mail raw and parsed, and refuses as a relay does. */
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { Switches } from "./switches.ts";

type Envelope = { from: string; to: string[] };
type StoredMail = ReturnType<typeof storedMail>;
export type Mail = StoredMail["mail"];

interface MailQuery {
  to?: string | undefined;
  subject?: string | undefined;
  min?: number;
}

const MOST_MAILS = 2000;

export function makeMailbox(switches: Switches) {
  const stored: StoredMail[] = [];
  const sockets = new Set<Socket>();
  let server: SMTPServer | undefined;
  let port = 0;
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
    made.on("error", () => {});
    await once(made.listen(port, "127.0.0.1"), "listening");
    port = (made.server.address() as AddressInfo).port;
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

  /** To refuse connections the server stops listening; it comes back on the same port. */
  switches.onChange = () => {
    work = work.then(async () => {
      if (port === 0 || closed) return;
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
    reply: (error?: Error | null, message?: string) => void,
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
    const email = await PostalMime.parse(raw);
    last += 1;
    stored.push(storedMail(last, { from, to }, raw, email));
    if (stored.length > MOST_MAILS) stored.shift();
    if (!switches.take("smtp_answer_lost", to.join(" "))) reply(null, "2.0.0 Kept");
    else for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
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
    /** Answers the port; 0 asks for a free one. */
    async listen(wanted: number): Promise<number> {
      port = wanted;
      await start();
      return port;
    },
    async close(): Promise<void> {
      closed = true;
      await work;
      await stop();
    },
  };
}

function storedMail(n: number, envelope: Envelope, raw: Buffer, email: Email) {
  const { from, to = [], messageId = null, subject = "", text = "", html = null } = email;
  const mail = {
    n,
    at: Date.now(),
    from: from?.address ?? "",
    to: to.map(({ address }) => address ?? ""),
    envelope,
    messageId,
    subject,
    text,
    html,
    headers: email.headers,
    attachments: email.attachments.map(({ filename, mimeType: contentType }) => {
      return { filename, contentType };
    }),
  };
  const files = email.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));
  return { mail, raw, files, shown: withPictures(email) };
}

/** Its HTML, with the pictures that came with it inside. */
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
