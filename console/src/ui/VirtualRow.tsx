import { type ComponentProps, type ReactNode, isValidElement, memo } from 'react';

/** What the kit hands to each cell: all that the cells of a row are drawn from. */
interface CellProps {
  record: unknown;
  index: number;
  rowInfo: { flattenColumns: unknown; fixedInfoList: unknown };
}

/**
 * A row of the virtual table. The kit renders each row in sight at every step of a scroll, and within it each cell; these
 * cells stay as they are until the row is another one or stands elsewhere, or a column changed.
 */
export function VirtualRow({ children, ...row }: ComponentProps<'div'>) {
  return (
    <div {...row}>
      <Cells>{children}</Cells>
    </div>
  );
}

const Cells = memo(
  ({ children }: { children?: ReactNode }) => children,
  (a, b) => same(first(a.children), first(b.children)),
);

const first = (cells: ReactNode) => {
  const cell: unknown = Array.isArray(cells) ? cells[0] : undefined;
  return isValidElement<CellProps>(cell) ? cell.props : undefined;
};

function same(a: CellProps | undefined, b: CellProps | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.record === b.record &&
    a.index === b.index &&
    a.rowInfo.flattenColumns === b.rowInfo.flattenColumns &&
    a.rowInfo.fixedInfoList === b.rowInfo.fixedInfoList
  );
}
