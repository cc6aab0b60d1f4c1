/** A captain's portrait; without one a plain drawn figure. */
import { portraitSource } from "#app/model/catalogue.ts";

interface PortraitProps {
  portrait: string | null;
  alt: string;
  /** Width and height in pixels. */
  size: number;
  className: string;
}

export function Portrait({ portrait, alt, size, className }: PortraitProps) {
  if (portrait === null) {
    return (
      <svg
        viewBox="0 0 24 24"
        aria-hidden="true"
        className={`bg-action-soft text-muted ${className}`}
      >
        <path d="M4 24v-2a8 6 0 0 1 16 0v2z" fill="currentColor" />
        <circle cx="12" cy="10" r="4.5" fill="currentColor" />
      </svg>
    );
  }
  return (
    <img
      {...portraitSource(portrait)}
      sizes={`${size}px`}
      alt={alt}
      width={size}
      height={size}
      loading="lazy"
      className={className}
    />
  );
}
