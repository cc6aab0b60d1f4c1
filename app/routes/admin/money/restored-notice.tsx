/** After a restore: which numbers may have gone out, what to do, and the press that ends it. */
import { Form, href, useNavigation } from "react-router";
import { RESTORED_ID } from "#app/routes/admin/parts/restored-words.ts";

interface RestoredView {
  numbers: string;
  seriesLetter: string;
}

export function RestoredNotice({ numbers, seriesLetter }: RestoredView) {
  const pending = useNavigation().formMethod === "POST";
  return (
    <section id={RESTORED_ID} aria-labelledby="restored-title" className="card mb-4 p-4">
      <h2 id="restored-title" className="display text-lg">
        Restored From a Copy
      </h2>
      <p className="mt-2">{numbers}. They are not in this list.</p>
      <p className="mt-2">
        Look through the mails sent from then until the restore, and keep the documents in them for
        your accountant. New numbers bear the letters {seriesLetter}, so none is given twice.
      </p>
      <Form method="post" action={href("/admin/documents")} className="mt-3">
        <button type="submit" disabled={pending} className="button button-quiet">
          I Have Looked Through Them
        </button>
      </Form>
    </section>
  );
}
