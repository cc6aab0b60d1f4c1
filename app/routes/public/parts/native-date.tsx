/** The date without scripts, and until they have loaded: the browser's own picker. */
interface NativeDateProps {
  id: string;
  defaultValue: string;
  min: string;
  max: string;
  invalid: boolean;
  describedBy: string | undefined;
}

export function NativeDate({ invalid, describedBy, ...input }: NativeDateProps) {
  return (
    <div>
      <label htmlFor={input.id} className="block font-semibold">
        Day of the session
      </label>
      <input
        {...input}
        type="date"
        name="date"
        required
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className="input mt-1.5 max-w-64"
      />
    </div>
  );
}
