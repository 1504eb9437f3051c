import { filtersOf } from '@hengtai/contract/wire/list';
import { cellOf } from './cell.ts';
import { type ExportContent, filterWords } from './request.ts';
import { SHEET_NAMESPACE, STYLE, XML, cellXml, columnName, textXml } from './sheet-xml.ts';

/**
 * XML of the sheet 说明: filters, maker, and exact totals of the whole list.
 *
 * @param longNumbers how many numbers were written as text to keep their digits
 */
export function notesSheetXml(content: ExportContent, longNumbers: number): string {
  const { title, operator, at, list, request, fullList } = content;
  const { clock, query } = request;
  const lines: [string, string][] = [
    ['列表', title],
    ['导出人', operator],
    ['导出时间', clock.text(at)],
    ['时区', clock.zone],
    ['条数', String(fullList.total)],
    ...filterWords(content),
    ['排序', orderWords(query.sort, content)],
  ];
  if (!lines.some(([label]) => filtersOf(list).some((filter) => filter.label === label))) lines.push(['筛选', '无']);
  if (longNumbers > 0) {
    lines.push([
      '注意',
      `${longNumbers} 个数字超过 15 位有效数字，为保留全部数位以文本保存（底色标出），电子表格求和时不计入；准确合计见下方或数据末尾。`,
    ]);
  }
  const rows = lines.map(([label, text], i) => [
    textXml(`A${i + 1}`, label, STYLE.bold),
    textXml(`B${i + 1}`, text, STYLE.text),
  ]);
  rows.push([], ...totalsOf(content, rows.length + 2));
  const data = rows.map((cells, i) => `<row r="${i + 1}">${cells.join('')}</row>`).join('');
  return (
    `${XML}<worksheet xmlns="${SHEET_NAMESPACE}"><cols><col min="1" max="1" width="14" customWidth="1"/>` +
    `<col min="2" max="8" width="30" customWidth="1"/></cols><sheetData>${data}</sheetData></worksheet>`
  );
}

function orderWords(sort: string | undefined, { list }: ExportContent): string {
  if (sort === undefined) return '默认';
  const field = sort.replace(/^-/, '');
  const title = list.columns?.find((column) => column.field === field)?.title ?? field;
  return `${title}${sort.startsWith('-') ? '（降序）' : '（升序）'}`;
}

/** Rows with the sums per coin, including columns that the file leaves out. */
function totalsOf({ list, request: { clock }, fullList }: ExportContent, from: number): string[][] {
  const sums = list.sums ?? [];
  if (!fullList.summary || sums.length === 0) return [];
  const columnOf = (field: string) => list.columns?.find((column) => column.field === field);
  const texts = (list.coinSums ?? []).flatMap((field) => columnOf(field) ?? []);
  const titles = [...sums.map((field) => columnOf(field)?.title ?? field), ...texts.map(({ title }) => title)];
  const head = ['合计', '笔数', ...titles].map((text, i) =>
    textXml(`${columnName(i)}${from}`, text, i === 0 ? STYLE.head : STYLE.headRight),
  );
  const options = { clock, amount: true, onLong: () => undefined };
  const coins = fullList.summary.map((coin, row) => {
    const at = from + row + 1;
    const numbers = [coin.count, ...sums.map((field) => coin[field])].map((value, i) =>
      cellXml(`${columnName(i + 1)}${at}`, { kind: 'number', text: String(value) }, options),
    );
    const written = texts.map((column, i) =>
      cellXml(`${columnName(numbers.length + i + 1)}${at}`, cellOf(column, coin, clock), options),
    );
    return [textXml(`A${at}`, coin.marketName, STYLE.text), ...numbers, ...written];
  });
  return [head, ...coins];
}
