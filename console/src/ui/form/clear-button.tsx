import { CloseCircleFilled } from '@ant-design/icons';

const LABEL = '清空';

/**
 * Settings of the kit's button that empties a field: without a word of ours it is nameless or named in English. The word does
 * not repeat the name of the field, which would then name two things.
 */
export const clearButton = { label: LABEL, clearIcon: <CloseCircleFilled aria-label={LABEL} title={LABEL} /> };
