/** The next free times of a captain, each one press away: it chooses the day and the time. */
import { type FreeTime, pickValue } from "#app/routes/public/parts/offer.ts";
import { PickButton } from "./pick-button.tsx";

interface NextTimesProps {
  times: readonly FreeTime[];
  onPick: (time: FreeTime) => void;
}

export function NextTimes({ times, onPick }: NextTimesProps) {
  if (times.length === 0) return null;
  return (
    <div className="mt-4">
      <p className="font-semibold">Next free times</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {times.map((time) => (
          <li key={pickValue(time)}>
            <PickButton
              time={time}
              onPick={onPick}
              className="button button-quiet figures min-h-11 px-4 py-2"
            >
              {time.day}, {time.time}
            </PickButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
