import { ANNOUNCE, announce } from '@hengtai/contract/announce';
import { announceStates } from '@hengtai/contract/announce.facts';
import { type AnnounceLang, announceLangs, announcePlatforms } from '@hengtai/contract/input-values';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';
import { parseRich, textOf } from '../../ui/rich-tree.ts';

export const stateTones: Readonly<Record<number, Tone>> = { [ANNOUNCE.draft]: 'idle', [ANNOUNCE.published]: 'good' };

const col = listColOf<AnnounceRow>()(announce.list.list.columns);

export const langName = (lang: string): string => announceLangs[lang as AnnounceLang] ?? lang;
export const platformName = (platform: number): string =>
  announcePlatforms[platform as keyof typeof announcePlatforms] ?? String(platform);

export const announceColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 88,
    render: (value) => <StateTag state={value} labels={announceStates} tones={stateTones} />,
  }),
  col('lang', { width: 110, render: (value) => <span lang={value}>{langName(value)}</span> }),
  col('title', {
    width: 320,
    render: (value, row) => (
      <span lang={row.lang} title={value}>
        {value}
      </span>
    ),
  }),
  col('platform', { width: 88, render: platformName }),
  col('by', { width: 130, render: (value) => value ?? '--' }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('updatedAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('content', {
    width: 320,
    hidden: true,
    render: (value, row) => <span lang={row.lang}>{textOf(parseRich(value)) || '--'}</span>,
  }),
];
