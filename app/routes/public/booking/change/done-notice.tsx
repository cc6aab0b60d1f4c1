/** What the visitor has just done, from a bare code in the page's address. */
import { Icon } from "#app/components/icons.tsx";

export interface DoneView {
  title: string;
  text: string;
}

export function DoneNotice({ title, text }: DoneView) {
  return (
    <div role="status" className="flex gap-3 rounded-lg border-2 border-go bg-go-soft p-4">
      <Icon name="check" className="mt-0.5 size-5 text-go" />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p>{text}</p>
      </div>
    </div>
  );
}
