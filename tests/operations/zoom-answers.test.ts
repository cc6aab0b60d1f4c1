/** What Zoom answers now and then: a token withdrawn, a host who left, other people's odd meetings. */
import { afterEach, expect, it, vi } from "vitest";
import { UNANSWERED } from "#app/core/services.ts";
import { createZoom } from "#app/session-rooms/zoom.server.ts";

type Answer = [status: number, body: object];

const { signal } = new AbortController();
let asked: string[] = [];
/** Answers what is asked after a token in this order. */
function zoomThat(...answers: Answer[]) {
  asked = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.includes("/oauth/") ? "token" : "call");
    if (asked.at(-1) === "token") return Response.json({ access_token: "t", expires_in: 3600 });
    const [status, body] = answers.shift()!;
    return Response.json(body, { status });
  });
  return createZoom({
    accountId: "account",
    clientId: "client",
    clientSecret: "secret",
    apiUrl: "https://zoom.example/v2",
    oauthUrl: "https://zoom.example/oauth/token",
  });
}
const user: Answer = [200, { type: 2 }];
const mine = { id: 5, join_url: "https://zoom.example/j/5", agenda: "key" };
const listOf = (...meetings: unknown[]): Answer => [200, { meetings, next_page_token: "" }];

afterEach(() => vi.unstubAllGlobals());

it("a token that was withdrawn is replaced with the next try", async () => {
  const zoom = zoomThat(user, [401, { code: 124 }], user, user);
  await zoom.hostState("a@b.example");
  await expect(zoom.hostState("a@b.example")).rejects.toMatchObject({ code: "zoom 124" });
  expect(await zoom.hostState("a@b.example")).toBe("licensed");
  await zoom.hostState("a@b.example");
  expect(asked).toEqual(["token", "call", "call", "token", "call", "call"]);
});

it("a host who is no user any more has no meetings", async () => {
  const find = (...answers: Answer[]) => zoomThat(...answers).find("a@b.example", "key", signal);
  expect(await find([404, { code: 1001 }])).toEqual([]);
  await expect(find([404, { code: 3001 }])).rejects.toMatchObject({ code: "zoom 3001" });
});

it("the host's link of a meeting that is gone is no silence", async () => {
  const ask = (...answer: Answer) => zoomThat(answer).hostLink("5");
  expect(await ask(200, { start_url: "https://zoom.example/s/5" })).toContain("/s/5");
  for (const code of [3001, 1001]) expect(await ask(404, { code })).toBeNull();
  await expect(ask(400, { code: 4711 })).rejects.toMatchObject({ code: "zoom 4711" });
});

it.each([
  [{ id: 1 }],
  [{ id: 1, join_url: "nowhere", agenda: "another" }],
  [{ id: 1, join_url: "ftp://zoom.example/j/1", agenda: 7 }],
  [null],
])("%j of somebody else does not hide ours", async (odd) => {
  const zoom = zoomThat(listOf(odd, mine));
  expect(await zoom.find("a@b.example", "key", signal)).toEqual([
    { id: "5", joinUrl: mine.join_url },
  ]);
});

it.each(["nowhere", "https://", 7])(
  "ours with the link %j counts as no answer",
  async (join_url) => {
    const zoom = zoomThat(listOf({ ...mine, join_url }), [201, { ...mine, join_url }]);
    const refused = { code: UNANSWERED, message: "an answer of another form" };
    await expect(zoom.find("a@b.example", "key", signal)).rejects.toMatchObject(refused);
    const session = { key: "key", title: "A session", startsAt: 0, minutes: 30 };
    await expect(zoom.make("a@b.example", session, signal)).rejects.toMatchObject(refused);
  },
);
