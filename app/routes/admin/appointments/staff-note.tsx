/** What staff noted for themselves. */
import { Link } from "react-router";
import { STAFF_NOTE } from "#app/routes/admin/parts/words.ts";
import { Part } from "./details-part.tsx";

export function StaffNotePart({ note, editAt }: { note: string | null; editAt: string }) {
  return (
    <Part title={STAFF_NOTE}>
      {note && <p className="mb-1 whitespace-pre-wrap break-words">{note}</p>}
      <Link to={editAt} preventScrollReset className="link inline-flex min-h-8 items-center">
        {note ? "Change the staff note" : "Write a staff note"}
      </Link>
    </Part>
  );
}
