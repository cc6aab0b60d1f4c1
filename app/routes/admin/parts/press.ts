/** A press that brings no answer of ours says so, and leaves the page and what was typed in it. */
import { useState } from "react";
import { data, isRouteErrorResponse } from "react-router";
import { codeAndBody } from "#app/components/api-client.ts";
import type { Refusal } from "./notice.tsx";

interface Unanswered {
  unanswered: Refusal;
}

interface Press<T> {
  request: Request;
  serverAction: () => Promise<T>;
}

export const NO_ANSWER =
  "We could not reach our server. What you sent may have arrived all the same: please look before you press again.";

/** For the `clientAction` of a page; `title` says what failed. */
export async function press<T>(
  { request, serverAction }: Press<T>,
  title: (form: FormData) => string,
) {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    // A way on, or a thing that is gone: the router knows a page for it.
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status === 404)) {
      throw error;
    }
    const unanswered = { title: title(form), message: wordsOf(error) };
    // With a status of success the router would load the page anew.
    return data<Unanswered>({ unanswered }, { status: 503 });
  }
}

function wordsOf(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    // Neither a proxy's page nor an object is text to read.
    const text = /^[^<]*$/.test(String(error.data ?? "")) ? String(error.data ?? "") : "";
    return codeAndBody(error.status, text.trim(), error.statusText);
  }
  // What the framework makes of a bug on the server.
  if (error instanceof Error && error.message === "Unexpected Server Error") {
    return codeAndBody(500, error.message);
  }
  return NO_ANSWER;
}

type Shown<T> = T extends Unanswered
  ? never
  : Partial<Omit<T, "refusal">> & { refusal: Refusal | null };

/** What a page shows of the answer to its last press: without one, still that of the press before. */
export function useAnswer<T extends object>(
  given: T | Unanswered | undefined,
): Shown<T> | undefined {
  const [before, setBefore] = useState<T>();
  if (given && "unanswered" in given) {
    return { ...before, reply: null, refusal: given.unanswered } as unknown as Shown<T>;
  }
  if (before !== given) setBefore(given);
  return given as Shown<T> | undefined;
}
