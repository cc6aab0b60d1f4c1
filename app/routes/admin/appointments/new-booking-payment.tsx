/** How a booking of staff's is paid: by a link, or it was paid outside the payment provider. */
import { TextField } from "#app/components/field.tsx";
import type { Of } from "./new-booking-customer.tsx";
import { OfflineFields } from "./offline-fields.tsx";

interface PaymentPartProps {
  of: Of;
  by: string;
  /** The date in India. */
  today: string;
}

/** Both ways stand in the page; the one that is not chosen is hidden by style alone. */
export function PaymentPart({ of, by, today }: PaymentPartProps) {
  const way = (value: string, words: string) => (
    <label className="flex min-h-11 items-center gap-2">
      <input
        type="radio"
        name="payBy"
        value={value}
        defaultChecked={by === value}
        className="size-5"
      />
      {words}
    </label>
  );
  return (
    <fieldset key={by} className="group/pay grid gap-4">
      <legend className="sr-only">How it is paid</legend>
      <div className="flex flex-wrap gap-x-6">
        {way("link", "Payment link by email")}
        {way("offline", "Paid outside, to you")}
      </div>
      <div className="group-has-[input[value=offline]:checked]/pay:hidden">
        <TextField
          {...of("payBefore")}
          label="The link can be paid until (IST)"
          hint="Empty: 24 hours from now, or two hours before the session if that is sooner. At most 7 days ahead. Until then the time is kept."
          type="datetime-local"
        />
      </div>
      <div className="grid gap-4 group-has-[input[value=link]:checked]/pay:hidden">
        <OfflineFields of={of} today={today} />
      </div>
    </fieldset>
  );
}
