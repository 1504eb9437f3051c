export interface DiffLine {
  path: string;
  before: string | undefined;
  after: string | undefined;
  kind: 'same' | 'changed' | 'added' | 'removed';
}

type Leaves = Map<string, string>;
/** Text of a value for the operator; undefined if the value needs no translation. */
export type ValueText = (path: string, value: unknown) => string | undefined;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list of plain values is one leaf; only objects and lists of objects are split. */
const isLeaf = (value: unknown): boolean =>
  !isBranch(value) || Object.keys(value).length === 0 || (Array.isArray(value) && !value.some(isBranch));

const leafText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.length > 0
      ? value.map(String).join('、')
      : JSON.stringify(value);

/** Collects every leaf under its dotted path. Empty objects and lists are leaves, to differ from missing ones. */
function leavesOf(value: unknown, path: string, into: Leaves, words: ValueText): Leaves {
  if (value === undefined) return into;
  if (isLeaf(value)) {
    if (path !== '' || value !== null) into.set(path, words(path, value) ?? leafText(value));
    return into;
  }
  for (const [key, child] of Object.entries(value as object))
    leavesOf(child, path === '' ? key : `${path}.${key}`, into, words);
  return into;
}

/** Compares two records field by field. New fields come after those that existed before. */
export function diffOf(
  before: unknown,
  after: unknown,
  words: (record: unknown) => ValueText = () => () => undefined,
): DiffLine[] {
  const old = leavesOf(before, '', new Map(), words(before));
  const now = leavesOf(after, '', new Map(), words(after));
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => {
    const [b, a] = [old.get(path), now.get(path)];
    const kind = b === undefined ? 'added' : a === undefined ? 'removed' : b === a ? 'same' : 'changed';
    return { path, before: b, after: a, kind };
  });
}
