/**
 * Makes loader and action of a screen with forms: typed values, concurrent edits, idempotency,
 * redirects with a notice. A screen gives what it is about, what it shows, and for each form its
 * fields, its operation and its texts.
 */
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import type { z } from "zod";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { runOnce } from "#app/core/change.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { areExpected } from "#app/http/form.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import { isId, newId } from "#app/model/ids.ts";
import {
  type Failure,
  type FieldErrors,
  failure,
  invalid,
  type Outcome,
  STATUS_OF_CODE,
  success,
} from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import {
  type Merged,
  mergedForm,
  parseForm,
  type Reply,
  SECRETS,
  sentFor,
  type Typed,
  UNSENT,
  type Values,
} from "./form-data.ts";
import { type GivenNotice, goOn, type HeaderList, OF_ANOTHER, typedOf } from "./forms.server.ts";
import { listSearchOf } from "./list-search.ts";
import type { Refusal } from "./page-parts.tsx";

/** For a route's `Route.LoaderArgs`. */
interface RouteArgs {
  params: object;
}

export interface Asked<Args extends RouteArgs = RouteArgs>
  extends Omit<LoaderFunctionArgs, "params"> {
  params: Args["params"];
  deps: Deps;
  actor: ReturnType<typeof actorOf>;
  listSearch: string;
}

export interface Shown<Args extends RouteArgs, About> extends Asked<Args> {
  about: About;
  /** Values from the address or the submitted form, without secrets. */
  typed: Typed;
  /** Null unless a form was submitted. */
  form: FormData | null;
  refused: Failure | null;
}

export interface Sent<Args extends RouteArgs, About> extends Asked<Args> {
  about: About;
  typed: Typed;
  form: FormData;
  /** Which of the screen's forms was submitted. */
  intent: string;
  /**
   * Does `work` once, however often the form is submitted. `call` names the operation and its
   * object. A repeat returns the id of the first run, by default the one in the path.
   */
  once<T>(
    call: string,
    input: Record<string, unknown>,
    work: () => Outcome<T>,
    idOf?: (value: T) => string,
  ): Outcome<string>;
}

/** The page to redirect to, with or without a notice, or what to show on this page. */
type Next<More> =
  | (Partial<GivenNotice> & { to: string; headers?: HeaderList })
  | { to?: undefined; notice?: GivenNotice; more?: More };

interface FormGiven<Args extends RouteArgs, About, Schema extends z.ZodType, T, More> {
  fields: Schema;
  /** Coerces fields to the schema: a single ticked checkbox to a list, or to true. */
  lists?: boolean;
  /** Renames the form's fields to those of the schema. */
  rename?: (form: FormData) => FormData;
  run: (input: z.output<Schema>, sent: Sent<Args, About>) => Outcome<T> | Promise<Outcome<T>>;
  /** The title of a refusal, and of a submission without a response. */
  failed: string;
  /** The title of a submission without a response, if it differs. */
  unanswered?: string;
  failedBy?: (failure: Failure) => string | null;
  done: (value: T, sent: Sent<Args, About>) => Next<More> | Promise<Next<More>>;
  /** What to show beside a refusal. */
  beside?: (failure: Failure, sent: Sent<Args, About>) => More | null;
  /** The saved values, for a form that keeps typed ones after another admin has saved. */
  saved?: (sent: Sent<Args, About>) => Values;
  /** What another admin saved replaces what was typed. */
  savedWins?: boolean;
}

/** What a page shows after a submission. */
export interface Answer<View, More> {
  refusal: Refusal | null;
  reply: Reply | null;
  intent: string;
  typed: Typed;
  view: View;
  merged: Merged<Values> | null;
  /** What was done, if the page stays. */
  notice: GivenNotice | null;
  more: More | null;
}

type Answered<View, More> =
  | Response
  | Answer<View, More>
  | ReturnType<typeof data<Answer<View, More>>>;

interface SentForm<Args extends RouteArgs, View, More> {
  failed: string;
  /** Shows the form again with what was typed, and does nothing. */
  refilled(asked: Asked<Args>, form: FormData, intent: string): Promise<Answer<View, More>>;
  submit(asked: Asked<Args>, form: FormData, intent: string): Promise<Answered<View, More>>;
}

interface Screen<Args extends RouteArgs, About, View> {
  /** Shown to anybody with its address: there is no signed-in account, and no `actor`. */
  isOpen?: boolean;
  /** Throws an error page if the object does not exist or may not be seen. */
  find?: (asked: Asked<Args>) => About | Promise<About>;
  view: (shown: Shown<Args, About>) => View;
}

/**
 * `form` defines one of a screen's forms; `page` makes loader and action of several, `one` of a
 * single one. A submission that names none of them is one of the first.
 */
