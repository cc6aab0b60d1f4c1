import { type Fields, isRecord } from "./http.ts";
import { MetaRefusal } from "./whatsapp-errors.ts";

export interface KnownTemplate {
  languages: string[];
  /** How many parameters the body and the URL buttons take. */
  body: number;
  header?: number;
  buttons?: number;
}

export interface ReadTemplate {
  name: string;
  language: string;
  header: string[];
  body: string[];
  buttons: string[];
}

const LONGEST_BODY = 1024;

/** Reads and checks a template; where templates are registered, also against them. */
export function readTemplate(value: unknown, known: Map<string, KnownTemplate>): ReadTemplate {
  if (!isRecord(value)) throw new MetaRefusal(131008, "template is required");
  const name = value.name;
  const language = isRecord(value.language) ? value.language.code : undefined;
  if (typeof name !== "string" || name === "") {
    throw new MetaRefusal(131008, "template.name is required");
  }
  if (typeof language !== "string" || language === "") {
    throw new MetaRefusal(131008, "template.language.code is required");
  }
  if (!/^[a-z0-9_]{1,512}$/.test(name)) {
    throw new MetaRefusal(132001, `template name (${name}) does not exist in ${language}`);
  }
  const read: ReadTemplate = { name, language, header: [], body: [], buttons: [] };
  const components = value.components ?? [];
  if (!Array.isArray(components)) throw new MetaRefusal(100, "components must be an array");
  for (const component of components) readComponent(component, read);
  if (read.body.join("").length > LONGEST_BODY) throw new MetaRefusal(132005);
  checkKnown(read, known);
  return read;
}

function readComponent(component: unknown, read: ReadTemplate): void {
  if (!isRecord(component)) throw new MetaRefusal(100, "a component must be an object");
  const parameters = component.parameters ?? [];
  if (!Array.isArray(parameters)) throw new MetaRefusal(100, "parameters must be an array");
  const type = String(component.type).toLowerCase();
  if (type === "button") {
    if (component.sub_type !== "url" && component.sub_type !== "quick_reply") {
      throw new MetaRefusal(100, "button sub_type is not known");
    }
    if (!/^\d$/.test(String(component.index))) {
      throw new MetaRefusal(100, "button index is required");
    }
    read.buttons.push(...parameters.map(readText));
  } else if (type === "body" || type === "header") {
    read[type].push(...parameters.map(readText));
  } else {
    throw new MetaRefusal(100, `component type ${type} is not known`);
  }
}

function readText(parameter: unknown): string {
  const fields: Fields = isRecord(parameter) ? parameter : {};
  if (fields.type === "payload") return String(fields.payload);
  if (fields.type !== "text") throw new MetaRefusal(132012, "parameter type must be text");
  const text = fields.text;
  if (typeof text !== "string" || text === "") {
    throw new MetaRefusal(131008, "parameter text is required");
  }
  if (/[\n\r\t]| {5,}/.test(text)) {
    throw new MetaRefusal(
      132018,
      "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
    );
  }
  return text;
}

function checkKnown(read: ReadTemplate, known: Map<string, KnownTemplate>): void {
  if (known.size === 0) return;
  const template = known.get(read.name);
  if (!template?.languages.includes(read.language)) {
    throw new MetaRefusal(
      132001,
      `template name (${read.name}) does not exist in ${read.language}`,
    );
  }
  const expected: [string, number, number][] = [
    ["body", template.body, read.body.length],
    ["header", template.header ?? 0, read.header.length],
    ["button", template.buttons ?? 0, read.buttons.length],
  ];
  for (const [part, wanted, given] of expected) {
    if (wanted !== given) {
      throw new MetaRefusal(
        132000,
        `${part}: number of localizable_params (${given}) does not match the expected number of params (${wanted})`,
      );
    }
  }
}
