/** Controls by their field's name: value, error and ids come from the form around them. */
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
} from "react";
import {
  type Field,
  FieldError,
  SelectField,
  TextAreaField,
  TextField,
} from "#app/components/field.tsx";

/** The field of a name, and the value it shows; `path` is where a nested schema has it. */
export type FieldOf = (
  name: string,
  path?: string,
) => { field: Field; shown?: string | undefined; hint?: ReactNode };

export const FormFields = createContext<FieldOf | null>(null);

/** For what none of the controls below can show. */
export function useFieldOf(): FieldOf {
  return useContext(FormFields)!;
}

type Named<Props> = Omit<Props, "field"> & { name: string; path?: string };

/** What is given to the control itself counts before what its form says. */
function byName<Props extends { field: Field }>(Control: ComponentType<Props>) {
  return function ByName({ name, path, ...given }: Named<Props>) {
    return <Control {...({ ...useFieldOf()(name, path), ...given } as unknown as Props)} />;
  };
}

export const InputField = byName(TextField);
export const AreaField = byName(TextAreaField);

/** A line of text that browsers do not fill in. */
export function LineField(props: ComponentProps<typeof InputField>) {
  return <InputField autoComplete="off" {...props} />;
}

export function OptionsField({ name, path, ...given }: Named<ComponentProps<typeof SelectField>>) {
  // Not with the hint, which would name what another admin saved by its code.
  const { field, shown } = useFieldOf()(name, path);
  return <SelectField field={field} defaultValue={shown} {...given} />;
}

/** The error of what is no control of its own. */
export function ErrorOf({ name, id }: { name: string; id?: string }) {
  const { errorId, errors } = useFieldOf()(name).field;
  return <FieldError id={id ?? errorId} errors={errors} />;
}