export function screen<Args extends RouteArgs, About, View>(given: Screen<Args, About, View>) {
  const find = given.find ?? (() => undefined as About);

  function form<Schema extends z.ZodType, T, More = never>(
    of: FormGiven<Args, About, Schema, T, More>,
  ): SentForm<Args, View, More> {
    const sentOf = async (asked: Asked<Args>, form: FormData, intent: string) => {
      const typed = typedOf(form);
      const once: Sent<Args, About>["once"] = (call, body, work, idOf) => {
        const { id } = asked.params as { id?: string };
        const made = (value: Parameters<NonNullable<typeof idOf>>[0]) => ({
          appointmentId: idOf?.(value) ?? String(id),
        });
        const done = runOnce(asked.deps, { key: keyOf(form), call, body }, work, made);
        if (done.ok) return success(done.value.appointmentId);
        return done.code === "idempotency_conflict" ? DONE_ALREADY : done;
      };
      const sent = { ...asked, about: await find(asked), typed, form, intent, once };
      // Texts stay as typed, also empty ones.
      const submission = parseWithZod(of.rename?.(form) ?? form, {
        schema: of.fields,
        disableAutoCoercion: !of.lists,
      });
      const shown = async (refused: Failure | null) => {
        // Read again: this form or another admin may have changed it.
        const now = { ...sent, about: await find(asked), refused };
        return { intent, typed, view: given.view(now), now };
      };
      const refusedBy = async (failure: Failure, title = of.failedBy?.(failure) ?? of.failed) => {
        const { now, ...shownNow } = await shown(failure);
        const { code, message, errors } = failure;
        const stale = code === "stale";
        const isReplaced = stale && of.savedWins && !of.saved;
        const faults = errors ? { fieldErrors: errors } : {};
        const reply = submission.reply({ hideFields: SECRETS, ...faults });
        return {
          refusal: { title, message: isReplaced ? `${message} ${REPLACED}` : message },
          reply: stale && of.savedWins ? null : reply,
          ...shownNow,
          merged: of.saved ? mergedForm(form, of.saved(now), stale) : null,
          notice: null,
          more: of.beside?.(failure, sent) ?? null,
        };
      };
      return { sent, submission, shown, refusedBy };
    };
    const submit = async (asked: Asked<Args>, form: FormData, intent: string) => {
      const { sent, submission, shown, refusedBy } = await sentOf(asked, form, intent);
      const done =
        submission.status === "success"
          ? await of.run(submission.value, sent)
          : invalid((submission.error ?? {}) as FieldErrors);
      if (!done.ok) {
        const status = STATUS_OF_CODE[done.code];
        return data(await refusedBy(done), { status, headers: retryHeaders(done) });
      }
      const next = await of.done(done.value, sent);
      if (next.to !== undefined) {
        const { to, headers, title, ...words } = next;
        return goOn(asked.deps, to, title === undefined ? null : { title, ...words }, headers);
      }
      const { now: _, ...answer } = await shown(null);
      const { notice = null, more = null } = next;
      return { refusal: null, reply: null, ...answer, merged: null, notice, more };
    };
    const refilled = async (asked: Asked<Args>, form: FormData, intent: string) =>
      (await sentOf(asked, form, intent)).refusedBy(BACK_AGAIN, "Not Sent Yet");
    return { failed: of.unanswered ?? of.failed, refilled, submit };
  }

  function page<More>(
    forms: Record<string, SentForm<Args, View, More>>,
    chosen?: (form: FormData) => string | null,
  ) {
    const names = Object.keys(forms);
    const formOf = lookUp(forms);
    const intentOf = (form: FormData) => chosen?.(form) ?? sentFor(form, names);
    return {
      loader: async (args: LoaderFunctionArgs) => {
        const asked = askedOf<Args>(args, given.isOpen);
        const about = await find(asked);
        const typed = Object.fromEntries(args.url.searchParams);
        return {
          view: given.view({ ...asked, about, typed, form: null, refused: null }),
          formKey: newId(),
          failed: Object.fromEntries(names.map((name) => [name, formOf(name)?.failed ?? ""])),
        };
      },
      action: async (args: ActionFunctionArgs) => {
        const asked = askedOf<Args>(args, given.isOpen);
        // Before the form is read: a missing object must not accept one.
        await find(asked);
        const sent = await args.request.formData();
        // An open page has no session that could have ended.
        const carried = given.isOpen ? null : parseForm(sent.get(UNSENT));
        const unsent = carried && areExpected([...carried]) ? carried : null;
        if (sent.has(UNSENT) && !unsent) {
          return goOn(asked.deps, args.url.pathname + args.url.search, null);
        }
        const form = unsent ?? sent;
        const account = form.get("account");
        if (!given.isOpen && account !== null && account !== asked.actor.username) {
          return goOn(asked.deps, args.url.pathname + args.url.search, OF_ANOTHER);
        }
        const intent = intentOf(form);
        return formOf(intent)![unsent ? "refilled" : "submit"](asked, form, intent);
      },
    };
  }

  function one<Schema extends z.ZodType, T, More = never>(
    of: FormGiven<Args, About, Schema, T, More>,
  ) {
    return page({ form: form(of) });
  }

  return { form, page, one };
}

function askedOf<Args extends RouteArgs>(args: LoaderFunctionArgs, isOpen = false): Asked<Args> {
  const { context, url } = args;
  return {
    ...args,
    params: args.params as Args["params"],
    deps: context.get(depsContext),
    actor: isOpen ? (undefined as never) : actorOf(context),
    listSearch: listSearchOf(url),
  };
}

const BACK_AGAIN = failure(
  "unauthenticated",
  "You are signed in again, and what you typed is back in the form. Nothing of it is done yet.",
);

const REPLACED = "What you chose was not saved: what was saved meanwhile has taken its place.";

const DONE_ALREADY = failure(
  "idempotency_conflict",
  "This form was sent before, with something else in it, and that was done. Please look at the booking first, and open the form anew for more.",
);

/** The idempotency key, made when the form was shown. */
function keyOf(form: FormData): string | null {
  const key = String(form.get("formKey") ?? "");
  return isId(key) ? key : null;
}
