import { announceStates, ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { CHECK_LINKS } from '@hengtai/contract/desk/approval/calls';
import { KLINE_URL, SUPPORT_URL } from '@hengtai/contract/desk/config/calls';
import { labelOf } from '@hengtai/contract/wire/labels';
import type { ActionCtx } from '../../../app/context.ts';
import { houseSubject } from '../../../actions/action-audit.ts';
import { type Preview, textItem, timeItem } from '../../../actions/preview.ts';
import { changeOf } from '../../../actions/record-change.ts';
import { pick } from '../../../app/pick.ts';
import { findSettingText, isSettingOn } from '../../../app/setting.store.ts';
import { foreignLinks, linksOf, settingHosts } from './links.ts';

type Item = Pick<AnnounceRow, 'lang' | 'title' | 'content' | 'platform' | 'state' | 'pinned' | 'publishAt'>;

const fieldsOf = pick('lang', 'title', 'content', 'platform', 'state', 'pinned', 'publishAt');

/** An announcement belongs to no agent, so its approvals belong to the tree of their maker. */
export const subjectOf = houseSubject('announce');

/**
 * Whether announcements link to foreign hosts. Links that `before` shows to the public already do not count. Drafts count:
 * a schedule, or a later save, publishes them.
 */
export async function leadsAway({ db, app }: ActionCtx, after: readonly Item[], before?: Item): Promise<boolean> {
  if (!(await isSettingOn(db, CHECK_LINKS))) return false;
  const known = before?.state === ANNOUNCE.published ? linksOf(before) : [];
  const links = after.flatMap(linksOf).filter((link) => !known.includes(link));
  if (links.length === 0) return false;
  const settings = [await findSettingText(db, SUPPORT_URL), await findSettingText(db, KLINE_URL)];
  return foreignLinks(links, [...app.announceHosts, ...settings.flatMap(settingHosts)]).length > 0;
}

/** What the checker sees: every link, and the texts. */
export const previewItems = (after: readonly Item[], before: readonly Item[], problem: string | null): Preview => ({
  input: [textItem('须复核', '含有指向其他网站的链接'), ...after.flatMap(itemsOf)],
  now: before.flatMap(itemsOf),
  legs: [],
  problem,
  changes: after.map((item, index) => {
    const old = before[index];
    const change = { title: item.title, before: old ? fieldsOf(old) : null, after: fieldsOf(item) };
    return changeOf({ action: 'announce.save', targetType: 'announce' }, change, { names: { platform: '展示端' } });
  }),
});

function itemsOf(item: Item) {
  const { lang, title, content, state, publishAt } = item;
  return [
    textItem(`${labelOf('title')}（${lang}）`, title),
    textItem(`${labelOf('state')}（${lang}）`, announceStates[state === ANNOUNCE.published ? 1 : 0]),
    ...(publishAt === null ? [] : [timeItem(`${labelOf('publishAt')}（${lang}）`, publishAt)]),
    textItem(`链接（${lang}）`, linksOf(item).join('\n') || '无'),
    textItem(`${labelOf('content')}（${lang}）`, content),
  ];
}
