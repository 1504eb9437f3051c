import { effectiveTerms } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitCoin, LimitList } from '@hengtai/contract/risk/withdraw-limit/schema';
import type { ReactNode } from 'react';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { type TierRow, feeText, termText, tiersOf } from './words.ts';

const TITLES = ['适用于', '提现', '单笔最小', '单笔最大', '每日额度', '每日笔数', '手续费', '版本', '操作'] as const;

interface Props {
  data: LimitList;
  coin: LimitCoin;
  onEdit: (row: TierRow) => void;
  onVersions: (row: TierRow) => void;
}

/** The terms of a coin: a line for each level and each group. What is inherited is faint. */
export const LimitTable = ({ data, coin, onEdit, onVersions }: Props) => (
  <PageTable label="提现限额与手续费" titles={TITLES}>
    {tiersOf(data, coin.marketId).map((row) => (
      <TierLine
        key={`${row.tier.level} ${row.tier.groupId}`}
        coin={coin}
        row={row}
        onEdit={() => onEdit(row)}
        onVersions={() => onVersions(row)}
      />
    ))}
  </PageTable>
);

interface LineProps {
  coin: LimitCoin;
  row: TierRow;
  onEdit: () => void;
  onVersions: () => void;
}

function TierLine({ coin, row: { tier, name, current }, onEdit, onVersions }: LineProps) {
  const unit = coin.marketName;
  const inForce = effectiveTerms(coin, current, undefined);
  const isGroup = tier.groupId !== null;
  const cell = (field: 'withdrawState' | 'singleMin' | 'singleMax' | 'dayAmount' | 'dayCount') => {
    const own = current?.[field] ?? null;
    if (own !== null) return <b>{termText(field, own, unit)}</b>;
    return <Inherited>{isGroup ? '继承' : termText(field, inForce[field], unit)}</Inherited>;
  };
  const hasFee = (current?.feeFixed ?? null) !== null || (current?.feeRate ?? null) !== null;
  const fee = feeText(inForce, unit);
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="ht-table-page-note">{isGroup ? '用户组' : '认证等级'}</span>
      </th>
      <td>{cell('withdrawState')}</td>
      <td>{cell('singleMin')}</td>
      <td>{cell('singleMax')}</td>
      <td>{cell('dayAmount')}</td>
      <td>{cell('dayCount')}</td>
      <td>{hasFee ? <b>{fee}</b> : <Inherited>{isGroup ? '继承' : fee}</Inherited>}</td>
      <td>
        {current ? (
          <GreyedAction onClick={onVersions}>第 {current.version} 版</GreyedAction>
        ) : (
          <span className="ht-value-faint">未设置</span>
        )}
      </td>
      <td>
        <GreyedAction onClick={onEdit}>修改</GreyedAction>
      </td>
    </tr>
  );
}

const Inherited = ({ children }: { children: ReactNode }) => <span className="ht-value-faint">{children}</span>;
