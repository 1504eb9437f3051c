import { type ComponentProps, type ReactNode, isValidElement, memo } from 'react';

/** Props that the kit passes to each cell of a row. */
interface CellProps {
  record: unknown;
  index: number;
  rowInfo: { flattenColumns: unknown; fixedInfoList: unknown };
}

/**
 * A row of the virtual table. The kit re-renders every visible row and cell at each scroll step; memoization keeps the
 * cells until their row, its position or the columns change.
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
  (a, b) => areEqual(firstCellProps(a.children), firstCellProps(b.children)),
);

const firstCellProps = (cells: ReactNode) => {
  const cell: unknown = Array.isArray(cells) ? cells[0] : undefined;
  return isValidElement<CellProps>(cell) ? cell.props : undefined;
};

function areEqual(a: CellProps | undefined, b: CellProps | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.record === b.record &&
    a.index === b.index &&
    a.rowInfo.flattenColumns === b.rowInfo.flattenColumns &&
    a.rowInfo.fixedInfoList === b.rowInfo.fixedInfoList
  );
}
