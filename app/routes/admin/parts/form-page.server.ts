/**
 * A screen with forms, given once: loader and action, what was typed, two admins at once, doing a thing
 * once, and going on with a notice. A screen says what it is about, what it shows, and of each form its
 * fields, its operation and its words.
 */
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import type { z } from "zod";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { runOnce } from "#app/core/change.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { areOurs } from "#app/http/form.ts";
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
  type Reply,
  SECRETS,
  sentFor,
  type Typed,
  type Values,
} from "./form-data.ts";
import { type GivenNotice, goOn, type HeaderList, retryHeaders, typedOf } from "./forms.server.ts";
import { listSearchOf } from "./list-search.ts";
import type { Refusal } from "./notice.tsx";
import { UNSENT, unpacked } from "./signed-out-form.ts";

/** Those of a route: `Route.LoaderArgs`. */
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
  /** What the address or the form that was sent holds, without secrets. */
  typed: Typed;
  /** Null unless a form was sent. */
  form: FormData | null;
  /** Why the form was refused. */
  refused: Failure | null;
}

export interface Sent<Args extends RouteArgs, About> extends Asked<Args> {
  about: About;
  typed: Typed;
  form: FormData;
  /** Which of the screen's forms it is. */
  intent: string;
  /**
   * Does `work` once, however often the form is sent. `call` names what is asked for, and of what. A
   * repeat is answered with the id of the first, which without `idOf` is that of the address.
   */
  once<T>(
    call: string,
    input: Record<string, unknown>,
    work: () => Outcome<T>,
    idOf?: (value: T) => string,
  ): Outcome<string>;
}

/** The page to go on to, with a notice or without, or what is said on this one. */
type Next<More> =
  | (Partial<GivenNotice> & { to: string; headers?: HeaderList })
  | { to?: undefined; notice?: GivenNotice; more?: More };

interface FormGiven<Args extends RouteArgs, About, Schema extends z.ZodType, T, More> {
  fields: Schema;
  /** A single ticked box is a list, or true. */
  lists?: boolean;
  /** Puts the form's fields under the names of the schema. */
  rename?: (form: FormData) => FormData;
  run: (input: z.output<Schema>, sent: Sent<Args, About>) => Outcome<T> | Promise<Outcome<T>>;
  /** The title of a refusal, and of a submission without an answer. */
  failed: string;
  /** That of a submission without an answer, where it is another. */
  unanswered?: string;
  failedBy?: (failure: Failure) => string | null;
  done: (value: T, sent: Sent<Args, About>) => Next<More> | Promise<Next<More>>;
  /** What stands beside a refusal. */
  beside?: (failure: Failure, sent: Sent<Args, About>) => More | null;
  /** What is saved by now, for a form that keeps what was typed over it. */
  saved?: (sent: Sent<Args, About>) => Values;
  /** What another admin saved takes the place of what was typed. */
  savedWins?: boolean;
}

/** What a page shows of the form that was sent to it last. */
export interface Answer<View, More> {
  refusal: Refusal | null;
  reply: Reply | null;
  intent: string;
  typed: Typed;
  view: View;
  merged: Merged<Values> | null;
  /** What was done, where the page stays. */
  notice: GivenNotice | null;
  more: More | null;
}

type Answered<View, More> =
  | Response
  | Answer<View, More>
  | ReturnType<typeof data<Answer<View, More>>>;

interface SentForm<Args extends RouteArgs, View, More> {
  failed: string;
  /** With what is typed in it, and nothing done. */
  refilled(asked: Asked<Args>, form: FormData, intent: string): Promise<Answer<View, More>>;
  submit(asked: Asked<Args>, form: FormData, intent: string): Promise<Answered<View, More>>;
}

interface Screen<Args extends RouteArgs, About, View> {
  /** Shown to whoever has its address: nobody acts, and there is no `actor`. */
  isOpen?: boolean;
  /** Throws the page for what is not there, or may not be seen. */
  find?: (asked: Asked<Args>) => About | Promise<About>;
  view: (shown: Shown<Args, About>) => View;
}

/**
 * `form` is one of a screen's forms, `page` makes the loader and the action of all of them, by what
 * each is sent for; `one` of a single one. A form that is sent for nothing of these is the first.
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
      // Texts stay as they were typed, also empty ones.
      const submission = parseWithZod(of.rename?.(form) ?? form, {
        schema: of.fields,
        disableAutoCoercion: !of.lists,
      });
      const shown = async (refused: Failure | null) => {
        // Anew: this form has changed it, or another admin.
        const now = { ...sent, about: await find(asked), refused };
        return { intent, typed, view: given.view(now), now };
      };
      const refusedBy = async (failure: Failure, title = of.failedBy?.(failure) ?? of.failed) => {
        const { now, ...shownNow } = await shown(failure);
        const { code, message, errors } = failure;
        const stale = code === "stale";
        const faults = errors ? { fieldErrors: errors } : {};
        const reply = submission.reply({ hideFields: SECRETS, ...faults });
        return {
          refusal: { title, message },
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
        // Before its form is read: what is not there takes none.
        await find(asked);
        const sent = await args.request.formData();
        // An open page has no session that could have ended.
        const carried = given.isOpen ? null : unpacked(sent.get(UNSENT));
        const unsent = carried && areOurs([...carried]) ? carried : null;
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

const OF_ANOTHER = {
  title: "Nothing Was Done",
  description: "Another account is signed in here by now than the one whose form this was.",
  variant: "destructive",
} as const;

const DONE_ALREADY = failure(
  "idempotency_conflict",
  "This form was sent before, with something else in it, and that was done. Please look at the booking first, and open the form anew for more.",
);

/** It is made with the form. */
function keyOf(form: FormData): string | null {
  const key = String(form.get("formKey") ?? "");
  return isId(key) ? key : null;
}
