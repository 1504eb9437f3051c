import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { type FundAction, type FundState, fund, fundCan, fundStates } from '@hengtai/contract/fund';
import type { FundRow } from '@hengtai/contract/fund.schema';
import { settle } from '../../api/display-error.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { prefetchList, useList } from '../../api/list.ts';
import { useMarketOptions } from '../../api/market-options.ts';
import { useCan } from '../../api/me.ts';
import { toast } from '../../api/toast.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { AskAction } from '../../ui/AskAction.tsx';
import { fundColumns, fundSums } from './columns.tsx';

prefetchList(fund.record, '/fund/record');

const WORDS = { check: '核对', doubt: '存疑', reset: '撤销' } as const;
const QUESTIONS = { check: '标记为已核对？', doubt: '标记为存疑？', reset: '撤销核对标记？' } as const;
const ACTIONS = Object.keys(WORDS) as FundAction[];
const STALE = [fund.record];

/** 资金记录: every entry of every user, and what reconciliation found. */
export function FundPage() {
  const able = useCan(ABILITY.assets);
  const list = useList(fund.record);
  const options = useMarketOptions();
  const actions = {
    check: useAction(fund.check, { invalidate: STALE }),
    doubt: useAction(fund.doubt, { invalidate: STALE }),
    reset: useAction(fund.reset, { invalidate: STALE }),
  };

  async function mark(action: FundAction, row: FundRow) {
    const error = await settle(() => actions[action].submit({ id: row.id }, newKey()));
    if (error) toast.error(error.msg);
    else toast.success('操作成功');
  }

  return (
    <ListFrame
      title="资金记录"
      list={list}
      columns={fundColumns}
      options={options}
      sums={fundSums}
      next="用户的每一笔资金变动都会出现在这里。"
      actions={{
        width: 150,
        render: (row) =>
          ACTIONS.map((action) => (
            <AskAction
              key={action}
              why={whyNot(action, row, able)}
              question={`资金记录 #${row.id}（${row.account}）${QUESTIONS[action]}`}
              onYes={() => mark(action, row)}
            >
              {WORDS[action]}
            </AskAction>
          )),
      }}
    />
  );
}

function whyNot(action: FundAction, row: FundRow, able: boolean): string | undefined {
  if (!able) return `没有「${abilityLabels[ABILITY.assets]}」权限`;
  const states: readonly number[] = fundCan[action];
  return states.includes(row.state) ? undefined : `当前为「${fundStates[row.state as FundState]}」`;
}
