/** Command-line options that are whole numbers; ends the process with a sentence for any other. */
import { parseArgs } from "node:util";

export function wholeNumbers<Name extends string>(
  names: readonly Name[],
): Partial<Record<Name, string>> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ options });
    for (const [name, value] of Object.entries(values)) {
      if (!/^\d+$/.test(String(value))) throw new Error(`--${name} must be a whole number.`);
    }
    return values as Partial<Record<Name, string>>;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
