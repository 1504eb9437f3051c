import { BgColorsOutlined, DownOutlined, GlobalOutlined, UserOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import { Suspense, lazy, useState } from 'react';
import { useMe } from '../api/me.ts';
import { useTheme } from './theme.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { offsetText } from '../ui/zone.ts';
import { Bell } from '../features/notification/exported/Bell.tsx';
import { logOut } from '../api/log-out.ts';
import { openPath } from '../navigation/open-path.ts';
import { useZoneChoice, zoneName, zoneNames } from './zone-choice.ts';

const Exports = lazyComponent(
  async () => (await import('../features/export/exported/Exports.tsx')).Exports,
  () => null,
);

const ChangePasswordDialog = lazy(async () => ({
  default: (await import('../features/security/exported/ChangePasswordDialog.tsx')).ChangePasswordDialog,
}));

const PreferenceDrawer = lazy(async () => ({ default: (await import('./PreferenceDrawer.tsx')).PreferenceDrawer }));

const SecurityDrawer = lazy(async () => ({
  default: (await import('../features/security/exported/SecurityDrawer.tsx')).SecurityDrawer,
}));

/** Zone, display settings, exports, bell and operator menu: loaded after the first paint. */
export const HeaderTools = () => (
  <>
    <ZoneSwitch />
    <LookSwitch />
    <Suspense fallback={<span className="sh-export-place" />}>
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

function LookSwitch() {
  const { mode, setMode, density, setDensity, prices, setPrices } = useTheme();
  // Undefined until first opened, so that the drawer is not loaded before.
  const [isDrawerOpen, setIsDrawerOpen] = useState<boolean>();
  const [open, setOpen] = useState(false);
  const choices: Record<string, () => void> = {
    light: () => setMode('light'),
    dark: () => setMode('dark'),
    system: () => setMode('system'),
    comfortable: () => setDensity('comfortable'),
    compact: () => setDensity('compact'),
    'green-up': () => setPrices('green-up'),
    'red-up': () => setPrices('red-up'),
    all: () => {
      setOpen(false);
      setIsDrawerOpen(true);
    },
  };
  const menu: MenuProps = {
    selectable: true,
    multiple: true,
    selectedKeys: [mode, density, prices],
    items: [
      {
        type: 'group',
        label: '主题',
        children: [
          { key: 'light', label: '浅色' },
          { key: 'dark', label: '深色' },
          { key: 'system', label: '跟随系统' },
        ],
      },
      {
        type: 'group',
        label: '列表密度',
        children: [
          { key: 'comfortable', label: '舒适' },
          { key: 'compact', label: '紧凑' },
        ],
      },
      {
        type: 'group',
        label: '涨跌颜色',
        children: [
          { key: 'green-up', label: '绿涨红跌' },
          { key: 'red-up', label: '红涨绿跌' },
        ],
      },
      { type: 'divider' },
      { key: 'all', label: '偏好设置…' },
    ],
    onClick: ({ key }) => choices[key]?.(),
  };
  return (
    <>
      <Dropdown open={open} onOpenChange={setOpen} trigger={['click']} menu={menu}>
        <Button type="text" icon={<BgColorsOutlined />} aria-label="显示设置" title="显示设置" />
      </Dropdown>
      {isDrawerOpen !== undefined && (
        <Suspense>
          <PreferenceDrawer open={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function OperatorMenu() {
  const me = useMe();
  const [isChangingPassword, setIsChangingPassword] = useState(false);
  // Undefined until first opened, so that the drawer is not loaded before.
  const [isSecurityOpen, setIsSecurityOpen] = useState<boolean>();
  const menu: MenuProps = {
    items: [
      { key: 'password', label: '修改密码' },
      { key: 'safety', label: '安全设置' },
      { key: 'channels', label: '通知渠道与定时导出' },
      { type: 'divider' },
      { key: 'logout', label: '退出登录' },
    ],
    onClick: ({ key }) => {
      if (key === 'password') setIsChangingPassword(true);
      if (key === 'safety') setIsSecurityOpen(true);
      if (key === 'channels') openPath('/channel');
      if (key === 'logout') void logOut();
    },
  };
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={menu}>
        <Button type="text" icon={<UserOutlined />} className="sh-operator">
          <span className="sh-operator-name">{me.admin}</span>
          <DownOutlined />
        </Button>
      </Dropdown>
      {isChangingPassword && (
        <Suspense>
          <ChangePasswordDialog onClose={() => setIsChangingPassword(false)} />
        </Suspense>
      )}
      {isSecurityOpen !== undefined && (
        <Suspense>
          <SecurityDrawer open={isSecurityOpen} onClose={() => setIsSecurityOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
