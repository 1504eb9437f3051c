// @vitest-environment happy-dom
import { ABILITY } from '@hengtai/contract/ability';
import type { Me } from '@hengtai/contract/session.schema';
import { expect, test } from 'vitest';
import { menuOf } from '../app/menu.tsx';
import { pages } from '../app/pages.ts';
import { canOpen } from './can-open.ts';
import { setPages } from './page-table.ts';

const HOUSE = [ABILITY.platform, ABILITY.headquarters];
const SETTINGS = ['/announce', '/announce/add', '/announce/update/:id', '/config', '/config/history'];
const meWith = (abilities: readonly number[], planSet = false) => ({ top: false, planSet, abilities }) as unknown as Me;
const closedTo = (me: Me) => pages.filter((page) => !canOpen(me, page)).map(({ path }) => path);

test('each page opens with the abilities that it needs, and not with a part of them', () => {
  for (const [path, abilities] of [
    ['/rule', HOUSE],
    ['/address-list', HOUSE],
    ['/withdraw-limit', HOUSE],
    ['/audit', [ABILITY.audit]],
  ] as const) {
    expect(closedTo(meWith(abilities))).not.toContain(path);
    for (const one of abilities) expect(closedTo(meWith(abilities.filter((other) => other !== one)))).toContain(path);
  }
});

test('announcements and settings need their own permission, and the menu has no entry without it', () => {
  setPages(pages);
  const labelsOf = (planSet: boolean) => menuOf(meWith([], planSet)).map(({ label }) => label);
  expect(closedTo(meWith([]))).toEqual(expect.arrayContaining(SETTINGS));
  expect(labelsOf(false)).toContain('市场管理');
  expect(labelsOf(false)).not.toContain('公告管理');
  expect(labelsOf(false)).not.toContain('系统设置');
  expect(labelsOf(true)).toEqual(expect.arrayContaining(['公告管理', '系统设置']));
  expect(closedTo(meWith([], true))).not.toEqual(expect.arrayContaining(['/config']));
});
