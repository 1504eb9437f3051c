import { StyleProvider, createCache, extractStyle } from '@ant-design/cssinjs';
import * as antd from 'antd';
import { type ReactElement, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { Plugin } from 'vite';
import { kitTheme } from './src/app/theme.ts';

const h = createElement;
const items = [{ key: 'a', label: 'a' }];

/** Every component of the kit that the console uses: rendering one registers its variables. */
const used: readonly ReactElement[] = [
  h(antd.Alert),
  h(antd.App),
  h(antd.Button),
  h(antd.Checkbox),
  h(antd.DatePicker.RangePicker, { open: true }),
  h(antd.Drawer, { open: true }),
  h(antd.Dropdown, { open: true, menu: { items } }, h('a')),
  h(antd.Empty),
  h(antd.Form, null, h(antd.Form.Item, { label: 'a' }, h(antd.Input))),
  h(antd.Input.Password),
  h(antd.Input.Search),
  h(antd.Input.TextArea),
  h(antd.Menu, { items, mode: 'inline' }),
  h(antd.Modal, { open: true }),
  h(antd.Pagination, { total: 99, showSizeChanger: true }),
  h(antd.Popconfirm, { open: true, title: 'a' }, h('a')),
  h(antd.Popover, { open: true }, h('a')),
  h(antd.Progress, { percent: 50 }),
  h(antd.QRCode, { value: 'a' }),
  h(antd.Radio.Group, { options: ['a'] }),
  h(antd.Segmented, { options: ['a'] }),
  h(antd.Select, { open: true }),
  h(antd.Space, null, 'a'),
  h(antd.Spin),
  h(antd.Steps, { items: [{ title: 'a' }] }),
  h(antd.Switch),
  h(antd.Table, { columns: [{ sorter: true }], rowSelection: {} }),
  h(antd.Tooltip, { open: true, title: 'a' }, h('a')),
];

/** The variables of the kit by selector, as it would write them into the document. */
function variablesOf(isDark: boolean): Map<string, Map<string, string>> {
  const cache = createCache();
  const provider = h(antd.ConfigProvider, { theme: kitTheme(isDark, 'comfortable') }, ...used);
  renderToString(h(StyleProvider, { cache }, provider));
  const css = extractStyle(cache, { plain: true, types: ['cssVar', 'token'] });
  const blocks = new Map<string, Map<string, string>>();
  for (const [, selector = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!body.startsWith('--')) continue;
    const pairs = body.split(';').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]);
    const block = blocks.get(selector) ?? new Map<string, string>();
    for (const [name = '', value = ''] of pairs) if (name !== '') block.set(name, value);
    blocks.set(selector, block);
  }
  return blocks;
}

/** The selectors of the kit for which the dark theme is known. */
export const kitSelectors = (): string[] => [...variablesOf(false).keys()].flatMap((one) => one.split(/,\s*/));

/** A style sheet with the variables that differ in the dark theme. */
function darkVariables(): string {
  const light = variablesOf(false);
  const rules = [...variablesOf(true)].flatMap(([selector, block]) => {
    const other = light.get(selector);
    const lines = [...block].filter(([name, value]) => other?.get(name) !== value);
    if (lines.length === 0) return [];
    const selectors = selector.split(',').map((one) => `:root[data-theme='dark'] ${one.trim()}`);
    return `${selectors.join(',')}{${lines.map(([name, value]) => `${name}:${value}`).join(';')}}`;
  });
  return rules.join('\n');
}

/**
 * Fills kit-dark.css when the console is built. The kit itself always has the light theme, so that a change of the theme is
 * an attribute of the document and renders nothing.
 */
export const kitDark: Plugin = {
  name: 'kit-dark',
  enforce: 'pre',
  load: (id) => (/\/src\/app\/kit-dark\.css(\?|$)/.test(id) ? darkVariables() : null),
};
