import {
  ApartmentOutlined,
  FieldTimeOutlined,
  FundOutlined,
  HomeOutlined,
  InsuranceOutlined,
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
import type { Me } from '@hengtai/contract/house/session/schema';
import type { ComponentType, ReactNode } from 'react';
import { canOpen } from '../navigation/can-open.ts';
import type { PageDef } from '../navigation/page-def.ts';
import { KLINE_SETTING_PATH } from '../navigation/kline-setting-path.ts';
import { getPages } from '../navigation/page-table.ts';

/** Key of the entry that opens the external chart site. */
export const CHART_SITE = 'chart-site';

interface Group {
  key: NonNullable<PageDef['group']>;
  title: string;
  icon: ComponentType;
  /** Ends with the entry of the external chart site. */
  hasChartSite?: true;
}

interface Single {
  path: string;
  icon: ComponentType;
}

/** The entries of the specification in its order, then groups of our own. */
const menu: readonly (Group | Single)[] = [
  { path: '/home', icon: HomeOutlined },
  { path: '/agent', icon: ApartmentOutlined },
  { key: 'users', title: '用户管理', icon: TeamOutlined },
  { key: 'funds', title: '资金管理', icon: WalletOutlined },
  { path: '/market', icon: ShopOutlined },
  { key: 'quotes', title: '行情管理', icon: LineChartOutlined, hasChartSite: true },
  { path: '/trade/order', icon: SwapOutlined },
  { key: 'futures', title: '合约交易', icon: FundOutlined },
  { key: 'seconds', title: '秒合约', icon: FieldTimeOutlined },
  { key: 'ieo', title: '代币认购', icon: RocketOutlined },
  { path: '/announce', icon: NotificationOutlined },
  { path: '/config', icon: SettingOutlined },
  { key: 'payouts', title: '打款风控', icon: InsuranceOutlined },
  { key: 'safety', title: '安全与审计', icon: SafetyCertificateOutlined },
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

/** Leads to the setting until it has an address. */
const chartSiteEntries = ({ planSet, kline }: Me): MenuEntry[] =>
  planSet ? [{ key: CHART_SITE, label: '预设K线', ...(kline ? { site: kline } : { path: KLINE_SETTING_PATH }) }] : [];

function entriesOf(page: PageDef, me: Me): MenuEntry[] {
  if (!canOpen(me, page)) return [];
  return [{ key: page.path, label: page.menu ?? page.title, path: page.path }];
}

/** Menu entries that the operator may see, in fixed order. */
export function menuOf(me: Me): MenuEntry[] {
  const entriesWhere = (isIncluded: (page: PageDef) => boolean): MenuEntry[] =>
    getPages()
      .filter(isIncluded)
      .flatMap((page) => entriesOf(page, me));
  return menu.flatMap((item) => {
    const Icon = item.icon;
    const icon = <Icon />;
    if ('path' in item) return entriesWhere(({ path }) => path === item.path).map((entry) => ({ ...entry, icon }));
    const children = [
      ...entriesWhere(({ group }) => group === item.key),
      ...(item.hasChartSite ? chartSiteEntries(me) : []),
    ];
    return children.length > 0 ? [{ key: item.key, label: item.title, icon, children }] : [];
  });
}

/** Key of the menu group of a page. */
export const groupOf = (path: string): string | undefined => getPages().find((page) => page.path === path)?.group;
