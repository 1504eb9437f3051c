import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ClaimNote } from './ClaimNote.tsx';
import type { Claim } from './claims.ts';

type Holder = NonNullable<NonNullable<Claim['answer']>['holder']>;
const HERE: Holder = { operator: 'ada', mine: true, here: true, since: 0 };
const OTHER: Holder = { operator: 'bob', mine: false, here: false, since: 0 };

function textOf(holder: Holder, viewers: (string | null)[]): string {
  const answer = { waiting: true, holder, viewers };
  const claim: Claim = { type: 'withdraw', id: 1, answer, answeredAt: 0, wasHere: false, isStale: false };
  return renderToStaticMarkup(<ClaimNote claim={claim} />).replaceAll(/<[^>]+>/g, '');
}

test.each<[Holder, (string | null)[], string]>([
  [HERE, [], '您正在处理'],
  [HERE, ['bob'], '您正在处理，bob 也在查看'],
  [HERE, ['bob', 'eve'], '您正在处理，bob、eve 也在查看'],
  [HERE, ['bob', 'eve', 'joe'], '您正在处理，bob、eve 等 3 人也在查看'],
  [HERE, ['bob', null, null], '您正在处理，bob、其他操作员 等 3 人也在查看'],
  [HERE, [null, null], '您正在处理，其他操作员 等 2 人也在查看'],
  [OTHER, [], 'bob 正在处理'],
  [OTHER, ['eve'], 'bob 正在处理，eve 也在查看'],
  [{ ...HERE, here: false }, [null], '您在另一个页面处理，其他操作员 也在查看'],
])('names at most two viewers: %o %o', (holder, viewers, text) => {
  expect(textOf(holder, viewers)).toBe(text);
});
