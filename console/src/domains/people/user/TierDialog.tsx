import { user, userPayout, winTypeLabels } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { userDetails } from './user-details.tsx';
import { parsePayout } from './words.ts';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const REASONS = ['活动约定', 'VIP 等级调整', '恢复标准'] as const;

/** Level 2: sets the payout tier for new binary contracts of this user. A policy may require a checker. */
export function TierDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  const id = useId();
  const [winType, setWinType] = useState<0 | 1>(row.winType);
  const [text, setText] = useState(row.winRate ?? '');
  const percent = winType === 1 ? parsePayout(text) : undefined;
  const next = { winType, winRate: percent ?? null };
  const isSame = winType === row.winType && (winType === 0 || percent === parsePayout(row.winRate ?? ''));

  return (
    <ActionDialog
      call={user.second}
      input={{ id: row.id, winType, ...(percent !== undefined && { winRate: percent }) }}
      title="收益率档位"
      verb="更改档位"
      details={[...userDetails(row), { label: '当前档位', value: userPayout(row) }]}
      consequence={
        <>
          {winType === 0
            ? '此后新开的秒合约按秒合约设置中的收益率赔付。'
            : `此后新开的秒合约${percent === undefined ? '' : `盈利时按本金的 ${percent}% `}赔付，不再使用秒合约设置中的收益率。`}
          档位只决定盈利时赔付多少，从不决定盈亏：盈亏只看到期后的第一个行情。已开的合约不变。
        </>
      }
      blocked={
        winType === 1 && percent === undefined
          ? text.trim() === ''
            ? '请输入收益率'
            : '收益率为 1–100'
          : isSame
            ? `已是「${userPayout(next)}」`
            : undefined
      }
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      <div className="us-tier">
        <Radio.Group
          aria-label="收益率档位"
          value={winType}
          onChange={(event) => setWinType(event.target.value === 1 ? 1 : 0)}
          options={[
            { value: 0, label: winTypeLabels[0] },
            { value: 1, label: winTypeLabels[1] },
          ]}
        />
        {winType === 1 && (
          <div className="ht-field-row">
            <label htmlFor={id}>收益率</label>
            <Input
              id={id}
              className="us-percent"
              value={text}
              suffix="%"
              inputMode="decimal"
              autoComplete="off"
              maxLength={22}
              onChange={(event) => setText(event.target.value)}
            />
            <span className="ht-faint">1–100，例如 85 表示盈利时赔付本金的 85%</span>
          </div>
        )}
      </div>
    </ActionDialog>
  );
}
