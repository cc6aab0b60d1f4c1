/** The icons only the admin pages need, drawn as the shared set is: 24 units, one line weight. */
import { IconPath } from "#app/components/icons.tsx";

const PATHS = {
  view: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  signOut: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21",
  refund:
    "M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M9.5 9h5.5M9.5 11.5H15M9.5 9h2a2.2 2.2 0 0 1 0 4.5h-2l3.5 3.5",
  edit: "M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4",
} as const;

export type AdminIconName = keyof typeof PATHS;

export function AdminIcon({ name, className }: { name: AdminIconName; className?: string }) {
  return <IconPath d={PATHS[name]} className={className} />;
}
