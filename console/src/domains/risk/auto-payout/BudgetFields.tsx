import type { autoAmounts } from '@hengtai/contract/risk/auto-payout/calls';
import { autoBudgetLabels as labels } from '@hengtai/contract/risk/auto-payout/labels';
import { Checkbox, Input } from 'antd';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { FormField, FormGrid, FormPart, useRenewal } from '../../../ui/form/FormPart.tsx';
import { type BudgetDraft, PERCENT_MAX } from './draft.ts';

interface Props {
  draft: BudgetDraft;
  /** The coin. */
  unit: string;
  onChange: (part: Partial<BudgetDraft>) => void;
}

/** The fields of a budget. */
export function BudgetFields({ draft, unit, onChange }: Props) {
  const renewal = useRenewal();
  const amount = (name: (typeof autoAmounts)[number]) => (
    <FormField label={labels[name]}>
      {(id) => (
        <AmountInput
          id={id}
          label={labels[name]}
          value={draft[name]}
          unit={unit}
          onChange={(value) => onChange({ [name]: value })}
        />
      )}
    </FormField>
  );
  const whole = (name: 'dayCount' | 'reviewPercent', suffix: string, hint = '') => (
    <FormField label={labels[name]} hint={hint}>
      {(id) => (
        <Input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={draft[name]}
          suffix={<span className="ht-value-unit">{suffix}</span>}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      )}
    </FormField>
  );
  return (
    <>
      <Checkbox checked={draft.on} onChange={({ target }) => onChange({ on: target.checked })}>
        开启自动打款 <span className="ht-value-faint">关闭时全部转人工审核</span>
      </Checkbox>
      <FormPart title={`每日（${renewal} 更新，数量含手续费）`}>
        <FormGrid>
          {amount('dayAmount')}
          {whole('dayCount', '笔')}
          {amount('userDayAmount')}
        </FormGrid>
      </FormPart>
      <FormPart title="单笔（按用户的认证等级，0 为不自动通过）">
        <FormGrid>
          {amount('largestUnverified')}
          {amount('largestBasic')}
          {amount('largestAdvanced')}
        </FormGrid>
      </FormPart>
      <FormPart title="人工">
        <FormGrid>
          <FormField label={labels.firstByHand}>
            {(id) => (
              <Checkbox
                id={id}
                checked={draft.firstByHand}
                onChange={({ target }) => onChange({ firstByHand: target.checked })}
              >
                一律人工审核
              </Checkbox>
            )}
          </FormField>
          {whole('reviewPercent', '%', `0 至 ${PERCENT_MAX}，抽签可由任何人重新计算`)}
        </FormGrid>
      </FormPart>
    </>
  );
}
