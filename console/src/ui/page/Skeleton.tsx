import './skeleton.css';
interface Props {
  /** Column widths in pixels. */
  widths: readonly number[];
  rows: number;
}

/**
 * Skeleton rows. Not rendered by the table itself, because that would re-render all their cells with every response.
 */
export function Skeleton({ widths, rows }: Props) {
  const columns = widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' ');
  return (
    <div className="ht-page-rows" style={{ gridTemplateColumns: columns }} aria-hidden>
      {Array.from({ length: rows * widths.length }, (_, i) => (
        <div key={i}>
          <span className="ht-page-skeleton-line" />
        </div>
      ))}
    </div>
  );
}
