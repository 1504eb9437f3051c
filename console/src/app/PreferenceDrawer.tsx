import './preference-drawer.css';
import { CheckCircleOutlined, CloudSyncOutlined } from '@ant-design/icons';
import { Button, Radio, Select } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useCasePlaceChoice } from '../lists/open-id.ts';
import { useDefaultRefresh } from '../lists/list.ts';
import { useMe } from '../api/me.ts';
import { densityLabels, modeLabels, priceLabels, useTheme } from './theme.ts';
import { PageDrawer } from '../ui/dialog/PageDrawer.tsx';
import { REFRESH_SECONDS } from '../ui/table/list-view.ts';
import { usePreferenceState } from '../ui/browser/preference.ts';
import { formatTime, offsetText } from '../ui/value/zone.ts';
import { useSeveralGroups } from './SideMenu.tsx';
import { useZoneChoice, zoneName, zoneNames } from './zone-choice.ts';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** 偏好设置: display preferences, applied immediately. */
export function PreferenceDrawer({ open, onClose }: Props) {
  const { mode, setMode, density, setDensity, prices, setPrices, isMenuDark, setMenuDark } = useTheme();
  const [zone, setZone] = useZoneChoice();
  const [casePlace, setCasePlace] = useCasePlaceChoice();
  const [isSeveral, setIsSeveral] = useSeveralGroups();
  const [refreshSeconds, setRefreshSeconds] = useDefaultRefresh();
  const me = useMe();
  const zones = [...new Set([me.zone, ...Object.keys(zoneNames), zone])];
  const now = useClock(open);

  function reset() {
    for (const set of [
      setMode,
      setMenuDark,
      setDensity,
      setPrices,
      setZone,
      setRefreshSeconds,
      setIsSeveral,
      setCasePlace,
    ])
      set(undefined);
  }

  return (
    <PageDrawer
      open={open}
      title="偏好设置"
      width={400}
      extra={
        <Button type="link" size="small" onClick={reset}>
          恢复默认
        </Button>
      }
      footer={<SyncState />}
      onClose={onClose}
    >
      <Choice title="主题" labels={modeLabels} value={mode} onChange={setMode} />
      <Choice
        title="菜单"
        sample="浅色菜单只用于浅色主题"
        labels={{ dark: '深色菜单', light: '浅色菜单' }}
        value={isMenuDark ? 'dark' : 'light'}
        onChange={(menu) => setMenuDark(menu === 'dark')}
      />
      <Choice
        title="涨跌颜色"
        sample={
          <>
            <span className="ht-app-up">▲ +2.35%</span>
            <span className="ht-app-down">▼ -1.20%</span>
          </>
        }
        labels={priceLabels}
        value={prices}
        onChange={setPrices}
      />
      <Choice
        title="列表密度"
        sample={density === 'compact' ? '行高 36，同屏显示更多' : '行高 48'}
        labels={densityLabels}
        value={density}
        onChange={setDensity}
      />
      <Choice
        title="打开提现、认证、认购、复核"
        sample="点击一行、按 Enter 和审核队列都按此打开"
        labels={{ drawer: '在列表旁', page: '在单独的标签页' }}
        value={casePlace}
        onChange={setCasePlace}
      />
      <Choice
        title="菜单分组"
        labels={{ one: '一次展开一组', several: '可展开多组' }}
        value={isSeveral ? 'several' : 'one'}
        onChange={(groups) => setIsSeveral(groups === 'several')}
      />
      <Setting title="时区" sample={<time>{formatTime(now, zone)}</time>}>
        {(label) => (
          <Select
            className="ht-app-setting-select"
            aria-labelledby={label}
            value={zone}
            onChange={setZone}
            options={zones.map((name) => ({
              value: name,
              label: `${zoneName(name)}　${offsetText(now, name)}${name === me.zone ? '　报表时区' : ''}`,
            }))}
          />
        )}
      </Setting>
      <Setting title="列表自动刷新" sample="用于没有单独设置过的列表">
        {(label) => (
          <Select<number | 'page'>
            className="ht-app-setting-select"
            aria-labelledby={label}
            value={refreshSeconds ?? 'page'}
            onChange={(next) => setRefreshSeconds(next === 'page' ? undefined : next)}
            options={[
              { value: 'page', label: '按各列表的默认' },
              ...REFRESH_SECONDS.map((seconds) => ({
                value: seconds,
                label: seconds === 0 ? '关闭' : `${seconds} 秒`,
              })),
            ]}
          />
        )}
      </Setting>
    </PageDrawer>
  );
}

interface SettingProps {
  title: string;
  sample?: ReactNode;
  children: (label: string) => ReactNode;
}

function Setting({ title, sample, children }: SettingProps) {
  const label = useId();
  return (
    <section className="ht-app-setting">
      <h3 id={label}>{title}</h3>
      {children(label)}
      {sample && <p className="ht-app-setting-sample">{sample}</p>}
    </section>
  );
}

interface ChoiceProps<K extends string> extends Omit<SettingProps, 'children'> {
  /** The label of each value. */
  labels: Readonly<Record<K, string>>;
  value: K;
  onChange: (value: K) => void;
}

/** A setting with a button for each value. */
const Choice = <K extends string>({ labels, value, onChange, ...setting }: ChoiceProps<K>) => (
  <Setting {...setting}>
    {(label) => (
      <Radio.Group
        aria-labelledby={label}
        optionType="button"
        value={value}
        onChange={({ target }) => onChange(target.value as K)}
        options={Object.entries<string>(labels).map(([key, text]) => ({ value: key, label: text }))}
      />
    )}
  </Setting>
);

/** Whether all preferences are saved on the server, where they follow the operator to other browsers. */
function SyncState() {
  const { unsent } = usePreferenceState();
  return (
    <span className="ht-app-setting-kept" role="status">
      {unsent > 0 ? <CloudSyncOutlined aria-hidden /> : <CheckCircleOutlined aria-hidden />}
      {unsent > 0 ? `${unsent} 项待同步，恢复连接后自动保存` : '已保存，换一台电脑登录同样有效'}
    </span>
  );
}

/** The current time in unix milliseconds, updated every second while running. */
function useClock(running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
