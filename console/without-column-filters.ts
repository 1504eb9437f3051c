import type { Plugin } from 'vite';

const FILTER_DROPDOWN = /\/antd\/es\/table\/hooks\/useFilter\/FilterDropdown\.js$/;

const REPLACEMENT = `
const refuse = () => { throw new Error('Columns have no filters: see console/without-column-filters.ts.'); };
export { refuse as default, refuse as flattenKeys };
`;

/**
 * Leaves the filter menus of the kit's table out of the build, with the tree that they can show (15 kB). Lists have filters
 * of their own, so no column declares one.
 */
export const withoutColumnFilters: Plugin = {
  name: 'without-column-filters',
  enforce: 'pre',
  load: (id) => (FILTER_DROPDOWN.test(id) ? REPLACEMENT : null),
};
