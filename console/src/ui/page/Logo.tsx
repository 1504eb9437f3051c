import './logo.css';
interface Props {
  size: number;
}

/** The logo, a balance. The same drawing is in public/mark.svg. */
export function Logo({ size }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="ht-page-logo">
      <rect width="32" height="32" rx="7" fill="#2c5bd0" />
      <g fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M16 7v17M11 25h10M7 10.5h18" />
        <path d="M3.8 18 7 10.5l3.2 7.5a3.4 3.4 0 0 1-6.4 0zM21.8 18 25 10.5l3.2 7.5a3.4 3.4 0 0 1-6.4 0z" />
      </g>
      <circle cx="16" cy="7" r="1.8" fill="#fff" />
    </svg>
  );
}
