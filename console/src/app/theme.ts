import { type ThemeConfig, theme as antd } from 'antd';
import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { type Density, useDensity } from '../ui/table/density.ts';
import { usePreference } from '../ui/browser/preference.ts';

export const modeLabels = { light: '浅色', dark: '深色', system: '跟随系统' } as const;
export type ThemeMode = keyof typeof modeLabels;
export const priceLabels = { 'green-up': '绿涨红跌', 'red-up': '红涨绿跌' } as const;
export type PriceColours = keyof typeof priceLabels;
export const densityLabels = { comfortable: '舒适', compact: '紧凑' } as const satisfies Record<Density, string>;

const parseKey =
  <K extends string>(labels: Readonly<Record<K, string>>) =>
  (stored: unknown): K | undefined =>
    typeof stored === 'string' && Object.hasOwn(labels, stored) ? (stored as K) : undefined;
const parseFlag = (stored: unknown): boolean | undefined => (typeof stored === 'boolean' ? stored : undefined);

const darkSchemeQuery = () => window.matchMedia('(prefers-color-scheme: dark)');

function subscribeSystem(listener: () => void) {
  const query = darkSchemeQuery();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** The operator's display preferences and their setters. */
export function useTheme() {
  const [mode, setMode] = usePreference<ThemeMode>('theme', 'system', parseKey(modeLabels));
  const [prices, setPrices] = usePreference<PriceColours>('prices', 'green-up', parseKey(priceLabels));
  const [density, setDensity] = useDensity();
  const [isMenuDark, setMenuDark] = usePreference('menu.dark', true, parseFlag);
  const system = useSyncExternalStore(subscribeSystem, () => darkSchemeQuery().matches);
  const dark = mode === 'dark' || (mode === 'system' && system);
  return { mode, setMode, dark, prices, setPrices, density, setDensity, isMenuDark, setMenuDark };
}

/** Theme of the last operator, read by theme-boot.js before the login is painted. */
const LOOK_KEY = 'hengtai.look';

/** Writes theme, menu, price colours and density to data attributes of the document element, which the style sheets read. */
export function DocumentTheme() {
  const { mode, dark, prices, density, isMenuDark } = useTheme();
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset['prices'] = prices;
    dataset['density'] = density;
    dataset['menu'] = isMenuDark ? 'dark' : 'light';
  }, [prices, density, isMenuDark]);
  useLayoutEffect(() => changeTheme(dark ? 'dark' : 'light'), [dark]);
  useEffect(() => {
    try {
      localStorage.setItem(LOOK_KEY, JSON.stringify(mode));
    } catch {
      // Storage may be forbidden: the login then follows the system theme.
    }
  }, [mode]);
  return null;
}

/** Changes all colours in one frame: transitions would show some of them between both themes. */
function changeTheme(theme: 'light' | 'dark') {
  const { dataset } = document.documentElement;
  if (dataset['theme'] === theme) return;
  dataset['theme'] = theme;
  dataset['changing'] = '';
  // In a task after the frame.
  requestAnimationFrame(() => setTimeout(() => delete dataset['changing']));
}

/** Tokens of the UI kit, in the colours of theme.css; the default palette fails WCAG contrast. */
export const light = {
  colorPrimary: '#1d4fc4',
  colorLink: '#1d4fc4',
  // The default is lighter than WCAG allows.
  colorLinkHover: '#163f9e',
  colorInfo: '#1d4fc4',
  colorError: '#b91c1c',
  colorErrorHover: '#a31515',
  colorSuccess: '#12703a',
  colorSuccessBg: '#e5f5eb',
  colorSuccessBorder: '#a9d9bd',
  colorWarning: '#8a5200',
  colorWarningBg: '#fdf3dc',
  colorWarningBorder: '#e8cf93',
  colorText: '#1b2331',
  colorTextSecondary: '#4f596a',
  colorTextTertiary: '#626b7b',
  colorTextDescription: '#626b7b',
  colorTextPlaceholder: '#6b7280',
  colorTextDisabled: '#8a92a0',
  colorBgLayout: '#f3f5f8',
  colorBorder: '#c3cad5',
  colorBorderSecondary: '#e0e4ea',
  controlItemBgActive: '#e8eefb',
} as const;

