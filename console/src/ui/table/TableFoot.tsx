import './coin-totals.css';
import './table-foot.css';
import { PAGE_SIZE } from '@hengtai/contract/wire/list';
import { Pagination, Select } from 'antd';
import { memo, useMemo } from 'react';
import { CoinTotals, type SumField } from './CoinTotals.tsx';
import { useAutoPageSize } from './page-size.ts';
import { pageItem } from './page-item.ts';
import { type PageSums, pageTotals } from './page-sums.ts';

interface Props<Row> {
  rows: readonly Row[];
  /** The fields that the totals sum, and how to read them from a row; undefined if the list has no totals. */
  fields: readonly SumField[] | undefined;
  pageSums?: PageSums<Row> | undefined;
  counted: string | undefined;
  grouped: string | undefined;
  page: number;
  size: number;
  autoSize: number;
  total: number | undefined;
  onPage: (page: number, size: number) => void;
}

const SIZES = [PAGE_SIZE, 20, 50, 100, 200];
/** Stands for the size that fills the window, which may equal a fixed one. */
const AUTO = 0;

/** Sums of the page, with the measures of the totals, and pagination below a table. */
export function TableFoot<Row>({ rows, fields, pageSums, counted, grouped, ...pages }: Props<Row>) {
  return (
    <div className="ht-table-foot">
      {fields ? (
        <PageTotals
          rows={pages.total === undefined ? undefined : rows}
          fields={fields}
          pageSums={pageSums}
          counted={counted}
          grouped={grouped}
        />
      ) : (
        <span className="ht-table-totals" />
      )}
      <Pages {...pages} />
    </div>
  );
}

const BY_MARKET = {};

interface PageTotalsProps<Row> {
  /** Undefined until the first response. */
  rows: readonly Row[] | undefined;
  fields: readonly SumField[];
  pageSums: PageSums<Row> | undefined;
  counted: string | undefined;
  grouped: string | undefined;
}

function PageTotalsOf<Row>({
  rows,
  fields,
  pageSums = BY_MARKET,
  counted = '笔',
  grouped = '个币种',
}: PageTotalsProps<Row>) {
  const totals = useMemo(() => rows && pageTotals(rows, fields, pageSums), [rows, fields, pageSums]);
  return (
    <CoinTotals title="本页合计" role="group" totals={totals} fields={fields} countUnit={counted} lineUnit={grouped} />
  );
}
const PageTotals = memo(PageTotalsOf) as typeof PageTotalsOf;

type PagesProps = Pick<Props<never>, 'page' | 'size' | 'autoSize' | 'total' | 'onPage'>;

const Pages = memo(({ page, size, autoSize, total, onPage }: PagesProps) => (
  <div className="ht-table-pages">
    <Pagination
      itemRender={pageItem}
      size="small"
      current={page}
      pageSize={size}
      total={total ?? 0}
      showTotal={(count) => (total === undefined ? '' : `共 ${count.toLocaleString('en-US')} 条`)}
      showSizeChanger={false}
      showQuickJumper
      showLessItems
      onChange={onPage}
    />
    <SizeSelect size={size} autoSize={autoSize} onSize={(next) => onPage(1, next)} />
  </div>
));

interface SizeProps extends Pick<PagesProps, 'size' | 'autoSize'> {
  onSize: (size: number) => void;
}

/**
 * The default size, 自动, which fills the window, and others. 自动 is remembered until the default is chosen again; other
 * sizes are those of this tab only.
 */
function SizeSelect({ size, autoSize, onSize }: SizeProps) {
  const [isAuto, setIsAuto] = useAutoPageSize();
  const sizes = [...new Set([...SIZES, size])].toSorted((a, b) => a - b);
  return (
    <Select
      aria-label="每页条数"
      size="small"
      popupMatchSelectWidth={false}
      value={isAuto && size === autoSize ? AUTO : size}
      options={[
        ...sizes.map((value) => ({ value, label: `${value} 条/页` })),
        { value: AUTO, label: `自动 ${autoSize} 条/页` },
      ]}
      onChange={(chosen) => {
        if (chosen === AUTO || chosen === PAGE_SIZE) setIsAuto(chosen === AUTO);
        onSize(chosen === AUTO ? autoSize : chosen);
      }}
    />
  );
}
