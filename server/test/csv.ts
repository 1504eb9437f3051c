/** Parses comma-separated values into records, including the header record, without the byte order mark. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|$)/gy;
  const body = text.replace(/^\ufeff/, '');
  let record: string[] = [];
  while (field.lastIndex < body.length) {
    const match = field.exec(body);
    if (!match) throw new Error('no such values');
    const [, value = '', end] = match;
    record.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
