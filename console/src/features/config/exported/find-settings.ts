import type { ConfigRow } from '@hengtai/contract/config.schema';

/** The settings whose name, group, remark or key contain every word of the text, those found by name first. */
export function findSettings(rows: readonly ConfigRow[], text: string): ConfigRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const contains = (...texts: string[]): boolean => {
    const all = texts.join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const found = rows.filter(({ name, group, remark, key }) => contains(name, group, remark, key));
  const isNamed = ({ name }: ConfigRow): boolean => contains(name);
  return [...found.filter(isNamed), ...found.filter((row) => !isNamed(row))];
}
