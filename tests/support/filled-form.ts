/** Forms of a page, as they stand there. */
import { readable } from "#tests/helpers/api-client.ts";

const attribute = (tag: string, name: string) =>
  readable(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]);

/** `isSent`: a browser sends it though nobody clicks it or ticks it. */
export interface FormField {
  name: string;
  value: string;
  isSent: boolean;
}

/** Every form that is posted, with all of its controls; `action` is empty where it is the page's own. */
export function formsOf(html: string): { id: string; action: string; fields: FormField[] }[] {
  return [...html.matchAll(/<form\b([^>]*method="post"[^>]*)>(.*?)<\/form>/gis)].map(
    ([, tag = "", inside = ""]) => {
      const id = attribute(tag, "id");
      const outside = new RegExp(`<(?:input|button)\\b[^>]*\\bform="${id}"[^>]*>`, "g");
      const controls = inside + (id ? (html.match(outside) ?? []).join("") : "");
      return { id, action: attribute(tag, "action"), fields: fieldsOf(controls) };
    },
  );
}

function fieldsOf(controls: string): FormField[] {
  return [...controls.matchAll(/<(input|textarea|select|button)\b([^>]*)>/g)].flatMap((found) => {
    const [whole, kind, tag = ""] = found;
    const name = attribute(tag, "name");
    if (!name) return [];
    const inner = controls.slice(found.index + whole.length).split(`</${kind}>`)[0] ?? "";
    const value = {
      textarea: readable(inner.trim()),
      select: readable(/<option[^>]*value="([^"]*)" selected/.exec(inner)?.[1]),
    }[kind ?? ""];
    const ticks = /\btype="(checkbox|radio)"/.test(tag);
    const isSent = kind !== "button" && (!ticks || /\bchecked\b/.test(tag));
    return [{ name, value: value ?? (attribute(tag, "value") || (ticks ? "on" : "")), isSent }];
  });
}

/** What a browser sends of the form with this id. */
export function filledForm(html: string, id: string): Record<string, string> {
  const { fields } = formsOf(html).find((form) => form.id === id)!;
  const sent = fields.filter(({ isSent }) => isSent);
  return Object.fromEntries(sent.map(({ name, value }) => [name, value]));
}
