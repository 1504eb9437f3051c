import { announce, announcePinned, langsText, missingLangs } from '@hengtai/contract/desk/announce/calls';
import { announceStates, ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { type AnnounceLang, announceLangs, announcePlatforms } from '@hengtai/contract/wire/input-values';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { timeCell } from '../../../ui/table/list-cells.tsx';
import { parseRich, textOf } from '../../../ui/rich/rich-tree.ts';

export const stateTones: Readonly<Record<number, Tone>> = { [ANNOUNCE.draft]: 'idle', [ANNOUNCE.published]: 'good' };

const col = listColOf<AnnounceRow>()(announce.list.list.columns);

export const langName = (lang: string): string => announceLangs[lang as AnnounceLang] ?? lang;
export const platformName = (platform: number): string =>
  announcePlatforms[platform as keyof typeof announcePlatforms] ?? String(platform);

export const announceColumns = [
  col('id', { width: 64, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={announceStates} tones={stateTones} />,
  }),
  col('lang', { width: 96, render: (value) => <span lang={value}>{langName(value)}</span> }),
  col('title', {
    width: 272,
    render: (value, row) => (
      <span className="ht-table-text" lang={row.lang} title={value}>
        {row.pinned === 1 && (
          <span className="ht-announce-pinned" lang="zh-CN">
            置顶
          </span>
        )}
        {value}
      </span>
    ),
  }),
  col('platform', { width: 76, render: platformName }),
  col('pinned', { width: 76, drawer: true, render: (value) => announcePinned[value] }),
  col('publishAt', { width: 104, under: 'state', render: (value) => (value === null ? null : timeCell(value)) }),
  col('langs', { width: 88, under: 'lang', render: (_value, row) => <LangsMark row={row} /> }),
  col('group', { width: 80, drawer: true }),
  col('by', { width: 130, under: 'updatedAt', render: operatorCell }),
  col('createdAt', { width: 104, drawer: true, render: timeCell }),
  col('updatedAt', { width: 104, render: timeCell }),
  col('content', {
    width: 320,
    hidden: true,
    render: (value, row) => (
      <span className="ht-table-text" lang={row.lang}>
        {textOf(parseRich(value)) || '--'}
      </span>
    ),
  }),
];

/** How many languages the announcement has; hover names the missing ones. */
function LangsMark({ row }: { row: Pick<AnnounceRow, 'langs'> }) {
  const text = langsText(row);
  return (
    <span className="ht-announce-langs" data-complete={missingLangs(row).length === 0} title={text} aria-label={text}>
      {text.split('，')[0]}
    </span>
  );
}
