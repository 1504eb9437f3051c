import { describe, expect, it } from 'vitest';
import { diffOf } from './diff.ts';

describe('diffOf', () => {
  it('tells what changed from what came and went', () => {
    expect(
      diffOf({ state: 0, by: 'a', gone: 1, same: 'x' }, { state: 2, by: 'a', same: 'x', fresh: { deep: [true] } }),
    ).toEqual([
      { path: 'state', before: '0', after: '2', kind: 'changed' },
      { path: 'by', before: 'a', after: 'a', kind: 'same' },
      { path: 'gone', before: '1', after: undefined, kind: 'removed' },
      { path: 'same', before: 'x', after: 'x', kind: 'same' },
      { path: 'fresh.deep.0', before: undefined, after: 'true', kind: 'added' },
    ]);
  });
  it('takes nothing before or after', () => {
    expect(diffOf(null, { id: 1 })).toEqual([{ path: 'id', before: undefined, after: '1', kind: 'added' }]);
    expect(diffOf(null, null)).toEqual([]);
    expect(diffOf('a', 'b')).toEqual([{ path: '', before: 'a', after: 'b', kind: 'changed' }]);
  });
  it('keeps null and empty apart from missing', () => {
    expect(diffOf({ a: null, b: [] }, { a: '', b: [] }).map(({ before, after }) => [before, after])).toEqual([
      ['null', ''],
      ['[]', '[]'],
    ]);
  });
});
