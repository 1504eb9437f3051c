import { autoBudgetLabels } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoBudget } from '@hengtai/contract/risk/auto-payout/schema';
import { FormPart } from '../../../ui/form/FormPart.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { budgetWarnings } from './draft.ts';
import type { BudgetChange } from './words.ts';

interface Props {
  budget: AutoBudget;
  changes: readonly BudgetChange[];
  isNew: boolean;
}

const columns: readonly MiniColumn<BudgetChange>[] = [
  { title: '项目', cell: ({ field }) => autoBudgetLabels[field] },
  { title: '现在', right: true, cell: ({ before }) => before },
  { title: '保存后', right: true, cell: ({ after }) => after },
  { title: '影响', nowrap: true, cell: ({ effect }) => (effect === '放宽' ? <b>{effect}</b> : effect) },
];

/** What saving changes, what of it loosens, and limits that contradict each other. */
export function BudgetPreview({ budget, changes, isNew }: Props) {
  const warnings = budgetWarnings(budget);
  return (
    <FormPart title="保存后的变化">
      {!isNew && (
        <MiniTable
          label="额度的变化"
          rows={changes}
          keyOf={({ field }) => field}
          columns={columns}
          empty="没有变化"
          isMarked={({ effect }) => effect === '放宽'}
        />
      )}
      {isNew && (
        <p className="ht-value-faint">{budget.on ? '开启后立即用于此后申请的提现。' : '只保存额度，不开启。'}</p>
      )}
      {warnings.map((text) => (
        <p key={text} className="ht-value-warn" role="status">
          {text}
        </p>
      ))}
    </FormPart>
  );
}