export const dark = {
  colorPrimary: '#759df7',
  colorPrimaryHover: '#91b1fa',
  colorPrimaryActive: '#5f89ea',
  colorPrimaryBg: '#1f2c49',
  colorPrimaryBgHover: '#263759',
  // The dark algorithm darkens this to #759ddc, which still passes contrast on raised surfaces.
  colorLink: '#86b5ff',
  colorLinkHover: '#91b1fa',
  colorInfo: '#759df7',
  colorError: '#f98080',
  colorErrorHover: '#fb9c9c',
  colorErrorActive: '#ee6a6a',
  colorSuccess: '#52c489',
  colorWarning: '#e2b458',
  colorText: '#e3e7ee',
  colorTextSecondary: '#aab3c2',
  colorTextTertiary: '#929bab',
  colorTextDescription: '#929bab',
  colorTextPlaceholder: '#929bab',
  colorTextDisabled: '#6c7585',
  colorBgBase: '#191d25',
  colorBgLayout: '#11141a',
  colorBgContainer: '#191d25',
  colorBgElevated: '#222733',
  colorBorder: '#434c5c',
  colorBorderSecondary: '#2a303c',
  controlItemBgActive: '#1f2c49',
} as const;

/** With prefers-reduced-motion the kit must not wait for animations to end. */
const hasMotion = () => typeof window === 'undefined' || !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The theme of the UI kit. The console uses the light one; kit-dark.ts derives the variables of the dark one. */
export function kitTheme(isDark: boolean, density: Density): ThemeConfig {
  const compact = density === 'compact';
  const cell = compact ? 4 : 8;
  return {
    algorithm: isDark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    hashed: false,
    cssVar: { key: 'kit' },
    token: {
      ...(isDark ? dark : light),
      fontFamily: 'var(--ht-font)',
      fontFamilyCode: 'var(--ht-mono)',
      fontSize: 14,
      borderRadius: 8,
      borderRadiusSM: 4,
      borderRadiusXS: 4,
      boxShadow: 'var(--ht-shadow)',
      boxShadowSecondary: 'var(--ht-shadow)',
      controlHeight: compact ? 28 : 32,
      motion: hasMotion(),
      motionDurationFast: '0.08s',
      motionDurationMid: '0.1s',
      motionDurationSlow: '0.12s',
    },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        ...(isDark && { primaryColor: '#0b1222', dangerColor: '#240a0a' }),
      },
      Menu: {
        darkItemBg: 'transparent',
        darkSubMenuItemBg: 'transparent',
        darkPopupBg: 'var(--ht-side)',
        darkItemColor: 'var(--ht-side-text)',
        darkItemHoverBg: 'var(--ht-side-hover)',
        darkItemHoverColor: 'var(--ht-side-strong)',
        darkItemSelectedBg: 'var(--ht-side-active)',
        darkItemSelectedColor: 'var(--ht-side-strong)',
        itemHeight: 36,
        itemBorderRadius: 8,
        itemMarginBlock: 2,
        itemMarginInline: 8,
        iconSize: 16,
        collapsedWidth: 64,
      },
      Table: {
        cellPaddingBlock: cell,
        cellPaddingBlockMD: cell,
        cellPaddingBlockSM: cell,
        cellPaddingInline: 12,
        headerBg: 'var(--ht-sunken)',
        headerColor: 'var(--ht-text-2)',
        headerBorderRadius: 4,
        headerSplitColor: 'transparent',
        headerSortActiveBg: 'var(--ht-hover)',
        headerSortHoverBg: 'var(--ht-hover)',
        fixedHeaderSortActiveBg: 'var(--ht-hover)',
        bodySortBg: 'var(--ht-sunken)',
        rowHoverBg: 'var(--ht-hover)',
        rowSelectedBg: 'var(--ht-accent-soft)',
        rowSelectedHoverBg: 'var(--ht-accent-soft)',
        borderColor: 'var(--ht-border)',
      },
      Form: { itemMarginBottom: 28, verticalLabelPadding: '0 0 4px' },
      Modal: { titleFontSize: 16 },
      Drawer: { zIndexPopup: 900 },
    },
  };
}

/** The theme of the UI kit; its identity is stable until the density changes. */
export function useKitTheme(): ThemeConfig {
  const [density] = useDensity();
  return useMemo(() => kitTheme(false, density), [density]);
}
