/** What schemas find wrong in inputs, a line for each, to be held against a golden file. */
import type { z } from "zod";

export type FaultCases = Record<string, [schema: z.ZodType, inputs: readonly unknown[]]>;

export function faultText(cases: FaultCases): string {
  const lines = Object.entries(cases).flatMap(([name, [schema, inputs]]) => [
    `${name}:`,
    ...inputs.map((input) => `  ${shown(input)} → ${faultsOf(schema, input)}`),
  ]);
  return `${lines.join("\n")}\n`;
}

function faultsOf(schema: z.ZodType, input: unknown): string {
  const { error } = schema.safeParse(input);
  const faults = error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return faults?.join("; ") ?? "taken";
}

/** What is long by its length. */
function shown(input: unknown): string {
  const short = (_: string, value: unknown) => {
    if (Array.isArray(value) && value.length > 9) return `${value.length} of ${value[0]}`;
    return typeof value === "string" && value.length > 60 ? `${value.length} characters` : value;
  };
  return JSON.stringify(input, short);
}
