/** Parts of the admin's forms. */
import type { ComponentProps, ReactNode } from "react";
import { SHORTEST_PASSWORD } from "#app/model/actor.ts";
import { InputField } from "./fields.tsx";

interface PartProps {
  /** That of the heading. */
  id?: string;
  title: string;
  text?: string;
  className?: string;
  children: ReactNode;
}

/** A card with a heading. */
export function Part({ id, title, text, className = "p-5", children }: PartProps) {
  const name = id === undefined ? { "aria-label": title } : { "aria-labelledby": id };
  return (
    <section {...name} className={`card ${className}`}>
      <h2 id={id} className="display scroll-mt-4 text-xl">
        {title}
      </h2>
      {text && <p className="mb-4 text-muted">{text}</p>}
      {children}
    </section>
  );
}

export function CurrentPassword() {
  return (
    <InputField
      name="currentPassword"
      label="Current password"
      type="password"
      autoComplete="current-password"
      maxLength={200}
    />
  );
}

interface PasswordPairProps {
  labels: readonly [first: string, again: string];
  /** The minimum number of characters. */
  least?: number;
}

export function PasswordPair({ labels, least = SHORTEST_PASSWORD }: PasswordPairProps) {
  const both = { type: "password", autoComplete: "new-password", maxLength: 200 } as const;
  return (
    <>
      <InputField
        name="newPassword"
        label={labels[0]}
        hint={`At least ${least} characters; a sentence is better.`}
        {...both}
      />
      <InputField name="confirmPassword" label={labels[1]} {...both} />
    </>
  );
}

/** The effects of submitting a form, as list items. */
export function WhatHappens({ children }: { children: ReactNode }) {
  return (
    <div className="mt-4">
      <p className="font-semibold">What happens</p>
      <ul className="mt-1 list-disc pl-5">{children}</ul>
    </div>
  );
}

interface ChoiceProps extends ComponentProps<"input"> {
  type: "radio" | "checkbox";
  children: ReactNode;
}

export function Choice({ children, className = "", ...input }: ChoiceProps) {
  return (
    <label className={`flex min-h-11 items-center gap-2 ${className}`.trimEnd()}>
      <input className="size-5 shrink-0" {...input} />
      {children}
    </label>
  );
}

interface ChoicesProps extends Pick<ComponentProps<"input">, "name" | "onChange"> {
  /** The value chosen at first. */
  chosen: string | undefined;
  options: readonly (readonly [value: string, words: ReactNode])[];
}

/** Radio buttons, of which one is chosen. */
export function Choices({ chosen, options, ...input }: ChoicesProps) {
  return options.map(([value, words]) => (
    <Choice key={value} type="radio" {...input} value={value} defaultChecked={value === chosen}>
      {words}
    </Choice>
  ));
}
