import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { Time } from '../../../ui/value/Time.tsx';

/** Who changed a setting last, and when. */
export function LastChange({
  row: { changed, by, updatedAt },
}: {
  row: Pick<ConfigRow, 'changed' | 'by' | 'updatedAt'>;
}) {
  if (changed === 0) return <span className="ht-config-remark">安装时的值</span>;
  return (
    <>
      <Time value={updatedAt} />
      <span className="ht-table-page-note">{by === null ? '管辖范围外的操作员' : operatorDetail(by)}</span>
    </>
  );
}
