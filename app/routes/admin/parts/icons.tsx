/** The icons only the admin pages need, drawn as the shared set is: 24 units, one line weight. */
import { IconPath } from "#app/components/icons.tsx";

const PATHS = {
  view: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  move: "M4 6h16v5M4 6v14h8M4 10h16M8 3v4M16 3v4M14 17h7M18 14l3 3-3 3",
  cancel: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM5.7 5.7l12.6 12.6",
  invoice: "M6 3h8l4 4v14H6zM14 3v4h4M12 10v6M9.2 13.4 12 16.2l2.8-2.8",
  remove: "M4 6.5h16M9 6.5V4h6v2.5M6.5 6.5 7.5 21h9l1-14.5M10 10.5v6.5M14 10.5v6.5",
  signOut: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21",
  refund:
    "M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M9.5 9h5.5M9.5 11.5H15M9.5 9h2a2.2 2.2 0 0 1 0 4.5h-2l3.5 3.5",
  edit: "M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4",
} as const;

export type AdminIconName = keyof typeof PATHS;

const sheetId = (name: AdminIconName) => `icon-${name}`;

/** Drawn once, for what stands on a page many times. */
export function AdminIconSheet({ names }: { names: readonly AdminIconName[] }) {
  return (
    <svg aria-hidden="true" className="hidden">
      {names.map((name) => (
        <symbol key={name} id={sheetId(name)} viewBox="0 0 24 24">
          <path d={PATHS[name]} />
        </symbol>
      ))}
    </svg>
  );
}

/** Lines as the style of where it stands has them. */
export function AdminIconOfSheet({ name }: { name: AdminIconName }) {
  return (
    <svg aria-hidden="true">
      <use href={`#${sheetId(name)}`} />
    </svg>
  );
}

export function AdminIcon({ name, className }: { name: AdminIconName; className?: string }) {
  return <IconPath d={PATHS[name]} className={className} />;
}
