import type { FieldMetadata } from "@conform-to/react";
import { FieldError } from "#app/components/field.tsx";
import { durationWords, type PackageView } from "#app/routes/public/parts/offer.ts";
import { ChosenWord } from "./captain-choice.tsx";

interface PackageChoiceProps {
  field: FieldMetadata<string | undefined>;
  packages: readonly PackageView[];
}

function packageInputId(minutes: number): string {
  return `booking-package-${minutes}`;
}

export function PackageChoice({ field, packages }: PackageChoiceProps) {
  return (
    <>
      <div className="grid gap-3">
        {packages.map((offered) => (
          <label key={offered.minutes} className="choice flex cursor-pointer items-start gap-4 p-4">
            <input
              type="radio"
              id={packageInputId(offered.minutes)}
              name={field.name}
              value={offered.minutes}
              defaultChecked={field.initialValue === String(offered.minutes)}
              aria-invalid={field.errors ? true : undefined}
              className="mt-1 size-5 shrink-0"
            />
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1">
              <span className="min-w-0 flex-1 basis-24">
                <span className="block font-semibold">{durationWords(offered.minutes)}</span>
                <span className="block leading-snug">{offered.label}</span>
              </span>
              <span className="figures ml-auto text-right">
                <span className="display block text-xl">{offered.total}</span>
                <span className="block text-sm text-muted">
                  {offered.base} + {offered.gst} GST
                </span>
                <span className="flex justify-end">
                  <ChosenWord />
                </span>
              </span>
              <span className="basis-full text-sm text-muted">{offered.description}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldError id={field.errorId} errors={field.errors} />
    </>
  );
}
