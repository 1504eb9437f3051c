import { termLabels } from '@hengtai/contract/risk/withdraw-limit/labels';
import { type LimitTier, type TermName, withdrawStateLabels } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitCoin } from '@hengtai/contract/risk/withdraw-limit/schema';
import { Input, Select } from 'antd';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { FormField, FormGrid, FormPart, useRenewal } from '../../../ui/form/FormPart.tsx';
import type { TermsDraft } from './draft.ts';
import { inheritedText } from './words.ts';

interface Props {
  draft: TermsDraft;
  coin: LimitCoin;
  tier: LimitTier;
  onChange: (part: Partial<TermsDraft>) => void;
}

const OPEN_OPTIONS = [
  { value: '', label: '继承' },
  { value: '1', label: withdrawStateLabels[1] },
  { value: '0', label: withdrawStateLabels[0] },
];

/** The fields of the terms of a level or a group. An empty field inherits. */
export function TermFields({ draft, coin, tier, onChange }: Props) {
  const renewal = useRenewal();
  const hintOf = (name: TermName, zero = '') => `留空继承：${inheritedText(coin, tier, name)}${zero}`;
  const amount = (
    name: 'singleMin' | 'singleMax' | 'dayAmount' | 'feeFixed' | 'feeRate',
    hint: string,
    unit: string,
  ) => (
    <FormField label={termLabels[name]} hint={hint}>
      {(id) => (
        <AmountInput
          id={id}
          label={termLabels[name]}
          value={draft[name]}
          unit={unit}
          onChange={(value) => onChange({ [name]: value })}
        />
      )}
    </FormField>
  );
  const unit = coin.marketName;
  const NO_LIMIT = '；0 为不限';
  return (
    <>
      <FormPart title="单笔">
        <FormGrid>
          <FormField label={termLabels.withdrawState} hint={`继承：${inheritedText(coin, tier, 'withdrawState')}`}>
            {(id) => (
              <Select
                id={id}
                value={draft.withdrawState}
                options={OPEN_OPTIONS}
                onChange={(withdrawState) => onChange({ withdrawState })}
              />
            )}
          </FormField>
          {amount('singleMin', hintOf('singleMin'), unit)}
          {amount('singleMax', hintOf('singleMax', NO_LIMIT), unit)}
        </FormGrid>
      </FormPart>
      <FormPart title={`每日（${renewal} 更新，数量含手续费；驳回、撤销、退回的不计）`}>
        <FormGrid>
          {amount('dayAmount', hintOf('dayAmount', NO_LIMIT), unit)}
          <FormField label={termLabels.dayCount} hint={hintOf('dayCount', NO_LIMIT)}>
            {(id) => (
              <Input
                id={id}
                inputMode="numeric"
                autoComplete="off"
                value={draft.dayCount}
                suffix={<span className="ht-value-unit">笔</span>}
                onChange={({ target }) => onChange({ dayCount: target.value })}
              />
            )}
          </FormField>
        </FormGrid>
      </FormPart>
      <FormPart title="手续费 =（固定手续费，留空为网络手续费）+ 数量 × 手续费率，两项都留空由平台决定">
        <FormGrid>
          {amount('feeFixed', hintOf('feeFixed'), unit)}
          {amount('feeRate', `${hintOf('feeRate')}；最高 10%`, '%')}
        </FormGrid>
      </FormPart>
    </>
  );
}
