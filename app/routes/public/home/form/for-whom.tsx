/** Who the session is for: whoever books, or a student of theirs. */
import type { FieldMetadata } from "@conform-to/react";
import type { StudentField } from "#app/booking/student-fields.ts";
import { StudentFields } from "#app/components/student-fields.tsx";

interface ForWhomProps {
  fields: Record<StudentField, FieldMetadata<string | undefined>>;
}

export function ForWhom({ fields }: ForWhomProps) {
  return (
    <div className="mt-5">
      <StudentFields
        of={(name) => ({ field: fields[name] })}
        legend="Who is the session for?"
        words={["For me", "For someone else"]}
        guardian="Then a parent or guardian books. Once you have paid, we mail you a link to a page where you confirm that you agree."
      />
    </div>
  );
}
