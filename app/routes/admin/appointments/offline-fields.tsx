import { SelectField, TextField } from "#app/components/field.tsx";
import { OFFLINE_METHODS } from "#app/model/offline-payment.ts";
import { paymentMethodWords } from "#app/model/wording.ts";
import type { Of } from "./new-booking-customer.tsx";

const METHODS = OFFLINE_METHODS.map((method) => {
  const words = paymentMethodWords(method);
  return [method, words[0]!.toUpperCase() + words.slice(1)] as const;
});

/** Of money that staff took themselves. */
export function OfflineFields({ of, today }: { of: Of; today: string }) {
  const method = of("method");
  return (
    <>
      <SelectField
        field={method.field}
        label="How it was paid"
        defaultValue={method.shown}
        options={[["", "Please select"], ...METHODS]}
      />
      <TextField
        {...of("reference")}
        label="Reference"
        hint="Receipt number or bank reference, if any"
        autoComplete="off"
        maxLength={100}
      />
      <TextField
        {...of("receivedOn")}
        label="Date received"
        hint="Empty: today"
        type="date"
        max={today}
      />
    </>
  );
}
