import { CloseCircleFilled } from '@ant-design/icons';

const LABEL = '清空';

/**
 * Settings of Ant Design's button that empties a field, which otherwise has no accessible name or an English one. The name does
 * not contain that of the field, so that no two elements match the name of the field.
 */
export const clearButton = { label: LABEL, clearIcon: <CloseCircleFilled aria-label={LABEL} title={LABEL} /> };
