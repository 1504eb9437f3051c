import { targetText } from '@hengtai/contract/authority/target';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalChange, ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import type { ApprovalRecord } from '../../../actions/approval.store.ts';
import { findLastChange } from '../../../actions/audit.store.ts';
import { changesOfLines, fieldsText } from '../../../actions/record-change.ts';
import type { JudgedSave, Lines } from '../../../actions/save.ts';
import type { Ctx } from '../../../app/context.ts';
import { RECORD_CHANGED, hasChanged, withRecordScope } from './execution.steps.ts';

/**
 * The records that a save changes: what was signed, and the same records as they are now. Where they moved since, also how the
 * result would differ. After the decision only what was signed is known.
 *
 * @param judged what the request would make now; undefined if that is not known, or of an action that is no save
 * @param others what the preview of the action compares
 */
export async function describeChanges(
  ctx: Ctx,
  record: ApprovalRecord,
  judged: JudgedSave | undefined,
  others: readonly ApprovalChange[] = [],
): Promise<Pick<ApprovalDetail, 'changes' | 'moved' | 'movedBy'>> {
  const signed = record.result;
  if (!signed) return others.length > 0 ? { changes: [...others] } : {};
  const subject = { action: record.type, targetType: record.targetType };
  const words = judged ? await withRecordScope(ctx, record, judged.words) : { names: {} };
  const named = { ...words, names: { ...namesOf(record, signed), ...words.names } };
  const current = record.state === APPROVAL.open ? judged : undefined;
  const isMoved = hasChanged(record, current);
  // The same lines, but with their fields in the order of the record.
  const after = current && !isMoved ? current.result : signed;
  const changes = [...others, ...changesOfLines(subject, current?.before, after, named)];
  if (!current || !isMoved) return { changes };
  const differing = changesOfLines(
    subject,
    { ...current.before, ...signed },
    { ...noLines(signed), ...current.result },
    named,
  );
  const moved = differing
    .map((change) => ({ ...change, kind: 'changed' as const, fields: change.fields.filter(({ changed }) => changed) }))
    .filter(({ fields }) => fields.length > 0);
  const movedBy = await findLastChange(ctx.db, record, record.createdAt);
  return { changes, moved, ...(movedBy && { movedBy }) };
}

/** A line that the request would no longer change is gone from its result. */
const noLines = (lines: Lines): Lines => Object.fromEntries(Object.keys(lines).map((line) => [line, null]));

/** Names for lines of records that are gone. */
const namesOf = (record: ApprovalRecord, lines: Lines): Record<string, string> =>
  Object.fromEntries(Object.keys(lines).map((line) => [line, targetText(record)]));

/**
 * Why a request is void: the fields that others changed since, as signed and as they would be now. It is stored for readers of
 * other trees too, so it names nobody.
 */
export async function movedText(ctx: Ctx, record: ApprovalRecord, judged: JudgedSave | undefined): Promise<string> {
  const { moved = [] } = await describeChanges(ctx, record, judged);
  const fields = moved.flatMap((change) => change.fields);
  return fields.length === 0 ? RECORD_CHANGED : `${RECORD_CHANGED}：${fieldsText(fields)}`;
}
