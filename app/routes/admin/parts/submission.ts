import { useEffect, useState } from "react";
import {
  type DataStrategyResult,
  data,
  isRouteErrorResponse,
  type MiddlewareFunction,
  type ShouldRevalidateFunctionArgs,
  useMatches,
} from "react-router";
import { codeAndBody } from "#app/components/api-client.ts";
import { clearToast, showFailure } from "#app/components/toasts.tsx";
import { boardOf, isDialog, isOverCalendar } from "./list-search.ts";
import type { Refusal } from "./page-parts.tsx";

/** Action data in place of a response that did not come. */
interface Unanswered {
  unanswered: { form: FormData; message: string };
}

type Answers = Record<string, DataStrategyResult>;

/** The frame's client middleware, around the requests of all its pages. */
export const keepPage: MiddlewareFunction<Answers> = async ({ request }, next) => {
  if (request.method === "GET") return keepShown(new URL(request.url), await next());
  isBehindOld = true;
  const form = await request.clone().formData();
  // A notification of an earlier form must not stay over the response to this one.
  clearToast();
  const answers = await next();
  for (const [route, { result }] of unansweredOf(answers)) {
    const isSignedOut = isStatus(result, 401);
    if (isSignedOut) lose({ form, request });
    const unanswered = { form, message: isSignedOut ? SIGNED_OUT : wordsOf(result) };
    // With a success status the router would reload the page.
    const answer = data<Unanswered>({ unanswered }, { status: 503 });
    answers[route] = { type: "data", result: answer };
  }
  isAfterSubmit = Object.values(answers).some(({ result }) => result instanceof Response);
  if (isAfterSubmit) doneKey = form.get("formKey");
  return answers;
};

/** Of the form that a redirect answered last: what it asked for is done. */
let doneKey: FormDataEntryValue | null = null;

/** The key of a form in a page that stays: the same until it is done, so that a repeat is one. */
export function keyAfter(kept: string, loaded: string): string {
  return kept === doneKey ? loaded : kept;
}

/** Failed requests, except redirects and 404, which the router handles. */
function unansweredOf(answers: Answers) {
  return Object.entries(answers).filter(
    ([, { type, result }]) =>
      type === "error" &&
      !(result instanceof Response) &&
      !(isRouteErrorResponse(result) && result.status === 404),
  );
}

const TRY_AGAIN = "please submit again. What may have arrived already is not done twice.";

export const NO_ANSWER = `We could not reach our server: ${TRY_AGAIN}`;

/** The router wraps an error response of the server in a status of its own. */
function errorOf(result: unknown): unknown {
  const wrapped = typeof result === "object" && result !== null && "init" in result;
  return wrapped ? (result as { data?: unknown }).data : result;
}

function isStatus(result: unknown, status: number): boolean {
  const error = errorOf(result);
  return isRouteErrorResponse(error) && error.status === status;
}

const SIGNED_OUT =
  "Your session had ended, so nothing was done. Please send the form again to sign in; what you typed stays.";

/** A form submitted after its session had ended. */
export interface LostForm {
  form: FormData;
  request: Request;
}

let lose: (lost: LostForm) => void = () => {};

/** For the frame: the form waiting for a sign-in, or null. */
export function useLostForm() {
  const [lost, setLost] = useState<LostForm | null>(null);
  useEffect(() => {
    lose = setLost;
    return () => {
      lose = () => {};
    };
  }, []);
  return { lost, forget: () => setLost(null) };
}

function wordsOf(result: unknown): string {
  const error = errorOf(result);
  if (isRouteErrorResponse(error)) {
    // A proxy's HTML page is not readable text.
    const text = /^[^<]*$/.exec(String(error.data ?? ""))?.[0].trim();
    const said = codeAndBody(error.status, text || error.statusText || "our server did not answer");
    return error.status < 500 ? said : `${said}; ${TRY_AGAIN}`;
  }
  // The framework's message for a bug on the server.
  const isBug = error instanceof Error && error.message === "Unexpected Server Error";
  return isBug ? `${codeAndBody(500, error.message)}; ${TRY_AGAIN}` : NO_ANSWER;
}

