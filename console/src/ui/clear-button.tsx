import { CloseCircleFilled } from '@ant-design/icons';

/** Settings of the kit's button that empties a field: without a word of ours it is nameless or named in English. */
export function clearButton(field: string) {
  const label = `清空${field}`;
  return { label, clearIcon: <CloseCircleFilled aria-label={label} title={label} /> };
}
