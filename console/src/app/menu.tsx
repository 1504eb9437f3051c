import {
  ApartmentOutlined,
  FieldTimeOutlined,
  FundOutlined,
  HomeOutlined,
  LineChartOutlined,
  NotificationOutlined,
  RocketOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShopOutlined,
  SwapOutlined,
  TeamOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import type { Me } from '@hengtai/contract/session.schema';
import type { ComponentType, ReactNode } from 'react';
import { can } from '../api/me.ts';
import { getPages } from '../navigation/page-table.ts';

/** Key of the entry that opens the external chart site. */
export const CHART_SITE = 'chart-site';

interface Group {
  key: string;
  title: string;
  icon: ComponentType;
  paths: readonly string[];
}

interface Single {
  path: string;
  icon: ComponentType;
}

const menu: readonly (Group | Single)[] = [
  { path: '/home', icon: HomeOutlined },
  { path: '/agent', icon: ApartmentOutlined },
  { key: 'users', title: '用户管理', icon: TeamOutlined, paths: ['/user', '/auth'] },
  {
    key: 'funds',
    title: '资金管理',
    icon: WalletOutlined,
    paths: ['/recharge', '/withdraw', '/fund/record', '/internalTransfer'],
  },
  { path: '/market', icon: ShopOutlined },
  { key: 'quotes', title: '行情管理', icon: LineChartOutlined, paths: ['/plan', CHART_SITE] },
  { path: '/trade/order', icon: SwapOutlined },
  {
    key: 'futures',
    title: '合约交易',
    icon: FundOutlined,
    paths: ['/future/wait', '/future/open', '/future/open_history', '/future/close_history'],
  },
  {
    key: 'seconds',
    title: '秒合约',
    icon: FieldTimeOutlined,
    paths: ['/second/config', '/second/open', '/second/close'],
  },
  { key: 'ieo', title: '代币认购', icon: RocketOutlined, paths: ['/ieo/review', '/ieo/history'] },
  { path: '/announce', icon: NotificationOutlined },
  { path: '/config', icon: SettingOutlined },
  {
    key: 'safety',
    title: '安全与审计',
    icon: SafetyCertificateOutlined,
    paths: ['/approval', '/alarm', '/command', '/audit', '/session', '/report'],
  },
];

export interface MenuEntry {
  key: string;
  icon?: ReactNode;
  label: string;
  /** Undefined for entries without a page. */
  path?: string;
  /** External site, opened in a new window. */
  site?: string;
  children?: MenuEntry[];
}

function entriesOf(path: string, me: Me): MenuEntry[] {
  if (path === CHART_SITE)
    return me.planSet ? [{ key: CHART_SITE, label: '预设K线', ...(me.kline && { site: me.kline }) }] : [];
  const page = getPages().find((one) => one.path === path);
  if (!page || (page.planSet && !me.planSet) || (page.ability !== undefined && !can(me, page.ability))) return [];
  return [{ key: path, label: page.menu ?? page.title, path }];
}

/** Menu entries that the operator may see, in fixed order. */
export function menuOf(me: Me): MenuEntry[] {
  return menu.flatMap((item) => {
    const Icon = item.icon;
    const icon = <Icon />;
    if ('path' in item) return entriesOf(item.path, me).map((entry) => ({ ...entry, icon }));
    const children = item.paths.flatMap((path) => entriesOf(path, me));
    return children.length > 0 ? [{ key: item.key, label: item.title, icon, children }] : [];
  });
}

/** Key of the menu group of a page. */
export const groupOf = (path: string): string | undefined =>
  menu.find((item): item is Group => 'paths' in item && item.paths.includes(path))?.key;
