export interface DiffLine {
  path: string;
  before: string | undefined;
  after: string | undefined;
  kind: 'same' | 'changed' | 'added' | 'removed';
}

type Leaves = Map<string, string>;
/** What a value means in an operator's words; undefined where it says itself. */
export type Words = (path: string, value: unknown) => string | undefined;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list of plain values is read as one; only what holds fields of its own is taken apart. */
const isLeaf = (value: unknown): boolean =>
  !isBranch(value) || Object.keys(value).length === 0 || (Array.isArray(value) && !value.some(isBranch));

const plain = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.length > 0
      ? value.map(String).join('、')
      : JSON.stringify(value);

/** Every leaf under its dotted path. Empty branches are leaves too, or they could not be told from missing ones. */
function leavesOf(value: unknown, path: string, into: Leaves, words: Words): Leaves {
  if (value === undefined) return into;
  if (isLeaf(value)) {
    if (path !== '' || value !== null) into.set(path, words(path, value) ?? plain(value));
    return into;
  }
  for (const [key, part] of Object.entries(value as object))
    leavesOf(part, path === '' ? key : `${path}.${key}`, into, words);
  return into;
}

/** What differs between the record before and after, field by field; what is new stands behind what was there. */
export function diffOf(
  before: unknown,
  after: unknown,
  words: (record: unknown) => Words = () => () => undefined,
): DiffLine[] {
  const old = leavesOf(before, '', new Map(), words(before));
  const now = leavesOf(after, '', new Map(), words(after));
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => {
    const [b, a] = [old.get(path), now.get(path)];
    const kind = b === undefined ? 'added' : a === undefined ? 'removed' : b === a ? 'same' : 'changed';
    return { path, before: b, after: a, kind };
  });
}
