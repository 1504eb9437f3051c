// @vitest-environment happy-dom
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { Me } from '@hengtai/contract/house/session/schema';
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

test('accounts and wallets of the house open with full scope and one of two abilities', () => {
  for (const path of ['/house', '/house/entry', '/wallet-coin', '/wallet-item', '/wallet-transfer', '/wallet']) {
    for (const ability of [ABILITY.assets, ABILITY.audit]) {
      expect(closedTo(meWith([ability, ABILITY.headquarters]))).not.toContain(path);
      expect(closedTo(meWith([ability]))).toContain(path);
    }
    expect(closedTo(meWith([ABILITY.platform, ABILITY.headquarters]))).toContain(path);
  }
});

test('announcements and settings need their own permission', () => {
  expect(closedTo(meWith([]))).toEqual(expect.arrayContaining(SETTINGS));
  expect(closedTo(meWith([], true))).not.toEqual(expect.arrayContaining(['/config']));
});

/** The menu of the specification, then groups of our own. */
const MENU = [
  '首页',
  '代理管理',
  '用户管理: 用户列表 用户认证',
  '资金管理: 充值记录 提现记录 资金记录 内部转账明细',
  '市场管理',
  '行情管理: 风控计划 预设K线',
  '现货交易',
  '合约交易: 当前委托 当前持仓 委托历史 平仓历史',
  '秒合约: 设置 进行中 历史',
  '代币认购: 审核 历史',
  '公告管理',
  '系统设置',
  '打款风控: 提现规则 自动打款 提现限额与手续费 地址名单 钱包对账 链上差异 钱包调拨 平台账户',
  '安全与审计: 复核 告警 平台指令 审计日志 登录会话 报表',
];

test('the menu has the entries and the order of the specification, and groups of our own after them', () => {
  setPages(pages);
  const linesOf = (me: Me) =>
    menuOf(me).map(({ label, children }) =>
      children ? `${label}: ${children.map((child) => child.label).join(' ')}` : label,
    );
  expect(linesOf(meWith(Object.values(ABILITY), true))).toEqual(MENU);
  // Without their permission there is no entry, and without entries no group.
  const hidden = /公告管理|系统设置|打款风控/;
  expect(linesOf(meWith([]))).toEqual(
    MENU.filter((line) => !hidden.test(line)).map((line) => line.replace(/ (预设K线|审计日志)/, '')),
  );
});
