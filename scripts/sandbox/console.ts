import { readFileSync } from "node:fs";
import type { AdminApi } from "./admin-api.ts";
import { ApiError } from "./api-error.ts";
import { noticePage } from "./checkout-pages.ts";
import { frontPage, mailPage, messagesPage, orderPage, switchesPage } from "./console-pages.ts";
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  page,
  redirect,
  refuseForeign,
  textOf,
} from "./http.ts";
import type { Parts } from "./parts.ts";
import type { SwitchName } from "./switch-catalogue.ts";
import { SwitchError, type SwitchSetting } from "./switches.ts";

const STYLE = readFileSync(new URL("./browser/sandbox.css", import.meta.url));

/** The console for people: plain pages and forms that work without scripts. */
export class Console {
  readonly #parts: Parts;
  readonly #admin: AdminApi;

  constructor(parts: Parts, admin: AdminApi) {
    this.#parts = parts;
    this.#admin = admin;
  }

  /** undefined: not an address of the console. */
  async answer(call: Call): Promise<Answer | undefined> {
    if (call.path === "/__sandbox/sandbox.css") {
      return {
        status: 200,
        headers: { "Content-Type": "text/css; charset=utf-8", "Cache-Control": "no-cache" },
        body: STYLE,
      };
    }
    if (call.method === "GET") return this.#view(call);
    if (call.method !== "POST" || !call.path.startsWith("/console/")) return undefined;
    refuseForeign(call);
    try {
      return await this.#act(call.path.slice("/console/".length), fieldsOf(call));
    } catch (error) {
      if (error instanceof ApiError || error instanceof SwitchError) {
        return page(noticePage("Not possible", error.message), 400);
      }
      throw error;
    }
  }

  #view(call: Call): Answer | undefined {
    const [, area = "", id = ""] = call.path.split("/").slice(1);
    if (call.path === "/") return page(frontPage(this.#parts));
    if (!call.path.startsWith("/console/")) return undefined;
    const view = call.path.split("/")[2];
    if (view === "switches") return page(switchesPage(this.#parts.switches));
    if (view === "whatsapp") return page(messagesPage(this.#parts.whatsapp));
    const stored = view === "mails" ? this.#parts.mailbox.find(Number(id)) : undefined;
    if (stored) return page(mailPage(stored.mail));
    const order = view === "orders" ? this.#parts.ledger.orders.get(id) : undefined;
    if (order) return page(orderPage(this.#parts, order));
    return page(noticePage("Not here", `There is no such ${area || "page"}.`), 404);
  }

  async #act(verb: string, fields: Fields): Promise<Answer> {
    const back = textOf(fields, "back") ?? "/";
    const home = /^\/(?!\/)/.test(back) ? back : "/";
    if (verb === "reset") this.#parts.reset();
    else if (verb === "switch") this.#switch(fields);
    else if (verb === "clear-switches") this.#parts.switches.clear();
    else if (verb === "do") {
      const done = await this.#forward(textOf(fields, "path") ?? "", fields);
      if (done && "status" in done && done.status >= 400) {
        return page(noticePage("Not possible", String(done.body).slice(0, 500)), 400);
      }
    } else return page(noticePage("Not here", "There is no such action."), 404);
    await this.#parts.mailbox.settled();
    return redirect(home);
  }

  /** A form press as the admin call it stands for. */
  #forward(path: string, fields: Fields): Promise<Answer | undefined> {
    const { back: _back, path: _path, ...rest } = fields;
    return this.#admin.answer({
      method: "POST",
      path: `/__sandbox/${path}`,
      query: new URLSearchParams(),
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(rest)),
      origin: "",
    });
  }

  #switch(fields: Fields): void {
    const name = textOf(fields, "name") as SwitchName;
    if (textOf(fields, "set") === "off") {
      this.#parts.switches.clear(name);
      return;
    }
    const setting: SwitchSetting = { name };
    const count = textOf(fields, "count");
    const probability = textOf(fields, "probability");
    const value = textOf(fields, "value");
    const match = textOf(fields, "match");
    if (count) setting.count = Number(count);
    if (probability) setting.probability = Number(probability);
    if (value) setting.value = Number.isFinite(Number(value)) ? Number(value) : value;
    if (match) setting.match = match;
    this.#parts.switches.set(setting);
  }
}
