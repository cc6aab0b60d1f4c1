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
import type { Refusal } from "./notice.tsx";

/** Stands in the place of an answer that did not come. */
interface Unanswered {
  unanswered: { form: FormData; message: string };
}

type Answers = Record<string, DataStrategyResult>;

/** The frame's middleware in the browser, around the calls of all pages within. */
export const keepPage: MiddlewareFunction<Answers> = async ({ request }, next) => {
  if (request.method === "GET") return keepShown(new URL(request.url), await next());
  isBehindOld = true;
  const form = await request.clone().formData();
  // What was said of the form before does not stand over the answer to this one.
  clearToast();
  const answers = await next();
  for (const [route, { result }] of unansweredOf(answers)) {
    const isSignedOut = isStatus(result, 401);
    if (isSignedOut) lose({ form, request });
    const unanswered = { form, message: isSignedOut ? SIGNED_OUT : wordsOf(result) };
    // With a status of success the router would load the page anew.
    const answer = data<Unanswered>({ unanswered }, { status: 503 });
    answers[route] = { type: "data", result: answer };
  }
  isAfterSubmit = Object.values(answers).some(({ result }) => result instanceof Response);
  return answers;
};

/** Without redirects and what is not found: the router has a page for these. */
function unansweredOf(answers: Answers) {
  return Object.entries(answers).filter(
    ([, { type, result }]) =>
      type === "error" &&
      !(result instanceof Response) &&
      !(isRouteErrorResponse(result) && result.status === 404),
  );
}

const TRY_AGAIN = "please press again. What may have arrived already is not done twice.";

export const NO_ANSWER = `We could not reach our server: ${TRY_AGAIN}`;

/** The router puts its status around what our server answers. */
function errorOf(result: unknown): unknown {
  const wrapped = typeof result === "object" && result !== null && "init" in result;
  return wrapped ? (result as { data?: unknown }).data : result;
}

/** The account may not see the page any more, so what stood there goes. */
function isRefused([, { result }]: [string, DataStrategyResult]): boolean {
  return isStatus(result, 403);
}

function isStatus(result: unknown, status: number): boolean {
  const error = errorOf(result);
  return isRouteErrorResponse(error) && error.status === status;
}

const SIGNED_OUT =
  "Your session had ended, so nothing was done. Please send the form again to sign in; what you typed stays.";

/** A form that was sent after its session had ended. */
export interface LostForm {
  form: FormData;
  request: Request;
}

let lose: (lost: LostForm) => void = () => {};

/** For the frame: the form that waits for a sign-in, or null. */
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
    // Neither a proxy's page nor an object is text to read.
    const text = /^[^<]*$/.exec(String(error.data ?? ""))?.[0].trim();
    const said = codeAndBody(error.status, text || error.statusText || "no answer of ours");
    return error.status < 500 ? said : `${said}; ${TRY_AGAIN}`;
  }
  // What the framework makes of a bug on the server.
  const isBug = error instanceof Error && error.message === "Unexpected Server Error";
  return isBug ? `${codeAndBody(500, error.message)}; ${TRY_AGAIN}` : NO_ANSWER;
}

/** True from a submission until what is behind the dialogs was read anew. */
let isBehindOld = false;

/** For what stands behind the dialogs: `read` is what was read of it last. */
export function useReadBehind(read: unknown): void {
  useEffect(() => {
    if (read !== undefined) isBehindOld = false;
  }, [read]);
}

/**
 * Opening and closing a dialog leaves what is behind it as it is, unless it belongs to another list
 * or was not read since a form was sent: who goes on before its result is shown stops the reading. A
 * page asked for anew is read anew.
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

/** For the frame: what stays where a load fails. */
export function useShownPage(): void {
  const matches = useMatches();
  useEffect(() => {
    shown = matches;
  }, [matches]);
}

/** What is shown already stays where it cannot be loaded anew. */
function keepShown(url: URL, answers: Answers): Answers {
  const unanswered = unansweredOf(answers);
  if (unanswered.some(isRefused)) return answers;
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
  "Your press arrived. Only the page that shows its result did not come: please reload it.";
const NOT_LOADED =
  "We could not reach our server. What you see is from before: please check your connection and try again.";

/** A dialog belongs to its search too, which has the day that is looked at. */
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

/** What is said where a form got no answer of ours; `title` says what failed. */
export function unansweredRefusal(given: object | undefined, title: Title): Refusal | null {
  if (!given || !("unanswered" in given)) return null;
  const { form, message } = (given as Unanswered).unanswered;
  return { title: typeof title === "string" ? title : title(form), message };
}

/** What a page shows of the answer to its last form: without one, still that of the form before. */
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
