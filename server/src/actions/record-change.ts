import type { ApprovalChange, ApprovalChangedField } from '@hengtai/contract/desk/approval/schema';
import { auditFieldText, auditValueText, isLeaf, isMoment, leafText } from '@hengtai/contract/house/audit/words';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { Lines, Words } from './save.ts';

/** The names of actions and targets decide what a state or a code is called. */
interface Subject {
  action: string;
  targetType: string;
}

/** A record before and after; undefined where it is not known. */
interface RecordChange {
  title: string;
  before: unknown;
  after: unknown;
}

interface Leaf {
  field: string;
  label: string;
  value: unknown;
}

/**
 * The fields of the lines that a signature covers, in words, with those that change first. No field can be left out.
 *
 * @param before the current lines; without those that have changed since
 */
export const changesOfLines = (
  subject: Subject,
  before: Lines | undefined,
  signed: Lines,
  words: Words,
): ApprovalChange[] =>
  Object.entries(signed).map(([line, after]) =>
    changeOf(subject, { title: words.names[line] ?? line, before: before?.[line], after }, words),
  );

/** The fields of one record, as `changesOfLines` returns them. */
export function changeOf(subject: Subject, { title, before, after }: RecordChange, words: Words): ApprovalChange {
  const [old, next] = [leavesOf(subject, before, words), leavesOf(subject, after, words)];
  const fields = [...new Set([...old.keys(), ...next.keys()])]
    .filter((path) => !isFilled(path, old, next) && !isFilled(path, next, old))
    .map((path) => fieldOf(subject, { before, old: old.get(path) }, { after, next: next.get(path) }, words));
  return {
    title,
    kind: before === null ? 'added' : after === null ? 'removed' : 'changed',
    fields: fields.toSorted((a, b) => Number(b.changed) - Number(a.changed)),
  };
}

type Leaves = ReadonlyMap<string, Leaf>;

/** Whether a list that is empty on one side has entries on the other, which are shown instead. */
const isFilled = (path: string, leaves: Leaves, others: Leaves): boolean =>
  Array.isArray(leaves.get(path)?.value) &&
  [...others.keys()].some((other) => other.startsWith(`${path.slice(0, -1)},`));

function fieldOf(
  subject: Subject,
  { before, old }: { before: unknown; old: Leaf | undefined },
  { after, next }: { after: unknown; next: Leaf | undefined },
  words: Words,
): ApprovalChangedField {
  const leaf = (next ?? old) as Leaf;
  const isTime = [old, next].some((one) => one && isMoment(one.field, one.value));
  const toText = (one: Leaf | undefined, record: unknown): string | null => {
    if (!one) return null;
    if (isTime) return isMoment(one.field, one.value) ? String(one.value) : null;
    return textOf(subject, one, record, words);
  };
  return {
    label: leaf.label,
    before: toText(old, before),
    after: toText(next, after),
    kind: isTime ? 'time' : CODE_FIELDS.includes(leaf.field) ? 'code' : 'text',
    // Texts can be equal where values differ, such as those of two pictures.
    changed: before !== undefined && stableJson(old?.value) !== stableJson(next?.value),
  };
}

/** Fields that a text of changed fields names. */
const NAMED_FIELDS = 5;

/** Both values of changed fields, in one line. */
export function fieldsText(
  fields: readonly Pick<ApprovalChangedField, 'label' | 'before' | 'after' | 'kind'>[],
): string {
  const texts = fields.map(({ label, before, after, kind }) => {
    const toText = (value: string | null) =>
      value === null ? '无' : kind === 'time' ? momentText(Number(value)) : value;
    return `${label} ${toText(before)} → ${toText(after)}`;
  });
  const more = texts.length > NAMED_FIELDS ? ` 等 ${texts.length} 处` : '';
  return `${texts.slice(0, NAMED_FIELDS).join('；')}${more}`;
}

/** A time in unix milliseconds for a text whose reader's zone is not known. */
export const momentText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Fields with addresses, digests and the like. */
const CODE_FIELDS: readonly string[] = ['address', 'addresses', 'checksum', 'digest', 'explorer'];

function textOf({ action, targetType }: Subject, { field, value }: Leaf, record: unknown, { texts }: Words): string {
  const own = texts?.[field];
  if (own) return own(value as never);
  const text = auditValueText({ action, targetType, record }, field, value) ?? leafText(value);
  return text === '' ? '（空）' : text;
}

/** The values of a record that are shown on their own, by their path. */
function leavesOf(subject: Subject, record: unknown, words: Words): Leaves {
  const { names, texts, keyOf = (key) => key } = words;
  const leaves = new Map<string, Leaf>();
  const collect = (value: unknown, path: readonly string[]): void => {
    if (value === undefined) return;
    const field = path.at(-1) ?? '';
    if (isLeaf(value) || (texts && Object.hasOwn(texts, field))) {
      const labels = path.map((part) => names[part] ?? auditFieldText(subject, part)).filter((label) => label !== '');
      leaves.set(stableJson(path), { field, label: labels.join(' · ') || (names[''] ?? '值'), value });
    } else {
      for (const [key, child] of Object.entries(byNetwork(value as object))) collect(child, [...path, keyOf(key)]);
    }
  };
  if (record !== null) collect(record, []);
  return leaves;
}

/** Networks by their names, so that a network that is added or moved is not compared with another. */
function byNetwork(value: object): object {
  if (!Array.isArray(value)) return value;
  const named = value.filter((one: unknown) => typeof one === 'object' && one !== null && 'network' in one);
  return named.length === value.length
    ? Object.fromEntries(named.map((one: { network: unknown }) => [String(one.network), one]))
    : value;
}
