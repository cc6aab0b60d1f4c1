/** Names of fields that no form of ours has: refused before anything makes lists or objects of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { book } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { longestWaitWhile } from "#tests/support/other-client.ts";

const K = 1024;
/** Those that a form parser might misread; more are tested beside `app/http/form.ts`. */
const HOSTILE = [
  ...["notes[99999999]", "__proto__.x", "__intent__", "", "\u0000", "\ud800"],
  ...["a.".repeat(9_000), "a[0]".repeat(7_000)],
];
/** Thousands of fields in the 64 KiB that a form may have. */
const FLOODS = ["a&", "email&", "notes[9]=1&", "a.b=1&", "%61&", "&"].map((part) =>
  part.repeat((64 * K) / part.length),
);

const app = sharedApp({ separateProcess: true });
let id: string;
beforeAll(async () => {
  ({ id } = await book(app, { date: dayAhead(8) }));
});

interface Answer {
  status: number;
  text: string;
}

async function post(path: string, body: string | FormData, accept = "text/html"): Promise<Answer> {
  const response = await fetch(app.origin + path, {
    method: "POST",
    body,
    headers: {
      Accept: accept,
      ...(typeof body === "string" && { "Content-Type": "application/x-www-form-urlencoded" }),
    },
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, text: await response.text() };
}

describe("a form with names that are not its own", () => {
  const forms = ["/", "/find-booking", "/admin"];
  it.each(forms)("is refused at %s at once, and nobody else waits", async (path) => {
    const data = path === "/" ? "/_.data?index" : `${path}.data`;
    const sendAll = async () => {
      for (const name of HOSTILE) {
        const label = `${path} ${name.slice(0, 20)}`;
        const text = new URLSearchParams([
          ["email", "meera@example.in"],
          [name, `{"type":"validate"}`],
        ]).toString();
        const form = new FormData();
        form.append(name, "1");
        const page = await post(path === "/" ? "/?index" : path, text);
        expect(page.status, label).toBe(400);
        expect(page.text, label).toContain("This form is not the one on our page.");
        expect(page.text, label).toContain("<title>");
        const fetched = await post(data, text, "*/*");
        expect([fetched.status, fetched.text.includes("<")], label).toEqual([400, false]);
        // A browser's FormData cannot say the empty name in a way that is read back.
        if (name.trim() !== "") expect((await post(path, form)).status, label).toBe(400);
      }
      for (const flood of FLOODS) {
        const answer = await post(path, flood);
        expect(answer.status, flood.slice(0, 8)).toBe(400);
      }
    };
    expect(await longestWaitWhile(app, sendAll)).toBeLessThan(1_000);
  });

  it("is refused too when a name of its own comes again", async () => {
    for (const [path, body] of [
      ["/find-booking", "email=meera%40example.in&email=x%40example.in"],
      ["/?index", "name=Meera&name=Other"],
      ["/admin", "username=a&password=b&password=c"],
      ["/admin/slots", "counselor=a&counselor=b"],
      ["/booking/a%2Fb/cancel", "notes[99999999]=1"],
    ] as const) {
      expect((await post(path, body)).status, path).toBe(400);
    }
  });

  it("is answered by a page that has no form as any post is", async () => {
    for (const [path, status] of [
      ["/privacy", 405],
      [`/booking/${id}`, 405],
      ["/nothing", 404],
    ] as const) {
      const answer = await post(path, "notes=1");
      expect(answer.status, path).toBe(status);
    }
  });
});

describe("the names of the payment provider", () => {
  it("are read one by one and make nothing but themselves", async () => {
    const form = {
      "error[code]": "BAD_REQUEST_ERROR",
      "error[description]": "The payment was declined",
      "error[metadata]": `{"order_id":"order_x"}`,
      "notes[99999999]": "1",
      "__proto__.x": "1",
    };
    const work = async () => {
      const answer = await app.api(`/payments/callback?booking=${id}`, { form });
      expect(answer.led).toEqual([303, `/booking/${id}?payment=failed`]);
      for (const flood of FLOODS) {
        const flooded = await post(`/payments/callback?booking=${id}`, flood);
        expect(flooded.status, flood.slice(0, 8)).toBe(400);
      }
    };
    expect(await longestWaitWhile(app, work)).toBeLessThan(1_000);
  });
});

describe("a call", () => {
  it("whose JSON is nested without end or names what every object has is refused", async () => {
    const deep = (open: string, close: string) => {
      const times = (64 * K - 200) / (open.length + close.length);
      return `${open.repeat(times)}1${close.repeat(times)}`;
    };
    const values = [
      deep("[", "]"),
      deep('{"a":', "}"),
      deep('{"__proto__":', "}"),
      '{"toString":1}',
    ];
    const bodies = [
      ...["[".repeat(64 * K), '{"":'.repeat(16_000), ...values, '{"__proto__":{"email":"x"}}'],
      ...values.map((value) => `{"name":${value}}`),
      ...values.map(
        (value) => `{"appointmentId":${value},"email":${value.length > 99 ? 1 : value}}`,
      ),
      `{${Array.from({ length: 5_000 }, (_, i) => `"${i}":1`).join()}}`,
    ];
    const work = async () => {
      for (const path of ["appointments", "payments/verify", "admin/login"]) {
        for (const body of bodies) {
          const answer = await app.api(`/api/${path}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "Idempotency-Key": "one-of-tests" },
            body: body.slice(0, 64 * K),
          });
          expect(answer.httpStatus, `${path} ${body.slice(0, 20)}`).toBe(400);
        }
      }
      for (const path of ["razorpay", "whatsapp"]) {
        const answer = await app.api(`/webhooks/${path}?hub.mode=subscribe`, {
          method: "POST",
          body: bodies[0],
        });
        expect(answer.httpStatus, path).toBeLessThan(500);
      }
    };
    expect(await longestWaitWhile(app, work)).toBeLessThan(1_000);
  });
});
