interface CaptainsProps {
  names: readonly string[];
  chosen: string;
  choose: (form: HTMLFormElement | null) => void;
}

/** Who takes the session. */
export function Captains({ names, chosen, choose }: CaptainsProps) {
  if (names.length < 2) return null;
  return (
    <fieldset>
      <legend className="font-semibold">Captain</legend>
      <div className="flex flex-wrap gap-x-5">
        {names.map((name) => (
          <label key={name} className="flex min-h-11 items-center gap-2">
            <input
              type="radio"
              name="counselor"
              value={name}
              defaultChecked={name === chosen}
              onChange={(event) => choose(event.currentTarget.form)}
              className="size-5"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
