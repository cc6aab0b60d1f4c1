/** The kinds of values that the environment holds, and what is said of a wrong one. */
import { z } from "zod";

/** Empty if it is not set, as a rule. */
export const text = (fallback = "") => z.string().default(fallback);

export const ruled = (holds: (text: string) => boolean, says: string, fallback = "") =>
  z.string().refine(holds, says).default(fallback);

export const shaped = (pattern: RegExp, says = "has a wrong form", fallback = "") =>
  ruled((text) => pattern.test(text), says, fallback);

export function number(
  fallback: number,
  min = Number.MIN_VALUE,
  { max = Number.MAX_VALUE, isWhole = false } = {},
) {
  const error = `must be a number ${min === Number.MIN_VALUE ? "above 0" : `of at least ${min}`}`;
  const fits = (value: number) => value >= min && value <= max;
  const isRight = (value: number) => !isWhole || !fits(value) || Number.isInteger(value);
  const whole = "must be a whole number";
  return z.coerce.number({ error }).refine(fits, error).refine(isRight, whole).default(fallback);
}

export const integer = (fallback: number, min: number, max?: number) =>
  number(fallback, min, { max, isWhole: true });

export const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const listOf = (secrets: string) => secrets.split(",").map((secret) => secret.trim());

export const urlOf = (address: string) => (URL.canParse(address) ? new URL(address) : null);

export const isSafe = ({ protocol, hostname }: URL) =>
  protocol === "https:" || isLoopbackHost(hostname);

export const publicUrl = z.string().superRefine((address, { addIssue }) => {
  const url = urlOf(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return addIssue("must be an https address like https://book.example.in");
  }
  if (!isSafe(url)) addIssue("must be https (http only on loopback)");
  if (url.pathname !== "/" || url.search || url.hash) addIssue("must be an origin without a path");
});

export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