/** True from a submission until the page behind the dialogs is loaded again. */
let isBehindOld = false;

/** For the page behind the dialogs: `loaded` is the data it loaded last. */
export function useReadBehind(loaded: unknown): void {
  useEffect(() => {
    if (loaded !== undefined) isBehindOld = false;
  }, [loaded]);
}

/**
 * Opening and closing a dialog does not reload the page behind it, unless the dialog belongs to
 * another list, or a form was submitted since the last load: navigating before its result is shown
 * aborts the reload. A page requested again is reloaded.
 */
export function revalidatesBehind({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const dialog = isDialog(currentUrl) || isDialog(nextUrl);
  const sameBoard = boardOf(currentUrl) === boardOf(nextUrl);
  const again = currentUrl.href === nextUrl.href;
  return isBehindOld || again || !dialog || !sameBoard ? defaultShouldRevalidate : false;
}

let isAfterSubmit = false;
let shown: ReturnType<typeof useMatches> = [];

/** For the frame: remembers the page shown, which stays if a load fails. */
export function useShownPage(): void {
  const matches = useMatches();
  useEffect(() => {
    shown = matches;
  }, [matches]);
}

/** Data that is already shown stays if it cannot be reloaded. */
function keepShown(url: URL, answers: Answers): Answers {
  const unanswered = unansweredOf(answers);
  // An account that may not see the page must not keep what it showed.
  if (unanswered.some(([, { result }]) => isStatus(result, 403))) return answers;
  for (const [route] of unanswered) {
    const match = shown.find(({ id }) => id === route);
    if (match?.loaderData === undefined || !isOf(match, url)) continue;
    answers[route] = { type: "data", result: match.loaderData };
  }
  if (unanswered.length > 0 && (isAfterSubmit || unansweredOf(answers).length === 0)) {
    showFailure("Page Not Loaded", isAfterSubmit ? RESULT_NOT_LOADED : NOT_LOADED);
  }
  isAfterSubmit = false;
  return answers;
}

const RESULT_NOT_LOADED =
  "What you submitted has arrived. Only the page with its result was not loaded: please reload it.";
const NOT_LOADED =
  "We could not reach our server. What you see is from before: please check your connection and try again.";

/** For a dialog the search counts too: it has the day that is shown. */
function isOf({ pathname: path }: { pathname: string }, { pathname, search }: URL): boolean {
  if (isDialog({ pathname: path }) && search !== location.search) return false;
  // The list and the calendar are one page for the router.
  const isOther = isOverCalendar(location) !== isOverCalendar({ pathname, search });
  if (/^\/admin\/?$/i.test(path) && isOther) return false;
  return `${pathname}/`.startsWith(path.replace(/\/*$/, "/"));
}

type Shown<T> = T extends unknown
  ? Partial<Omit<T, "refusal">> & { refusal: Refusal | null }
  : never;

type Title = string | ((form: FormData) => string);

/** The refusal to show if a form got no response from the server; `title` says what failed. */
export function unansweredRefusal(given: object | undefined, title: Title): Refusal | null {
  if (!given || !("unanswered" in given)) return null;
  const { form, message } = (given as Unanswered).unanswered;
  return { title: typeof title === "string" ? title : title(form), message };
}

/** The response to a page's last form; if none came, the previous one with a refusal. */
export function useAnswer<T extends object>(
  given: T | undefined,
  title: Title,
): Shown<T> | undefined {
  const [before, setBefore] = useState<T>();
  const refusal = unansweredRefusal(given, title);
  if (refusal) return { ...before, reply: null, refusal } as unknown as Shown<T>;
  if (before !== given) setBefore(given);
  return given as Shown<T> | undefined;
}
