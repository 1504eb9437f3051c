import './header-tools.css';
import { BgColorsOutlined, DownOutlined, GlobalOutlined, UserOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import { Suspense, useState } from 'react';
import { useMe } from '../api/me.ts';
import { type PriceColours, type ThemeMode, densityLabels, modeLabels, priceLabels, useTheme } from './theme.ts';
import { dialogOnDemand, onDemand } from '../ui/page/on-demand.tsx';
import type { Density } from '../ui/table/density.ts';
import { lazyComponent } from '../ui/page/lazy-component.tsx';
import { offsetText } from '../ui/value/zone.ts';
import { Bell } from '../domains/desk/notification/exported/Bell.tsx';
import { logOut } from '../api/log-out.ts';
import { openPath } from '../navigation/open-path.ts';
import { useZoneChoice, zoneName, zoneNames } from './zone-choice.ts';

const Exports = lazyComponent(
  async () => (await import('../domains/desk/export/exported/Exports.tsx')).Exports,
  () => null,
);

const ChangePasswordDialog = dialogOnDemand(
  async () => (await import('../domains/house/security/exported/ChangePasswordDialog.tsx')).ChangePasswordDialog,
);

const PreferenceDrawer = onDemand(async () => (await import('./PreferenceDrawer.tsx')).PreferenceDrawer);

const AbsenceDialog = dialogOnDemand(async () => (await import('./AbsenceDialog.tsx')).AbsenceDialog);

const SecurityDrawer = onDemand(
  async () => (await import('../domains/house/security/exported/SecurityDrawer.tsx')).SecurityDrawer,
);

/** Zone, display settings, exports, bell and operator menu: loaded after the first paint. */
export const HeaderTools = () => (
  <>
    <ZoneSwitch />
    <LookSwitch />
    <Suspense fallback={<span className="ht-app-export-place" />}>
      <Exports />
    </Suspense>
    <Bell />
    <OperatorMenu />
  </>
);

function ZoneSwitch() {
  const me = useMe();
  const [zone, setZone] = useZoneChoice();
  const [now] = useState(Date.now);
  const all = [...new Set([me.zone, ...Object.keys(zoneNames), zone])];
  const menu: MenuProps = {
    selectable: true,
    selectedKeys: [zone],
    items: [
      {
        type: 'group',
        label: '显示时间所用的时区',
        children: all.map((name) => ({
          key: name,
          label: <ZoneLabel zone={name} now={now} />,
        })),
      },
    ],
    onClick: ({ key }) => setZone(key),
  };
  return (
    <Dropdown trigger={['click']} menu={menu}>
      <Button type="text" icon={<GlobalOutlined />} aria-label={`时区 ${zoneName(zone)} ${offsetText(now, zone)}`}>
        {offsetText(now, zone)}
      </Button>
    </Dropdown>
  );
}

/** A component, so that it is computed only when the menu opens: the first use of a zone costs milliseconds. */
function ZoneLabel({ zone, now }: { zone: string; now: number }) {
  const me = useMe();
  return `${zoneName(zone)}　${offsetText(now, zone)}${zone === me.zone ? '　报表时区' : ''}`;
}

const labelledGroup = (label: string, labels: Readonly<Record<string, string>>) => ({
  type: 'group' as const,
  label,
  children: Object.entries(labels).map(([key, text]) => ({ key, label: text })),
});

function LookSwitch() {
  const { mode, setMode, density, setDensity, prices, setPrices } = useTheme();
  // Undefined until first opened, so that the drawer is not loaded before.
  const [isDrawerOpen, setIsDrawerOpen] = useState<boolean>();
  const [open, setOpen] = useState(false);
  const menu: MenuProps = {
    selectable: true,
    multiple: true,
    selectedKeys: [mode, density, prices],
    items: [
      labelledGroup('主题', modeLabels),
      labelledGroup('列表密度', densityLabels),
      labelledGroup('涨跌颜色', priceLabels),
      { type: 'divider' },
      { key: 'all', label: '偏好设置…' },
    ],
    onClick: ({ key }) => {
      if (Object.hasOwn(modeLabels, key)) setMode(key as ThemeMode);
      else if (Object.hasOwn(densityLabels, key)) setDensity(key as Density);
      else if (Object.hasOwn(priceLabels, key)) setPrices(key as PriceColours);
      else {
        setOpen(false);
        setIsDrawerOpen(true);
      }
    },
  };
  return (
    <>
      <Dropdown open={open} onOpenChange={setOpen} trigger={['click']} menu={menu}>
        <Button type="text" icon={<BgColorsOutlined />} aria-label="显示设置" title="显示设置" />
      </Dropdown>
      {isDrawerOpen !== undefined && <PreferenceDrawer open={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} />}
    </>
  );
}

function OperatorMenu() {
  const me = useMe();
  const [isChangingPassword, setIsChangingPassword] = useState(false);
  const [isAbsenceOpen, setIsAbsenceOpen] = useState(false);
  // Undefined until first opened, so that the drawer is not loaded before.
  const [isSecurityOpen, setIsSecurityOpen] = useState<boolean>();
  const menu: MenuProps = {
    items: [
      { key: 'password', label: '修改密码' },
      { key: 'safety', label: '安全设置' },
      { key: 'channels', label: '通知渠道与定时导出' },
      { key: 'absence', label: '暂离与返回…' },
      { type: 'divider' },
      { key: 'logout', label: '退出登录' },
    ],
    onClick: ({ key }) => {
      if (key === 'password') setIsChangingPassword(true);
      if (key === 'safety') setIsSecurityOpen(true);
      if (key === 'channels') openPath('/channel');
      if (key === 'absence') setIsAbsenceOpen(true);
      if (key === 'logout') void logOut();
    },
  };
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={menu}>
        <Button type="text" icon={<UserOutlined />}>
          <span className="ht-app-operator-name">{me.admin}</span>
          <DownOutlined />
        </Button>
      </Dropdown>
      {isAbsenceOpen && <AbsenceDialog onClose={() => setIsAbsenceOpen(false)} />}
      {isChangingPassword && <ChangePasswordDialog onClose={() => setIsChangingPassword(false)} />}
      {isSecurityOpen !== undefined && (
        <SecurityDrawer open={isSecurityOpen} onClose={() => setIsSecurityOpen(false)} />
      )}
    </>
  );
}
