/** A captain's portrait, and the form that takes another one. */
import { Form, href, useNavigation } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import { FieldError } from "#app/components/field.tsx";

interface PortraitPartProps {
  counselor: { key: string; name: string; portrait: string | null; version: number };
  /** What was wrong with the file of the last press. */
  errors?: string[] | undefined;
}

export function PortraitPart({ counselor, errors }: PortraitPartProps) {
  const { key, version } = counselor;
  const action = `${href("/admin/catalogue/captains/:key/portrait", { key })}?version=${version}`;
  const pending = useNavigation().formAction === action;
  return (
    <section aria-label="Portrait" className="card p-5">
      <h2 className="display text-xl">Portrait</h2>
      <div className="mt-3 flex flex-wrap items-start gap-4">
        <Portrait
          portrait={counselor.portrait}
          alt={`Portrait of ${counselor.name}`}
          size={96}
          className="size-24 shrink-0 rounded-lg border border-line"
        />
        <Form
          // Empty again after an upload.
          key={counselor.portrait}
          method="post"
          action={action}
          encType="multipart/form-data"
          className="grid min-w-0 max-w-text flex-1 basis-64 gap-3"
        >
          <div>
            <label htmlFor="portrait" className="block font-semibold">
              New picture
            </label>
            <p id="portrait-hint" className="text-sm text-muted">
              PNG, JPEG or WebP, at most 4 MB and 24 megapixels. It is cut to a square; what the
              camera wrote into it (place, time) is removed.
            </p>
            <input
              id="portrait"
              type="file"
              name="portrait"
              accept="image/png,image/jpeg,image/webp"
              required
              // biome-ignore lint/a11y/noAutofocus: the wrong field takes focus on a page that came back
              autoFocus={Boolean(errors)}
              aria-invalid={errors ? true : undefined}
              aria-describedby={errors ? "portrait-hint portrait-error" : "portrait-hint"}
              className="input mt-1.5"
            />
            <FieldError id="portrait-error" errors={errors} />
          </div>
          <button
            type="submit"
            disabled={pending}
            aria-busy={pending || undefined}
            className="button button-primary justify-self-start"
          >
            Upload
          </button>
        </Form>
      </div>
    </section>
  );
}
