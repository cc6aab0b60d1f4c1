import { type Field, FieldFrame } from "#app/components/field.tsx";

/** One field for the six digits: it pastes and fills itself; the six boxes lie behind it. */
export function CodeField({ field, label }: { field: Field; label: string }) {
  return (
    <FieldFrame field={field} label={label}>
      {(control) => (
        <div className="code-boxes mt-2">
          <i aria-hidden="true">
            {["1", "2", "3", "4", "5", "6"].map((box) => (
              <b key={box} />
            ))}
          </i>
          <input
            {...control}
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            maxLength={6}
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the step consists of this field
            autoFocus
            onPaste={(event) => {
              // A code is copied with what stands around it; `maxLength` would cut the wrong end.
              const digits = event.clipboardData.getData("text").replace(/\D/g, "");
              if (digits.length !== 6) return;
              event.preventDefault();
              event.currentTarget.value = digits;
            }}
          />
        </div>
      )}
    </FieldFrame>
  );
}
