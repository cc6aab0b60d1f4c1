/** A picture and the form that uploads another one. */
import { Form } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import { TextField } from "#app/components/field.tsx";
import { SubmitButton } from "./form-page.tsx";

interface PictureFormProps {
  name: string;
  label: string;
  hint: string;
  alt: string;
  picture: string | null;
  /** The form's action; the version is added to it. */
  to: string;
  version: number;
  errors?: string[] | undefined;
}

export function PictureForm(props: PictureFormProps) {
  const { name, label, hint, alt, picture, to, version, errors } = props;
  return (
    <div className="mt-3 flex flex-wrap items-start gap-4">
      <Portrait
        portrait={picture}
        alt={alt}
        size={96}
        className="size-24 shrink-0 rounded-lg border border-line"
      />
      <Form
        // Emptied after an upload.
        key={picture}
        method="post"
        action={`${to}?version=${version}`}
        encType="multipart/form-data"
        className="grid min-w-0 max-w-text flex-1 basis-64 gap-3"
      >
        <TextField
          field={{ id: name, errorId: `${name}-error`, name, errors }}
          label={label}
          hint={`PNG, JPEG or WebP, at most 4 MB and 24 megapixels. ${hint}`}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          required
        />
        <SubmitButton className="justify-self-start">Upload</SubmitButton>
      </Form>
    </div>
  );
}
