import './plan.css';
import { ABILITY } from '@hengtai/contract/ability';
import { plan } from '@hengtai/contract/plan';
import { Suspense, lazy, useState } from 'react';
import { useList } from '../../api/list.ts';
import { useCan, useMe } from '../../api/me.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { WaitingMarks } from '../../shell/WaitingMark.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import type { PlanAction } from './PlanDialog.tsx';
import { planColumns } from './columns.tsx';
import { NO_ABILITY, type PlanView, keyOf, marketIdOf, whyNot } from './plan-row.ts';

const PlanDrawer = lazy(async () => ({ default: (await import('./PlanDrawer.tsx')).PlanDrawer }));
const PlanDialog = lazy(async () => ({ default: (await import('./PlanDialog.tsx')).PlanDialog }));

/** 风控计划: price protection of every market that the operator has to do with, each kind of trading for itself. */
export function PlanPage() {
  const able = useCan(ABILITY.plans);
  const { top } = useMe();
  const list = useList(plan.list, { seconds: 5, keyed: keyOf });
  const { rows } = list;
  const { openId, open, close } = useOpenId();
  const [dialog, setDialog] = useState<{ action: PlanAction; row: PlanView }>();
  const actions = (row: PlanView, look: 'text' | 'button') => (
    <>
      <GreyedAction look={look} why={able ? undefined : NO_ABILITY} onClick={() => setDialog({ action: 'save', row })}>
        设置
      </GreyedAction>
      {row.planState === 2 ? (
        <GreyedAction
          look={look}
          why={whyNot('resume', row, able)}
          onClick={() => setDialog({ action: 'resume', row })}
        >
          恢复
        </GreyedAction>
      ) : (
        <GreyedAction
          look={look}
          danger
          why={whyNot('halt', row, able)}
          onClick={() => setDialog({ action: 'halt', row })}
        >
          暂停
        </GreyedAction>
      )}
      <GreyedAction
        look={look}
        why={top ? undefined : '仅顶级管理员可以授权'}
        onClick={() => setDialog({ action: 'permit', row })}
      >
        授权
      </GreyedAction>
    </>
  );

  return (
    <WaitingMarks targetType="plan" ids={rows.map(marketIdOf)}>
      <ListFrame
        title="风控计划"
        list={list}
        columns={planColumns}
        openId={openId}
        onOpen={(row) => open(row.id)}
        next={top ? '开通了交易的市场会出现在这里。' : '顶级管理员把市场授权给您后，会出现在这里。'}
        actions={{
          width: 198,
          render: (row) => (
            <>
              <GreyedAction why={undefined} onClick={() => open(row.id)}>
                详情
              </GreyedAction>
              {actions(row, 'text')}
            </>
          ),
        }}
      >
        <Suspense fallback={null}>
          {openId !== undefined && (
            <PlanDrawer
              id={openId}
              known={rows.find(({ id }) => id === openId)}
              actions={(row) => actions(row, 'button')}
              onClose={close}
            />
          )}
        </Suspense>
        <Suspense fallback={null}>{dialog && <PlanDialog {...dialog} onClose={() => setDialog(undefined)} />}</Suspense>
      </ListFrame>
    </WaitingMarks>
  );
}
