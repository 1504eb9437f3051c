import type { ApprovalChange, ApprovalChangedField } from '@hengtai/contract/desk/approval/schema';
import type { ReactNode } from 'react';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Time } from '../../../ui/value/Time.tsx';

interface Props {
  title: string;
  /** Titles of the columns of both values. */
  heads: readonly [before: string, after: string];
  changes: readonly ApprovalChange[];
  children?: ReactNode;
}

const KINDS: Readonly<Record<ApprovalChange['kind'], string>> = { added: '新增', removed: '移除', changed: '' };

/** So many unchanged fields are not folded, because they say what the others are about. */
const FEW_OTHERS = 3;

/** Records before and after. What differs is marked; the other fields are folded if they are many. */
export function RecordChanges({ title, heads, changes, children }: Props) {
  return (
    <>
      <h3 className="ht-approval-part">{title}</h3>
      {children}
      {changes.map((change, index) => (
        <RecordChange key={`${change.title} ${index}`} heads={heads} change={change} />
      ))}
    </>
  );
}

function RecordChange({ heads, change: { title, kind, fields } }: Pick<Props, 'heads'> & { change: ApprovalChange }) {
  const changed = fields.filter((field) => field.changed);
  // After the decision nothing is compared, and the record is shown as it was signed.
  const compared = fields.some(({ before }) => before !== null) || changed.length > 0;
  const others = fields.filter((field) => !field.changed);
  const isFolded = compared && others.length > FEW_OTHERS;
  const columns = columnsOf(heads, compared);
  return (
    <div className="ht-approval-change">
      <p className="ht-approval-record">
        {title}
        {KINDS[kind] && <span className="ht-page-aside">{KINDS[kind]}</span>}
      </p>
      {isFolded ? (
        <>
          <Fields label={title} columns={columns} fields={changed} />
          <details>
            <summary>未变更的字段（{others.length}）</summary>
            <Fields label={`${title} 未变更的字段`} columns={columns} fields={others} />
          </details>
        </>
      ) : (
        <Fields label={title} columns={columns} fields={fields} />
      )}
    </div>
  );
}

type Column = MiniColumn<ApprovalChangedField>;

const Fields = ({
  label,
  columns,
  fields,
}: {
  label: string;
  columns: readonly Column[];
  fields: readonly ApprovalChangedField[];
}) => (
  <MiniTable
    label={label}
    rows={fields}
    keyOf={(field, index) => `${field.label} ${index}`}
    empty="没有字段变更"
    isMarked={({ changed }) => changed}
    columns={columns}
  />
);

const columnsOf = ([before, after]: Props['heads'], compared: boolean): Column[] => [
  { title: '字段', cell: ({ label }) => label },
  ...(compared ? [{ title: before, cell: (field: ApprovalChangedField) => valueOf(field, field.before) }] : []),
  { title: after, cell: (field) => valueOf(field, field.after) },
];

function valueOf({ kind }: ApprovalChangedField, text: string | null) {
  if (text === null) return <span className="ht-value-faint">无</span>;
  if (kind === 'time') return <Time value={Number(text)} />;
  return kind === 'code' ? <code>{text}</code> : text;
}
