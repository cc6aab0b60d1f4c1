/** The choice of captain and package, as cards. */
import { Portrait } from "#app/components/captain-card.tsx";
import { FieldError } from "#app/components/field.tsx";
import { Icon } from "#app/components/icons.tsx";
import type { BookingFormState } from "./use-booking-form.ts";

export function CaptainChoice({ booking }: { booking: BookingFormState }) {
  const field = booking.fields.counselor;
  return (
    <>
      <div className="grid gap-3">
        {booking.home.offer.counselors.map((counselor) => (
          <div key={counselor.key} className="choice">
            <label className="flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-2 p-4">
              <input
                type="radio"
                id={`booking-counselor-${counselor.key}`}
                name={field.name}
                value={counselor.name}
                defaultChecked={field.initialValue === counselor.name}
                aria-invalid={field.errors ? true : undefined}
                className="size-5 shrink-0"
              />
              <Portrait
                portrait={counselor.portrait}
                alt=""
                size={56}
                className="size-14 rounded-full border border-line"
              />
              <span className="min-w-0 flex-1 basis-36">
                <span className="block font-semibold leading-snug">{counselor.name}</span>
                <span className="block leading-snug text-muted">{counselor.title}</span>
                <span className="sm:absolute sm:right-4 sm:top-4">
                  <ChosenWord />
                </span>
              </span>
            </label>
            <details className="group border-t border-line">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 text-action">
                <Icon
                  name="chevronDown"
                  className="size-4 transition-transform group-open:rotate-180"
                />
                <span>
                  Details <span className="sr-only">of {counselor.name}</span>
                </span>
              </summary>
              <div className="px-4 pb-4">
                <p>{counselor.description}</p>
                <dl className="mt-3 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
                  {counselor.specialties.length > 0 && (
                    <>
                      <dt className="text-muted">Talks about</dt>
                      <dd>{counselor.specialties.join(", ")}</dd>
                    </>
                  )}
                  {counselor.languages.length > 0 && (
                    <>
                      <dt className="text-muted">Speaks</dt>
                      <dd>{counselor.languages.join(", ")}</dd>
                    </>
                  )}
                  {counselor.yearsOfExperience !== null && (
                    <>
                      <dt className="text-muted">Experience</dt>
                      <dd>{counselor.yearsOfExperience}+ years</dd>
                    </>
                  )}
                  <dt className="text-muted">How you meet</dt>
                  <dd>{counselor.place}</dd>
                </dl>
              </div>
            </details>
          </div>
        ))}
      </div>
      <FieldError id={field.errorId} errors={field.errors} />
    </>
  );
}

/** Marks the chosen card not by its colour alone. */
function ChosenWord() {
  return (
    <span className="chosen-word flex items-center gap-1 text-sm font-semibold text-action">
      <Icon name="check" className="size-4" />
      Chosen
    </span>
  );
}

export function PackageChoice({ booking }: { booking: BookingFormState }) {
  const field = booking.fields.package;
  return (
    <>
      <div className="grid gap-3">
        {booking.home.offer.packages.map((offered) => (
          <label key={offered.minutes} className="choice flex cursor-pointer items-start gap-4 p-4">
            <input
              type="radio"
              id={`booking-package-${offered.minutes}`}
              name={field.name}
              value={offered.minutes}
              defaultChecked={field.initialValue === String(offered.minutes)}
              onChange={(event) => booking.onPackage(event.target.value)}
              aria-invalid={field.errors ? true : undefined}
              className="mt-1 size-5 shrink-0"
            />
            <span className="grid min-w-0 flex-1 gap-y-1">
              <span className="flex flex-wrap justify-between gap-x-4">
                <span className="font-semibold">{offered.minutes} minutes</span>
                <span className="display figures text-xl leading-snug">{offered.total}</span>
              </span>
              <span className="flex flex-wrap justify-between gap-x-4">
                <span className="leading-snug">{offered.label}</span>
                <span className="figures text-sm text-muted">
                  {offered.base} + {offered.gst} GST
                </span>
              </span>
              <span className="flex flex-wrap justify-between gap-x-4">
                <span className="min-w-0 flex-1 basis-36 text-sm text-muted">
                  {offered.description}
                </span>
                <ChosenWord />
              </span>
            </span>
          </label>
        ))}
      </div>
      <FieldError id={field.errorId} errors={field.errors} />
    </>
  );
}
