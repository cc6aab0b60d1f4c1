/** What is asked of WhatsApp, and what each of its answers means for the message. */
import { afterEach, expect, it, vi } from "vitest";
import { createWhatsAppSender } from "./whatsapp-sender.server.ts";

afterEach(() => void vi.restoreAllMocks());

const config = {
  apiUrl: "https://graph.example",
  apiVersion: "v1",
  phoneNumberId: "77",
  token: "secret",
  appSecret: "a",
  verifyToken: "v",
  templatePrefix: "cb_",
  language: "en",
};
const message = { messageId: "m", to: "+919845012345", template: "reminder_1h", parameters: ["A"] };

/** Sends the message to a server that gives this answer, or fails so. */
async function sent(answer: Response | Error, to = message.to) {
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const limits = vi.spyOn(AbortSignal, "timeout");
  const sender = createWhatsAppSender(config as never);
  const result = await sender.send({ ...message, to }, new AbortController().signal);
  return { result, asked: asked.mock.calls, limits: limits.mock.calls };
}

const answer = (status: number, body: unknown) =>
  ({
    status,
    text: async () => (typeof body === "string" ? body : JSON.stringify(body)),
  }) as Response;
const accepted = { messages: [{ id: "wamid.1" }, { id: "wamid.2" }] };
const refused = (code: number, more: object = {}) => ({ error: { code, ...more } });

it("asks for a template with its parameters, within ten seconds", async () => {
  const { result, asked, limits } = await sent(answer(200, accepted));
  expect(result).toEqual({ outcome: "sent", transportId: "wamid.1" });
  expect(limits).toEqual([[10_000]]);
  const [[url, { signal: _, body, ...options }]] = asked as never as [[string, RequestInit]];
  expect(url).toBe("https://graph.example/v1/77/messages");
  expect(options).toEqual({
    method: "POST",
    redirect: "error",
    headers: { Authorization: "Bearer secret", "Content-Type": "application/json" },
  });
  expect(JSON.parse(String(body))).toEqual({
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: message.to,
    type: "template",
    biz_opaque_callback_data: "m",
    template: {
      name: "cb_reminder_1h",
      language: { code: "en" },
      components: [{ type: "body", parameters: [{ type: "text", text: "A" }] }],
    },
  });
});

const ANSWERS: Record<string, Response | Error> = {
  "at the end of success": answer(299, accepted),
  "one message of a short id": answer(200, { messages: [{ id: "w" }] }),
  "an empty list": answer(200, { messages: [] }),
  "an empty id": answer(200, { messages: [{ id: "" }] }),
  "a page": answer(200, "<html>"),
  "success below its range": answer(199, accepted),
  "success above its range": answer(300, accepted),
  "a refusal that waits": answer(400, refused(80007, { message: "Wait" })),
  "a refusal with details": answer(
    400,
    refused(132001, { message: "M", error_data: { details: "D".repeat(300) } }),
  ),
  "a refusal without words": answer(500, refused(190)),
  "a fault of the network": new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }),
  "a fault without a code": new TypeError("x"),
};

it("each answer makes this of the message, in 300 characters at most", async () => {
  const lines: string[] = [];
  for (const [name, given] of Object.entries(ANSWERS)) {
    const { result } = await sent(given);
    if ("error" in result) expect(result.error.length).toBeLessThanOrEqual(300);
    lines.push(`${name}: ${JSON.stringify(result)}`);
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-whatsapp-answers.txt");
});

it("a fault that is no error is unknown", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue("a word");
  const sender = createWhatsAppSender(config as never);
  const result = await sender.send(message, new AbortController().signal);
  expect(result).toMatchObject({ outcome: "retry", error: "No answer: unknown fault" });
});

it("asks nothing for a number without its country's code", async () => {
  const { result, asked } = await sent(answer(200, accepted), "98450");
  expect([result, asked]).toMatchObject([{ outcome: "park", code: "NUMBER" }, []]);
});
