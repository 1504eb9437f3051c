import { Pagination } from 'antd';
import { memo } from 'react';
import { Money } from './Money.tsx';
import { type PageSum, pageSums } from './page-sums.ts';

interface Props<Row> {
  rows: readonly Row[];
  pageSum: PageSum<Row> | undefined;
  page: number;
  size: number;
  total: number | undefined;
  onPage: (page: number, size: number) => void;
}

const SIZES = [10, 20, 50, 100, 200];

/** Page sums and pagination below a table. */
export function TableFoot<Row>({ rows, pageSum, page, size, total, onPage }: Props<Row>) {
  return (
    <div className="ht-foot">
      <span className="ht-page-sum">{pageSum && <PageSums rows={rows} sum={pageSum} />}</span>
      <Pages page={page} size={size} total={total} onPage={onPage} />
    </div>
  );
}

function PageSumsOf<Row>({ rows, sum }: { rows: readonly Row[]; sum: PageSum<Row> }) {
  const sums = pageSums(rows, sum);
  return (
    <>
      <span>本页合计</span>
      {sums.map(({ coin, value }) => (
        <Money key={coin} value={value} unit={coin} digits={18} />
      ))}
      {sums.length === 0 && <span>--</span>}
    </>
  );
}
const PageSums = memo(PageSumsOf) as typeof PageSumsOf;

const Pages = memo(({ page, size, total, onPage }: Omit<Props<never>, 'rows' | 'pageSum'>) => (
  <Pagination
    size="small"
    current={page}
    pageSize={size}
    total={total ?? 0}
    showTotal={(count) => (total === undefined ? '' : `共 ${count.toLocaleString('en-US')} 条`)}
    showSizeChanger={{ 'aria-label': '每页条数', showSearch: false }}
    showQuickJumper
    pageSizeOptions={SIZES}
    onChange={onPage}
  />
));
