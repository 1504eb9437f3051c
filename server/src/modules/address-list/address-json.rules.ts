import { type FileLine, UnreadableFile } from './address-file-line.rules.ts';

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
};

/**
 * Reads a JSON list of texts, or of objects with `address` and perhaps `network`, `memo` and `reason`. An item counts as a
 * line.
 *
 * @throws UnreadableFile
 */
export function readJsonLines(text: string): FileLine[] {
  return parseList(text).map((item, index) => {
    const fields: Partial<Record<string, unknown>> =
      typeof item === 'object' && item !== null ? { ...item } : { address: item };
    return {
      line: index + 1,
      text: JSON.stringify(item),
      address: typeof fields['address'] === 'string' ? textOf(fields['address']) : '',
      network: textOf(fields['network']),
      memo: textOf(fields['memo']),
      reason: textOf(fields['reason']),
    };
  });
}

function parseList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The message of the parser is English and names no line.
  }
  throw new UnreadableFile('不是有效的 JSON 列表');
}
