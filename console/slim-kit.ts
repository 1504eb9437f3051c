import type { Plugin } from 'vite';

const refuse = (name: string) => `() => { throw new Error('The build leaves ${name} out: see console/slim-kit.ts.'); }`;

/** Modules of the kit that bring components which the console does not use, with what the build has instead. */
const MODULES: readonly (readonly [path: string, code: string])[] = [
  // Lists have filters of their own, so no column declares one.
  [
    'antd/es/table/hooks/useFilter/FilterDropdown.js',
    `const filter = ${refuse('column filters')};\nexport { filter as default, filter as flattenKeys };`,
  ],
  // Dialogs opened by a function.
  ['antd/es/modal/index.js', `export { default } from './Modal';`],
  // Placeholders of dialogs and drawers that are loading.
  ['antd/es/skeleton/index.js', `export default ${refuse('Skeleton')};`],
  // A table around its rows; lists show by themselves that they are loading.
  ['antd/es/spin/index.js', `export default ({ children }) => children;`],
  // Names of CSS colours; themes give theirs in hexadecimal.
  ['@ant-design/fast-color/es/presetColors.js', `export default { black: '0', white: '9zldr' };`],
  // Components that are always open, for the documentation of the kit.
  [
    'antd/es/_util/PurePanel.js',
    `const openPanel = ${refuse('open panels')};
     export const withPureRenderTheme = () => openPanel;
     export default () => openPanel;`,
  ],
  // Without OTP and Group.
  [
    'antd/es/input/index.js',
    `import Input from './Input';
     import Password from './Password';
     import Search from './Search';
     import TextArea from './TextArea';
     export default Object.assign(Input, { Password, Search, TextArea });`,
  ],
];

/** Imports inside the kit that bring a whole package for one function, with narrower ones. */
const IMPORTS: readonly (readonly [path: string, wide: string, narrow: string])[] = [
  [
    'antd/es/form/context.js',
    `import { FormProvider as RcFormProvider } from '@rc-component/form';`,
    `import { FormProvider as RcFormProvider } from '@rc-component/form/es/FormContext';`,
  ],
  [
    'antd/es/radio/group.js',
    `import { toNamePathStr } from '../form/hooks/useForm';`,
    `const toNamePathStr = (name) => (name === undefined || name === false ? [] : [name].flat()).join('_');`,
  ],
  [
    'antd/es/table/hooks/useSelection.js',
    `import { arrAdd, arrDel, conductCheck, convertDataToEntities } from '@rc-component/tree';`,
    `const arrAdd = (list, value) => (list.includes(value) ? list : [...list, value]);
     const arrDel = (list, value) => list.filter((one) => one !== value);
     import { conductCheck } from '@rc-component/tree/es/utils/conductUtil';
     import { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil';`,
  ],
  // Lists select with checkboxes only.
  ['antd/es/table/hooks/useSelection.js', `import Radio from '../../radio';`, `const Radio = ${refuse('Radio')};`],
];

/**
 * Leaves parts of the kit that nobody uses out of the build. A path that an update of the kit has moved fails the budgets of
 * the scripts; a moved import fails the build.
 */
export const slimKit: Plugin = {
  name: 'slim-kit',
  enforce: 'pre',
  load: (id) => MODULES.find(([path]) => id.endsWith(`/${path}`))?.[1] ?? null,
  transform(code, id) {
    const imports = IMPORTS.filter(([path]) => id.endsWith(`/${path}`));
    if (imports.length === 0) return null;
    return imports.reduce((text, [path, wide, narrow]) => {
      if (!text.includes(wide)) throw new Error(`${path} no longer has: ${wide}`);
      return text.replace(wide, narrow);
    }, code);
  },
};
