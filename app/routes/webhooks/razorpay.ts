import { api, failureJson, successJson } from "#app/api-contract/api.server.ts";
import { recordEvent } from "#app/payments/provider-events.server.ts";

const route = api({
  async POST({ deps, request }) {
    const recorded = recordEvent(deps, {
      body: new Uint8Array(await request.arrayBuffer()),
      signature: request.headers.get("x-razorpay-signature"),
      eventId: request.headers.get("x-razorpay-event-id"),
    });
    return recorded.ok ? successJson({}) : failureJson(recorded);
  },
});

export const loader = route;
export const action = route;
