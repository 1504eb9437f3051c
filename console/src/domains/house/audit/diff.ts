export interface DiffLine {
  path: string;
  before: string | undefined;
  after: string | undefined;
  kind: 'same' | 'changed' | 'added' | 'removed';
}

/** Compares the texts of two records field by field. New fields come after those that existed before. */
export function diffOf(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): DiffLine[] {
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => {
    const [b, a] = [old.get(path), now.get(path)];
    const kind = b === undefined ? 'added' : a === undefined ? 'removed' : b === a ? 'same' : 'changed';
    return { path, before: b, after: a, kind };
  });
}
