import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { Input, Select } from 'antd';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { CheckerNote } from '../../../actions/CheckerNote.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { withReason } from '../../../api/run-with-toast.ts';
import { toast } from '../../../api/toast.ts';
import { FormField, FormPart } from '../../../ui/form/FormPart.tsx';
import { ReasonInput } from '../../../ui/dialog/ReasonInput.tsx';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { BudgetFields } from './BudgetFields.tsx';
import { BudgetPreview } from './BudgetPreview.tsx';
import { BudgetWhatIf } from './BudgetWhatIf.tsx';
import { CauseTicks } from './Causes.tsx';
import { type BudgetDraft, budgetOf, draftOf, newDraft } from './draft.ts';
import { budgetChanges, lookProblemOf } from './words.ts';

interface Props {
  /** The coin to edit; without it one is chosen. */
  coin?: AutoCoin;
  coins: readonly AutoCoin[];
  /** All coins by id. */
  names: Readonly<Record<string, string>>;
  onClose: () => void;
}

/** Edits the budget of a coin, with a preview of what it loosens. */
export function BudgetDialog({ coin, coins, names, onClose }: Props) {
  const before = coin?.budget ?? null;
  const form = useSaveForm(autoPayout.save, () => ({
    marketId: coin?.marketId,
    draft: before ? draftOf(before) : newDraft(),
    looked: [] as readonly number[],
    typed: '',
    reason: '',
  }));
  const { marketId, draft, looked, typed, reason } = form.fields;
  const isLocked = useFourEyesLocked();
  const unit = coin?.marketName ?? (marketId === undefined ? '' : (names[marketId] ?? ''));
  const budget = budgetOf(draft);
  const changes = 'value' in budget ? budgetChanges(before, budget.value, unit) : [];
  // What happened before it was switched off.
  const causes = coin && !coin.on && draft.on ? (coin.causes ?? []) : [];
  const isLoosening = changes.some(({ effect }) => effect === '放宽');
  const needsChecker = isLocked && isLoosening;

  const change = (part: Partial<BudgetDraft>) => form.change({ draft: { ...draft, ...part } });

  function save() {
    const problem =
      marketId === undefined ? '请选择币种' : 'problem' in budget ? budget.problem : lookProblemOf(causes, looked);
    if (problem === undefined && isLoosening && typed.trim() !== unit) {
      form.refuse(`放宽额度须输入币种 ${unit}`);
      return;
    }
    if (problem !== undefined || marketId === undefined || 'problem' in budget) {
      form.refuse(problem ?? '');
      return;
    }
    const lookedAt = causes.length > 0 && { causes: [...looked] };
    const input = { marketId, ...(coin && { seen: coin.updatedAt }), ...lookedAt, ...budget.value };
    void form.save(withReason(input, reason.trim()), ({ kind }) => {
      if (kind === 'done') toast.success(`已保存 ${unit} 的自动打款额度`);
      onClose();
    });
  }

  return (
    <SaveModal
      title={coin ? `自动打款额度：${coin.marketName}` : '开启币种'}
      width={800}
      verb={needsChecker ? SUBMIT : '保存额度'}
      busy={form.pending}
      dirty={form.isDirty}
      disabled={coin !== undefined && 'value' in budget && changes.length === 0}
      error={form.error}
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-auto-payout-form" onSave={save}>
        {!coin && (
          <FormField label="币种">
            {(id) => (
              <Select
                id={id}
                showSearch={{ optionFilterProp: 'label' }}
                placeholder="请选择币种"
                value={marketId}
                options={optionsOf(names, coins)}
                onChange={(chosen) => form.change({ marketId: chosen })}
              />
            )}
          </FormField>
        )}
        <BudgetFields draft={draft} unit={unit} onChange={change} />
        {'value' in budget && <BudgetPreview budget={budget.value} changes={changes} isNew={before === null} />}
        {'value' in budget && marketId !== undefined && <BudgetWhatIf input={{ marketId, ...budget.value }} />}
        {causes.length > 0 && (
          <FormPart title="逐条核对关闭之前的起因">
            <CauseTicks causes={causes} looked={looked} onChange={(ids) => form.change({ looked: ids })} />
          </FormPart>
        )}
        {isLoosening && (
          <FormField label={`放宽额度，请输入 ${unit} 以确认`}>
            {(id) => (
              <Input
                id={id}
                value={typed}
                autoComplete="off"
                maxLength={32}
                onChange={({ target }) => form.change({ typed: target.value })}
              />
            )}
          </FormField>
        )}
        <ReasonInput value={reason} onChange={(text) => form.change({ reason: text })} />
      </SaveForm>
      {coin?.stopped && <p className="ht-dialog-form-hint">该币种已暂停，保存后仍为暂停，须另行恢复。</p>}
      <LockedNote>放宽须另一位复核员确认后才执行；只有收紧时立即执行。</LockedNote>
      {needsChecker && <CheckerNote />}
    </SaveModal>
  );
}

/** Coins without a budget. */
const optionsOf = (names: Props['names'], coins: readonly AutoCoin[]) =>
  Object.entries(names)
    .map(([id, label]) => ({ value: Number(id), label }))
    .filter(({ value }) => coins.every(({ marketId }) => marketId !== value));
