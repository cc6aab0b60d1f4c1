/** A form of a page, as it stands there. */
import { readable } from "#tests/helpers/api-client.ts";

/** What a browser sends of the form with this id. */
export function filledForm(html: string, id: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*id="${id}".*?</form>`, "s").exec(html)![0];
  const controls = form.matchAll(
    /<(input|textarea|select)\b([^>]*?)\/?>(?:((?:(?!<input).)*?)<\/\1>)?/gs,
  );
  return Object.fromEntries(
    [...controls].flatMap(([, tag, attributes = "", inner]) => {
      const of = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
      if (of("type") === "checkbox") return /checked/.test(attributes) ? [[of("name"), "on"]] : [];
      const chosen = /<option[^>]*value="([^"]*)" selected/.exec(inner ?? "")?.[1];
      const value = tag === "input" ? of("value") : tag === "select" ? chosen : inner?.trim();
      return [[of("name"), readable(value)]];
    }),
  );
}
