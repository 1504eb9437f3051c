import { termLabels } from '@hengtai/contract/risk/withdraw-limit/labels';
import { inheritedTerms, withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitCoin, LimitList } from '@hengtai/contract/risk/withdraw-limit/schema';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { CheckerNote } from '../../../actions/CheckerNote.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { withReason } from '../../../api/run-with-toast.ts';
import { toast } from '../../../api/toast.ts';
import { FormPart } from '../../../ui/form/FormPart.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { ReasonInput } from '../../../ui/dialog/ReasonInput.tsx';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { TermFields } from './TermFields.tsx';
import { draftOf, termsOf } from './draft.ts';
import { type TermChange, type TierRow, termChanges } from './words.ts';

interface Props {
  data: LimitList;
  coin: LimitCoin;
  row: TierRow;
  onClose: () => void;
}

const columns: readonly MiniColumn<TermChange>[] = [
  { title: '项目', cell: ({ name }) => termLabels[name] },
  { title: '现在', right: true, cell: ({ before }) => before },
  { title: '保存后', right: true, cell: ({ after }) => after },
  { title: '影响', nowrap: true, cell: ({ loosens }) => (loosens ? <b>放宽</b> : '') },
];

/** Edits the terms of a level or a group for a coin, with a preview of what loosens. */
export function LimitDialog({ data, coin, row, onClose }: Props) {
  const form = useSaveForm(withdrawLimit.save, () => ({ draft: draftOf(row.current ?? inheritedTerms), reason: '' }));
  const { draft, reason } = form.fields;
  const isLocked = useFourEyesLocked();
  const terms = termsOf(draft);
  const changes = 'value' in terms ? termChanges(data, coin, row, terms.value) : [];
  const needsChecker = isLocked && changes.some(({ loosens }) => loosens);
  const what = `${row.name} · ${coin.marketName}`;

  function save() {
    if ('problem' in terms) {
      form.refuse(terms.problem);
      return;
    }
    const { level, groupId } = row.tier;
    const tier = groupId === null ? { level: level as 0 | 1 | 2 } : { groupId };
    const input = { marketId: coin.marketId, ...tier, seen: row.current?.version ?? 0, ...terms.value };
    void form.save(withReason(input, reason.trim()), ({ kind }) => {
      if (kind === 'done') toast.success(`已保存提现限额：${what}`);
      onClose();
    });
  }

  return (
    <SaveModal
      title={`提现限额与手续费：${what}`}
      width={760}
      verb={needsChecker ? SUBMIT : '保存限额'}
      busy={form.pending}
      dirty={form.isDirty}
      disabled={'value' in terms && changes.length === 0}
      error={form.error}
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-withdraw-limit-form" onSave={save}>
        <TermFields
          draft={draft}
          coin={coin}
          tier={row.tier}
          onChange={(part) => form.change({ draft: { ...draft, ...part } })}
        />
        <ReasonInput value={reason} onChange={(text) => form.change({ reason: text })} />
      </SaveForm>
      <FormPart title="保存后的变化">
        <MiniTable
          label="限额的变化"
          rows={changes}
          keyOf={({ name }) => name}
          columns={columns}
          empty="没有变化"
          isMarked={({ loosens }) => loosens}
        />
      </FormPart>
      <LockedNote>放宽或改变手续费须另一位复核员确认后才执行；只有收紧时立即执行。</LockedNote>
      {needsChecker && <CheckerNote />}
    </SaveModal>
  );
}
