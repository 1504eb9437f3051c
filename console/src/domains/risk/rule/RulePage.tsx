import './rule.css';
import { RULES_MAX } from '@hengtai/contract/risk/rule/catalogue';
import { type RuleState, rule } from '@hengtai/contract/risk/rule/calls';
import { RULE } from '@hengtai/contract/risk/rule/facts';
import type { RuleList, RuleRow } from '@hengtai/contract/risk/rule/schema';
import { useState } from 'react';
import { WaitingMarks } from '../../../actions/WaitingMark.tsx';
import { useRead } from '../../../api/hooks.ts';
import { useOpenId } from '../../../lists/open-id.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { RuleLine } from './RuleLine.tsx';
import { choicesOf, useChoiceNames } from './exported/choice-names.ts';
import { sortRules } from './words.ts';
import { backtestOf } from './exported/backtest.ts';

const BacktestPanel = onDemand(async () => (await import('./exported/BacktestPanel.tsx')).BacktestPanel);
const RuleDialog = dialogOnDemand(async () => (await import('./RuleDialog.tsx')).RuleDialog);
const RuleDrawer = onDemand(async () => (await import('./RuleDrawer.tsx')).RuleDrawer);
const StateDialog = dialogOnDemand(async () => (await import('./StateDialog.tsx')).StateDialog);

type Dialog = { kind: 'edit'; row?: RuleRow } | { kind: 'state'; row: RuleRow; to: RuleState } | { kind: 'backtest' };

/** 提现规则: rules over withdrawals, their versions and their backtest. */
export function RulePage() {
  const { data, error, refetch } = useRead(rule.list, {});
  const { openId, close } = useOpenId();
  const [dialog, setDialog] = useState<Dialog>();
  const closeDialog = () => setDialog(undefined);
  if (!data)
    return error ? <PageError error={error} onRetry={() => void refetch()} /> : <PageSkeleton shape="settings" />;
  return (
    <div className="ht-rule-page">
      <PageHeading title="提现规则" note="按申请时记录的事实判断每一笔提现；每次保存都是新版本，旧版本永久保留">
        <GreyedAction look="button" onClick={() => setDialog({ kind: 'backtest' })}>
          回测生效的规则
        </GreyedAction>
        <GreyedAction
          look="button"
          primary
          disabledReason={data.rules.length >= RULES_MAX ? `最多 ${RULES_MAX} 条规则` : undefined}
          onClick={() => setDialog({ kind: 'edit' })}
        >
          新增规则
        </GreyedAction>
      </PageHeading>
      <WaitingMarks targetType="rule" ids={data.rules.map(({ id }) => id)}>
        <Rules
          data={data}
          onEdit={(row) => setDialog({ kind: 'edit', row })}
          onMove={(row, to) => setDialog({ kind: 'state', row, to })}
        />
      </WaitingMarks>
      <RuleDrawer id={openId} onClose={close} />
      {dialog?.kind === 'edit' && <RuleDialog {...dialog} onClose={closeDialog} />}
      {dialog?.kind === 'state' && <StateDialog {...dialog} onClose={closeDialog} />}
      {dialog?.kind === 'backtest' && (
        <PageDrawer open width={760} title="回测生效的规则" onClose={closeDialog}>
          <BacktestPanel
            backtest={backtestOf({ effective: true })}
            disabledReason={data.rules.some(({ state }) => state === RULE.effective) ? undefined : '没有生效的规则'}
            canCombine={false}
          />
        </PageDrawer>
      )}
    </div>
  );
}

interface RulesProps {
  data: RuleList;
  onEdit: (row: RuleRow) => void;
  onMove: (row: RuleRow, to: RuleState) => void;
}

function Rules({ data: { rules, set, backfill }, onEdit, onMove }: RulesProps) {
  const names = useChoiceNames(choicesOf(rules.flatMap(({ conditions }) => conditions)));
  return (
    <Section title="规则" aside={set === 0 ? '还没有规则运行过' : `正在运行规则集 ${set}`}>
      {backfill.recorded < backfill.total && (
        <p className="ht-value-warn" role="status">
          历史提现的事实正在补齐：已到编号 {backfill.recorded}，共到 {backfill.total}。补齐之前回测不完整。
        </p>
      )}
      {rules.length === 0 ? (
        <p className="ht-page-empty">没有规则。新增后先试运行，看过命中再生效。</p>
      ) : (
        <PageTable label="提现规则" titles={['规则', '状态', '条件', '动作', '最近修改', '操作']}>
          {sortRules(rules).map((row) => (
            <RuleLine
              key={row.id}
              row={row}
              names={names}
              onEdit={() => onEdit(row)}
              onMove={(to) => onMove(row, to)}
            />
          ))}
        </PageTable>
      )}
    </Section>
  );
}
