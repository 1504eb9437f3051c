import { Pagination } from 'antd';
import { pageItem } from './page-item.ts';
import { memo, useMemo } from 'react';
import { CoinTotals, type SumField } from './CoinTotals.tsx';
import { type PageSums, pageTotals } from './page-sums.ts';

interface Props<Row> {
  rows: readonly Row[];
  /** The fields that the totals sum, and how to read them from a row; undefined if the list has no totals. */
  fields: readonly SumField[] | undefined;
  pageSums?: PageSums<Row> | undefined;
  counted: string | undefined;
  page: number;
  size: number;
  autoSize: number;
  total: number | undefined;
  onPage: (page: number, size: number) => void;
}

const SIZES = [10, 20, 50, 100, 200];

/** 自动 fills the window; then the usual sizes, and the current one, which another window may have chosen. */
function sizeOptions(current: number, auto: number) {
  const others = [...new Set([...SIZES, current])].filter((size) => size !== auto).toSorted((a, b) => a - b);
  return [
    { value: auto, label: `自动 ${auto} 条/页` },
    ...others.map((size) => ({ value: size, label: `${size} 条/页` })),
  ];
}

/** Sums of the page, with the measures of the totals, and pagination below a table. */
export function TableFoot<Row>({ rows, fields, pageSums, counted, ...pages }: Props<Row>) {
  return (
    <div className="ht-foot">
      {fields ? (
        <PageTotals rows={rows} fields={fields} pageSums={pageSums} counted={counted} />
      ) : (
        <span className="ht-totals" />
      )}
      <Pages {...pages} />
    </div>
  );
}

const BY_MARKET = {};

interface PageTotalsProps<Row> {
  rows: readonly Row[];
  fields: readonly SumField[];
  pageSums: PageSums<Row> | undefined;
  counted: string | undefined;
}

function PageTotalsOf<Row>({ rows, fields, pageSums = BY_MARKET, counted = '笔' }: PageTotalsProps<Row>) {
  const totals = useMemo(() => pageTotals(rows, fields, pageSums), [rows, fields, pageSums]);
  return <CoinTotals title="本页合计" role="group" totals={totals} fields={fields} counted={counted} />;
}
const PageTotals = memo(PageTotalsOf) as typeof PageTotalsOf;

type PagesProps = Pick<Props<never>, 'page' | 'size' | 'autoSize' | 'total' | 'onPage'>;

const Pages = memo(({ page, size, autoSize, total, onPage }: PagesProps) => (
  <Pagination
    itemRender={pageItem}
    size="small"
    current={page}
    pageSize={size}
    total={total ?? 0}
    showTotal={(count) => (total === undefined ? '' : `共 ${count.toLocaleString('en-US')} 条`)}
    showSizeChanger={{ 'aria-label': '每页条数', showSearch: false, options: sizeOptions(size, autoSize) }}
    showQuickJumper
    showLessItems
    onChange={onPage}
  />
));
