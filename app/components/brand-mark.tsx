/** The mark: an attitude indicator, wings level on the horizon. */
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
