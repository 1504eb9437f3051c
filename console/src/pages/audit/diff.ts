export interface DiffLine {
  path: string;
  before: string | undefined;
  after: string | undefined;
  kind: 'same' | 'changed' | 'added' | 'removed';
}

type Leaves = Map<string, string>;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Every leaf under its dotted path. Empty branches are leaves too, or they could not be told from missing ones. */
function leavesOf(value: unknown, path: string, into: Leaves): Leaves {
  if (value === undefined) return into;
  const entries = isBranch(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    if (path !== '' || value !== null) into.set(path, typeof value === 'string' ? value : JSON.stringify(value));
    return into;
  }
  for (const [key, part] of entries) leavesOf(part, path === '' ? key : `${path}.${key}`, into);
  return into;
}

/** What differs between the record before and after, field by field; what is new stands behind what was there. */
export function diffOf(before: unknown, after: unknown): DiffLine[] {
  const old = leavesOf(before, '', new Map());
  const now = leavesOf(after, '', new Map());
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => {
    const [b, a] = [old.get(path), now.get(path)];
    const kind = b === undefined ? 'added' : a === undefined ? 'removed' : b === a ? 'same' : 'changed';
    return { path, before: b, after: a, kind };
  });
}
