/** The hero's drawing: a route over the horizon, its waypoints the stages of a pilot's training. */

const WAYPOINTS = [
  { x: 62, y: 318, name: "CLASS 12", side: "right" },
  { x: 150, y: 262, name: "MEDICAL", side: "right" },
  { x: 246, y: 204, name: "DGCA PAPERS", side: "right" },
  { x: 346, y: 142, name: "FLYING HOURS", side: "left" },
  { x: 430, y: 86, name: "LICENCE", side: "left" },
] as const;

export function FlightChart({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 520 400" className={className} aria-hidden="true">
      <path
        d="M0 60h520M0 130h520M0 200h520M0 270h520M80 0v400M180 0v400M280 0v400M380 0v400M480 0v400"
        className="stroke-night-raised"
      />
      <path d="M0 372Q260 318 520 372v28H0z" className="fill-night-raised" />
      <path d="M0 372Q260 318 520 372" fill="none" strokeWidth="2.5" className="stroke-horizon" />
      <path
        d="M20 344C120 282 300 176 470 58"
        fill="none"
        strokeWidth="2"
        strokeDasharray="2 9"
        strokeLinecap="round"
        className="stroke-sky"
      />
      <g strokeWidth="2" strokeLinejoin="round" className="fill-night stroke-sky">
        {WAYPOINTS.map(({ x, y, name }) => (
          <path key={name} d={`M${x} ${y - 9}l8.5 15h-17z`} />
        ))}
      </g>
      <g fontSize="14" letterSpacing="1" className="fill-night-muted font-display">
        {WAYPOINTS.map(({ x, y, name, side }) => (
          <text
            key={name}
            x={side === "right" ? x + 16 : x - 16}
            y={side === "right" ? y + 20 : y - 8}
            textAnchor={side === "right" ? undefined : "end"}
          >
            {name}
          </text>
        ))}
      </g>
      <path
        transform="translate(478 52) rotate(55)"
        d="M0-17c2.5 0 3.5 3 3.5 6.5v9L22 9v4.5L3.5 8.5V17l6 4.5v4L0 23l-9.5 2.5v-4l6-4.5V8.5L-22 13.5V9L-3.5-1.5v-9c0-3.5 1-6.5 3.5-6.5z"
        className="fill-night-ink"
      />
    </svg>
  );
}

/** The phone's version: the horizon and the path alone. */
export function HorizonStrip({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 360 64" preserveAspectRatio="none" className={className} aria-hidden="true">
      <path d="M0 56Q180 24 360 56v8H0z" className="fill-night-raised" />
      <path d="M0 56Q180 24 360 56" fill="none" strokeWidth="2" className="stroke-horizon" />
      <path
        d="M8 48C90 34 220 26 336 8"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 7"
        strokeLinecap="round"
        className="stroke-sky"
      />
    </svg>
  );
}
