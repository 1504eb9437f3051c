interface Props {
  /** Of the columns that will stand here, in pixels. */
  widths: readonly number[];
  rows: number;
}

/** Grey bars until the rows are known. The table itself would draw each cell of them again with every answer that comes. */
export function Skeleton({ widths, rows }: Props) {
  const columns = widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' ');
  return (
    <div className="ht-skeleton" style={{ gridTemplateColumns: columns }} aria-hidden>
      {Array.from({ length: rows * widths.length }, (_, i) => (
        <div key={i}>
          <span className="ht-skeleton-line" />
        </div>
      ))}
    </div>
  );
}
