import { RULE_NAME_MAX } from '@hengtai/contract/risk/rule/catalogue';
import { type RuleState, rule } from '@hengtai/contract/risk/rule/calls';
import { ruleStates, RULE } from '@hengtai/contract/risk/rule/facts';
import type { RuleRow } from '@hengtai/contract/risk/rule/schema';
import { Checkbox, Input } from 'antd';
import { useId, useState } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { CheckerNote } from '../../../actions/CheckerNote.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { withReason } from '../../../api/run-with-toast.ts';
import { toast } from '../../../api/toast.ts';
import { FormPart } from '../../../ui/form/FormPart.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { ReasonInput } from '../../../ui/dialog/ReasonInput.tsx';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { ActionFields } from './ActionFields.tsx';
import { BacktestPanel } from './exported/BacktestPanel.tsx';
import { backtestOf } from './exported/backtest.ts';
import { ConditionFields } from './ConditionFields.tsx';
import { type RuleDraft, conditionsOf, contentOf, draftOf, newDraft, unknownHitsOf, withCondition } from './draft.ts';

interface Props {
  /** The rule to edit; without it a new one is added. */
  row?: RuleRow;
  onClose: () => void;
}

/** 新增规则 and 编辑规则, with a backtest of what is in the form. */
export function RuleDialog({ row, onClose }: Props) {
  const form = useSaveForm(rule.save, () => ({ draft: row ? draftOf(row) : newDraft(), reason: '' }));
  const { draft, reason } = form.fields;
  const [isTesting, setTesting] = useState(false);
  const isLocked = useFourEyesLocked();
  const isEffective = row?.state === RULE.effective;

  const change = (part: Partial<RuleDraft>) => form.change({ draft: { ...draft, ...part } });

  function save() {
    const content = contentOf(draft);
    if ('problem' in content) {
      form.refuse(content.problem);
      return;
    }
    const input = { ...(row && { id: row.id, seen: row.updatedAt }), ...content.value };
    void form.save(withReason(input, reason.trim()), ({ kind }) => {
      if (kind === 'done') toast.success(row ? '规则已保存为新版本' : '规则已新增，状态为草稿');
      onClose();
    });
  }

  return (
    <SaveModal
      title={row ? `编辑规则：${row.name}` : '新增规则'}
      width={800}
      verb={isLocked && isEffective ? SUBMIT : '保存规则'}
      busy={form.pending}
      dirty={form.isDirty}
      error={form.error}
      stateText={(state) => ruleStates[state as RuleState]}
      actions={
        <GreyedAction look="button" onClick={() => setTesting(!isTesting)}>
          {isTesting ? '收起回测' : '回测'}
        </GreyedAction>
      }
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-rule-form" onSave={save}>
        <RuleFields draft={draft} onChange={change} />
        {row && <ReasonInput value={reason} onChange={(text) => form.change({ reason: text })} />}
      </SaveForm>
      {row && <p className="ht-dialog-form-hint">{savedNotes[row.state]}</p>}
      {isEffective && (
        <>
          <LockedNote>修改生效的规则，须另一位复核员确认后才执行。</LockedNote>
          {isLocked && <CheckerNote />}
        </>
      )}
      {isTesting && <DraftBacktest draft={draft} isEffective={isEffective} />}
    </SaveModal>
  );
}

const savedNotes: Readonly<Record<RuleState, string>> = {
  0: '保存后成为新版本；草稿不运行。',
  1: '保存后成为新版本，立即用于此后申请的提现，仍为试运行。',
  2: '保存后成为新版本，立即对此后申请的提现生效。已申请的提现不受影响。',
  3: '保存后成为新版本；停用的规则不运行。',
};

/** The rule itself: name, conditions, actions, and what unknown conditions count as. */
function RuleFields({ draft, onChange }: { draft: RuleDraft; onChange: (part: Partial<RuleDraft>) => void }) {
  const id = useId();
  return (
    <>
      <div className="ht-form-field">
        <label htmlFor={id}>名称</label>
        <Input
          id={id}
          value={draft.name}
          maxLength={RULE_NAME_MAX}
          showCount
          autoComplete="off"
          placeholder="新地址大额提现"
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </div>
      <FormPart title="条件（全部符合才命中）">
        <ConditionFields
          conditions={draft.conditions}
          onChange={(conditions) => onChange({ conditions })}
          onAdd={() => onChange({ conditions: withCondition(draft).conditions })}
        />
        <Checkbox checked={unknownHitsOf(draft)} onChange={({ target }) => onChange({ unknownHits: target.checked })}>
          条件未知时视为命中
        </Checkbox>
      </FormPart>
      <FormPart title="命中后的动作">
        <ActionFields actions={draft.actions} onChange={(actions) => onChange({ actions })} />
      </FormPart>
    </>
  );
}

/** With the rules in effect, an earlier version of the same rule would run beside the form. */
function DraftBacktest({ draft, isEffective }: { draft: RuleDraft; isEffective: boolean }) {
  const conditions = conditionsOf(draft.conditions);
  return (
    <FormPart title="回测">
      <BacktestPanel
        backtest={
          'problem' in conditions
            ? undefined
            : backtestOf({ conditions: conditions.value, unknownHits: unknownHitsOf(draft) })
        }
        disabledReason={'problem' in conditions ? conditions.problem : undefined}
        canCombine={!isEffective}
      />
    </FormPart>
  );
}
