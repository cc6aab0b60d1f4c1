/** The mark, and icons drawn for this project: 24 units, one line weight, the text's colour. */

const PATHS = {
  alert: "M12 3.5 21.5 20h-19zM12 10v4.5M12 17.2v.1",
  arrowRight: "M4 12h16M14 6l6 6-6 6",
  bubble: "M4 5h16v11H10l-5 4v-4H4z",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  call: "M6 3h4l1.5 5-2.5 1.8a12 12 0 0 0 5.2 5.2L16 12.5l5 1.5v4a3 3 0 0 1-3 3C10.5 21 3 13.5 3 6a3 3 0 0 1 3-3z",
  check: "m4.5 12.5 5 5 10-11",
  chevronDown: "m6 9 6 6 6-6",
  chevronLeft: "m15 5-7 7 7 7",
  chevronRight: "m9 5 7 7-7 7",
  clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7v5.5l3.5 2",
  close: "m6 6 12 12M18 6 6 18",
  document: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  download: "M12 3v12M7 10.5 12 15.5l5-5M4 20h16",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  lock: "M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3M12 15v2.5",
  mail: "M3 5.5h18v13H3zM3 7l9 6.5L21 7",
  plane:
    "M12 2.5c1 0 1.5 1.2 1.5 2.5v5l7.5 4.5v2l-7.5-2.3V18l2.5 1.8v1.7l-4-1-4 1v-1.7L10.5 18v-3.8L3 16.5v-2L10.5 10V5c0-1.3.5-2.5 1.5-2.5z",
  screen: "M3 5h13v10H3zM16 9l5-3v8l-5-3M6 19h7",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className }: { name: IconName; className?: string }) {
  return <IconPath d={PATHS[name]} className={className} />;
}

/** Decorative: the text beside it, or the control's name, carries the meaning. */
export function IconPath({ d, className = "size-5" }: { d: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`${className} shrink-0`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  );
}

/** The brand's mark: an attitude indicator, wings level on the horizon. */
export function BrandMark({ className = "size-9" }: { className?: string }) {
  return (
    <svg viewBox="0 0 40 40" className={`${className} shrink-0`} aria-hidden="true">
      <rect width="40" height="40" rx="10" className="fill-night" />
      <path d="M5.4 22.5a14.8 14.8 0 0 0 29.2 0z" className="fill-night-line" />
      <circle cx="20" cy="20" r="14.8" fill="none" strokeWidth="2" className="stroke-sky" />
      <path d="M5.4 22.5h29.2" strokeWidth="2" className="stroke-night-ink" />
      <path
        d="M10 18.5h5l5 5 5-5h5"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-horizon"
      />
    </svg>
  );
}
