import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import type { OutgoingMail } from "#app/core/services.ts";
import { listening } from "#tests/support/listening.ts";
import { createMailSender, openTransport } from "./mail-sender.server.ts";

const optionsOf = (url: string) => {
  const transport = openTransport(new URL(url));
  transport.close();
  return transport.options as Record<string, unknown>;
};

it("mail goes out by TLS alone, but to a relay on this machine", () => {
  const bySecond = { secure: false, requireTLS: true, port: 587 };
  expect(optionsOf("smtp://user:pass@mail.example.in")).toMatchObject(bySecond);
  expect(optionsOf("smtps://mail.example.in")).toMatchObject({ secure: true, port: 465 });
  expect(optionsOf("smtp://127.0.0.1:2525")).toMatchObject({ secure: false, ignoreTLS: true });
  for (const url of ["smtp://mail.example.in", "smtps://mail.example.in", "smtps://127.0.0.1"]) {
    expect(optionsOf(url)).not.toHaveProperty("ignoreTLS");
    expect(optionsOf(url)).not.toHaveProperty("tls");
  }
  expect(optionsOf("smtps://a.example.in")).not.toHaveProperty("requireTLS");
});

it("a connection bears the names in its address, its limits, and no way to files or pages", () => {
  expect(optionsOf("smtp://us%40er:p%3Ass@[::1]:2525")).toMatchObject({
    pool: true,
    host: "::1",
    port: 2525,
    auth: { user: "us@er", pass: "p:ss" },
    maxConnections: 5,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
  expect(optionsOf("smtp://a.example.in")).not.toHaveProperty("auth");
});

const business = { name: "Sample", email: "owner@captains.example" };

/** Sends one mail to a server that answers these commands so, or hangs up where it says null. */
async function sendTo(answers: Record<string, string | null>, changes: Partial<OutgoingMail> = {}) {
  let connections = 0;
  const lines: string[] = [];
  const server = createServer((socket) => {
    connections += 1;
    const say = (command: string) => {
      const answer = { hello: "220 hello", EHLO: "250-test\r\n250 AUTH PLAIN", ...answers }[
        command
      ];
      if (answer === null) socket.end();
      else socket.write(`${answer ?? "250 OK"}\r\n`);
    };
    let inText = false;
    createInterface(socket.on("error", () => {})).on("line", (line) => {
      lines.push(line);
      if (inText && line !== ".") return;
      inText = line === "DATA" && answers.DATA?.startsWith("354") === true;
      say(line.slice(0, 4));
    });
    say("hello");
  });
  const smtpUrl = `smtp://user:pass@127.0.0.1:${await listening(server)}`;
  const sender = createMailSender({ smtpUrl, mailFrom: "a@captains.example", business });
  const mail = {
    to: { name: "Asha", address: "asha@example.in" },
    messageId: "m1",
    subject: "Confirmed",
    text: "Confirmed",
    html: "<p>Confirmed</p>",
    thread: null,
    ...changes,
  } as OutgoingMail;
  const result = await sender.send(mail, AbortSignal.timeout(10_000));
  sender.close();
  server.close();
  return { result, connections, lines };
}

const TAKEN = { AUTH: "235 yes", DATA: "354 go on" };
it("a mail that is taken is known by its own id", async () => {
  const { result } = await sendTo(TAKEN);
  expect(result).toEqual({ outcome: "sent", transportId: "<m1@captains.example>" });
});

it("a mail answers the root of its thread, and none where it has no thread", async () => {
  const rootOf = async (thread: string | null) => {
    const { lines } = await sendTo(TAKEN, { thread });
    return lines.filter((line) => /^(In-Reply-To|References): /.test(line));
  };
  const root = "<booking@captains.example>";
  expect(await rootOf("booking")).toEqual([`In-Reply-To: ${root}`, `References: ${root}`]);
  expect(await rootOf(null)).toEqual([]);
});

const ALERTS_OWNER = { outcome: "retry", alert: true };
it.each<[string, Record<string, string>, object]>([
  ["the sign-in, for good", { AUTH: "535 5.7.8 no" }, ALERTS_OWNER],
  ["the sign-in, for now", { AUTH: "454 4.7.0 later" }, ALERTS_OWNER],
  ["the sender, for good", { AUTH: "235 yes", MAIL: "550 5.7.1 no" }, ALERTS_OWNER],
  ["the sender, for now", { AUTH: "235 yes", MAIL: "451 4.7.1 later" }, { outcome: "retry" }],
  ["the recipient, for now", { AUTH: "235 yes", RCPT: "450 4.2.1 later" }, { outcome: "retry" }],
  ["the text, for good", { AUTH: "235 yes", DATA: "550 5.7.1 spam" }, ALERTS_OWNER],
  ["the whole mail, for good", { ...TAKEN, ".": "550 5.7.1 spam" }, { outcome: "park" }],
  ["the whole mail, for now", { ...TAKEN, ".": "451 4.7.1 later" }, { outcome: "retry" }],
  ["the recipient, for good", { AUTH: "235 yes", RCPT: "550 5.1.1 no" }, { outcome: "park" }],
])("a server that refuses %s", async (_, answers, expected) => {
  const { result } = await sendTo(answers);
  expect(result).toEqual({ code: expect.any(String), error: expect.any(String), ...expected });
});

it.each(["hello", "EHLO", "AUTH", "MAIL"])(
  "a mail whose connection ends at %s is tried once: only the outbox tries again",
  async (moment) => {
    const { result, connections } = await sendTo({ AUTH: "235 yes", [moment]: null });
    expect(result.outcome).toBe("retry");
    expect(connections).toBe(1);
  },
);

it("of a long answer, the owner reads the first 300 characters", async () => {
  const { result } = await sendTo({ AUTH: `454 4.7.0 ${"busy ".repeat(200)}` });
  expect(result).toMatchObject({ error: expect.stringMatching(/^EAUTH 454: .{289}$/) });
});

it("mail waits while no server is named", async () => {
  const sender = createMailSender({ smtpUrl: "", mailFrom: "a@captains.example", business });
  const sent = sender.send({} as OutgoingMail, AbortSignal.timeout(1_000));
  expect(await sent).toMatchObject({ outcome: "retry", code: "ECONFIG" });
});

it("a recipient that is no address is refused unasked", async () => {
  const smtpUrl = "smtp://127.0.0.1:9";
  const sender = createMailSender({ smtpUrl, mailFrom: "a@captains.example", business });
  const mail = { to: { name: "", address: "a@b@c" } } as OutgoingMail;
  const sent = await sender.send(mail, AbortSignal.timeout(1_000));
  expect(sent).toMatchObject({ outcome: "park", code: "ADDRESS" });
});
