import type { Column } from '../ui/table/columns.ts';
import { DetailItem } from '../ui/value/DetailItem.tsx';
import { FullValues } from '../ui/value/full-values.ts';
import type { List } from './list.ts';
import { PageDrawer } from '../ui/dialog/PageDrawer.tsx';

interface Props<Row extends { id: number }> {
  noun: string;
  list: Pick<List<Row, never, never>, 'rows' | 'pending' | 'openId' | 'close'>;
  columns: readonly Column<Row>[];
}

/** The drawer of a list whose rows have no further details: every column in full. */
export function RowDrawer<Row extends { id: number }>({ noun, list, columns }: Props<Row>) {
  const { openId } = list;
  const row = list.rows.find(({ id }) => id === openId);
  return (
    <PageDrawer open={openId !== undefined} title={`${noun} #${openId ?? ''}`} width={520} onClose={list.close}>
      {row ? (
        <FullValues value>
          <dl className="ht-value-details">
            {columns.map(({ key, title, render }) => (
              <DetailItem key={key} label={title} wide>
                {render(row)}
              </DetailItem>
            ))}
          </dl>
        </FullValues>
      ) : list.pending ? (
        <span className="ht-page-skeleton-line" />
      ) : (
        <p className="ht-value-faint">这条记录不在当前页，请按编号查询。</p>
      )}
    </PageDrawer>
  );
}
