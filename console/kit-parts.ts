import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

interface Replacement {
  /** End of the path of the importing file. */
  importer: string;
  /** Imports as they are written there. */
  sources: readonly string[];
  /** What is imported instead: a file of a package, or the text of a module. */
  file?: string;
  text?: string;
}

const NOTHING = 'export default () => null;';
const NO_STYLE = 'export default () => ({});';

/**
 * Parts that the kit imports for features that the console does not use, 35 kB of the compressed script of a list. Fields
 * of forms are validated in the chunk of forms only.
 */
const REPLACEMENTS: readonly Replacement[] = [
  {
    importer: '/antd/es/form/context.js',
    sources: ['@rc-component/form'],
    file: '@rc-component/form/es/FormContext.js',
  },
  {
    importer: '/antd/es/radio/group.js',
    sources: ['../form/hooks/useForm'],
    text: "export const toNamePathStr = (name) => [name ?? []].flat().join('_');",
  },
  {
    importer: '/antd/es/modal/index.js',
    sources: ['./confirm'],
    text: `${NOTHING} const none = () => null; export { ${['Confirm', 'Error', 'Info', 'Success', 'Warn'].map((kind) => `none as with${kind}`).join()}, none as modalGlobalConfig };`,
  },
  { importer: '/antd/es/modal/index.js', sources: ['./useModal'], text: NOTHING },
  { importer: '/antd/es/dropdown/index.js', sources: ['./dropdown-button'], text: NOTHING },
  { importer: '/antd/es/modal/Modal.js', sources: ['../skeleton'], text: NOTHING },
  { importer: '/antd/es/drawer/DrawerPanel.js', sources: ['../skeleton'], text: NOTHING },
  { importer: '/antd/es/input/index.js', sources: ['./OTP', './Group'], text: NOTHING },
  {
    importer: '/antd/es/table/hooks/useFilter/index.js',
    sources: ['./FilterDropdown'],
    text: `${NOTHING} export const flattenKeys = () => [];`,
  },
  { importer: '/antd/es/table/InternalTable.js', sources: ['../config-provider/defaultRenderEmpty'], text: NOTHING },
  { importer: '/antd/es/table/InternalTable.js', sources: ['../grid/hooks/useBreakpoint'], text: NO_STYLE },
  {
    importer: '/antd/es/table/InternalTable.js',
    sources: ['../spin'],
    text: 'export default ({ children }) => children;',
  },
  {
    importer: '/antd/es/table/style/index.js',
    sources: ['bordered', 'ellipsis', 'expand', 'filter', 'pagination', 'radius', 'rtl', 'sticky', 'summary'].map(
      (name) => `./${name}`,
    ),
    text: NO_STYLE,
  },
];

const PREFIX = '\0kit-part:';
const require = createRequire(import.meta.url);

/** Replaces these parts when the console is built. The build fails if the kit no longer imports one of them. */
export function kitParts(): Plugin {
  const missing = new Set(
    REPLACEMENTS.flatMap(({ importer, sources }) => sources.map((source) => `${source} in ${importer}`)),
  );
  return {
    name: 'kit-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const at = REPLACEMENTS.findIndex((one) => one.sources.includes(source) && importer.endsWith(one.importer));
      const found = REPLACEMENTS[at];
      if (!found) return null;
      missing.delete(`${source} in ${found.importer}`);
      return found.file === undefined ? PREFIX + at : require.resolve(found.file);
    },
    load: (id) => (id.startsWith(PREFIX) ? (REPLACEMENTS[Number(id.slice(PREFIX.length))]?.text ?? null) : null),
    buildEnd(error) {
      if (!error && missing.size > 0) throw new Error(`the kit no longer imports ${[...missing].join(', ')}`);
    },
  };
}
