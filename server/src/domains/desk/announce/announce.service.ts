import type { IdInput } from '@hengtai/contract/wire/schema';
import { announce as calls } from '@hengtai/contract/desk/announce/calls';
import { ANNOUNCE_AHEAD_MS, ANNOUNCE_IMAGES_MAX } from '@hengtai/contract/wire/input-values';
import type { AnnounceAdd, AnnounceRow, AnnounceSave } from '@hengtai/contract/desk/announce/schema';
import type { FieldError } from '@hengtai/contract/wire/envelope';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { Ctx } from '../../../app/context.ts';
import { defineAction } from '../../../actions/action.ts';
import type { Subject } from '../../../actions/action-audit.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { problemOf } from '../../../actions/preview.ts';
import { refuse, refuseField, refuseMissing } from '../../../app/refuse.ts';
import { sendAnnounce } from './announce-command.ts';
import { leadsAway, previewItems, subjectOf } from './announce-guard.ts';
import {
  type AnnounceItem,
  deleteAnnounce,
  findAnnounce,
  insertAnnounce,
  lockAnnounce,
  lockGroupPin,
  pinGroup,
  updateAnnounce,
} from './announce.store.ts';
import { cleanHtml, hasContent, imageKeysOf } from './clean.ts';
import { recordUses } from './image.store.ts';

/** @throws Refused 404 for an unknown announcement */
export async function announceDetail(ctx: Ctx, { id }: IdInput): Promise<AnnounceRow> {
  const row = await findAnnounce(ctx, id);
  if (!row) throw refuse(refusals.notFound);
  return row;
}

const pathOf = ({ announceList }: AnnounceAdd, index: number): string => (announceList ? `announceList/${index}/` : '');

/** Adds all languages of an announcement in one transaction. */
export const announceAdd = defineAction<AnnounceAdd, AnnounceRow[]>({
  call: calls.add,
  validate: (input) => void itemsOf(input),
  check: ({ now }, _target, input) => validateAdd(input, now),
  guard: {
    loosens: (ctx, _target, input) => leadsAway(ctx, cleanItems(input)),
    // A new announcement has no id yet, so one of them at a time can wait for a checker.
    subject: (_target, ctx, { group = 0 }) => subjectOf(ctx, { id: group }),
    preview: async ({ now }, input) =>
      previewItems(cleanItems(input), [], await problemOf(() => validateAdd(input, now))),
  },
  execute: async (ctx, input) => {
    const items = cleanItems(input);
    const groupPin = input.group === undefined ? 0 : await lockGroupPin(ctx.db, input.group);
    if (groupPin === undefined) throw refuse(refusals.notFound);
    const pinned = (pinOf(input) ?? groupPin) === 1 ? 1 : 0;
    const ids: number[] = [];
    for (const [index, item] of items.entries()) {
      const id = await insertAnnounce(ctx, { ...item, pinned }, input.group ?? ids[0] ?? null);
      await recordImages(ctx, id, item, `${pathOf(input, index)}content`);
      ids.push(id);
    }
    if (input.group !== undefined) await pinOthers(ctx, input.group, pinned);
    const rows: AnnounceRow[] = [];
    // Only now every row names all languages.
    for (const id of ids) {
      const row = await announceDetail(ctx, { id });
      await sendAnnounce(ctx.db, row, ctx.now);
      rows.push(row);
    }
    const [first] = rows;
    const subject: Subject | undefined = first && { type: 'announce', id: first.id };
    return { data: rows, ...(subject && { subject }), after: { announceList: rows } };
  },
});

export const announceSave = defineAction<AnnounceSave, AnnounceRow, AnnounceRow>({
  call: calls.save,
  validate: refuseBoth,
  load: (ctx, { id }) => lockAnnounce(ctx, id),
  check: ({ now }, target, input) => {
    const { state, by, updatedAt: at } = target;
    if (input.seen !== undefined && input.seen !== at)
      throw refuseStaleSave({
        target: { type: 'announce', id: target.id },
        since: input.seen,
        current: { state, by, at },
      });
    validateItems([['', itemAfter(target, input)]], now);
  },
  setting: {
    record: (target) => ({ data: target, subject: { type: 'announce', id: target.id } }),
    isSet: (target, input) => stableJson(itemAfter(target, input)) === stableJson(auditedFields(target)),
  },
  guard: {
    loosens: (ctx, before, input) => leadsAway(ctx, [itemAfter(before, input)], before),
    subject: (target, ctx) => subjectOf(ctx, target),
    preview: async (ctx, input) => {
      const before = await announceDetail(ctx, input);
      const after = itemAfter(before, input);
      return previewItems([after], [before], await problemOf(() => validateItems([['', after]], ctx.now)));
    },
  },
  execute: async (ctx, input, before) => {
    const item = itemAfter(before, input);
    await updateAnnounce(ctx, before.id, item);
    await recordImages(ctx, before.id, item, 'content');
    const after = await announceDetail(ctx, { id: before.id });
    await sendAnnounce(ctx.db, after, ctx.now);
    const pinnedAlong = await pinOthers(ctx, after.group, after.pinned);
    return {
      data: after,
      subject: { type: 'announce', id: after.id },
      before: auditedFields(before),
      after: { ...auditedFields(after), ...(pinnedAlong.length > 0 && { pinnedAlong }) },
    };
  },
});

export const announceDel = defineAction<IdInput & { reason?: string }, AnnounceRow, AnnounceRow>({
  call: calls.del,
  load: (ctx, { id }) => lockAnnounce(ctx, id),
  execute: async (ctx, _input, target) => {
    await deleteAnnounce(ctx, target.id);
    await sendAnnounce(ctx.db, { ...target, state: 0, publishAt: null, updatedAt: ctx.now }, ctx.now, 1);
    return { data: target, subject: { type: 'announce', id: target.id }, before: auditedFields(target), after: null };
  },
});

/** Gives all languages the pin and sends those that had another; returns their ids. */
async function pinOthers(ctx: Ctx, group: number, pinned: number): Promise<number[]> {
  const ids = await pinGroup(ctx, group, pinned);
  for (const id of ids) await sendAnnounce(ctx.db, await announceDetail(ctx, { id }), ctx.now);
  return ids;
}

/** The pin that a request asks for: all languages have it if one has; undefined if it names none. */
function pinOf({ announceList, pinned }: AnnounceAdd): number | undefined {
  const given = (announceList ?? [{ pinned }]).flatMap((item) => item.pinned ?? []);
  return given.length > 0 ? Math.max(...given) : undefined;
}

const REQUIRED = ['lang', 'title', 'content', 'platform'] as const;

/**
 * The items of `announceList`, or the single item from the fields of the body. The default state is published.
 *
 * @throws Refused 422 if both forms or neither are given, or a field is missing
 */
function itemsOf(input: AnnounceAdd): AnnounceItem[] {
  refuseBoth(input);
  const { announceList, lang, title, content, platform, state, pinned, publishAt } = input;
  if (announceList) return announceList.map(withDefaults);
  if (REQUIRED.every((field) => input[field] === undefined)) throw refuseMissing('announceList');
  if (lang === undefined || title === undefined || content === undefined || platform === undefined)
    throw refuseMissing(REQUIRED.find((field) => input[field] === undefined) ?? 'announceList');
  return [withDefaults({ lang, title, content, platform, state, pinned, publishAt })];
}

type GivenItem = Omit<AnnounceItem, 'state' | 'pinned' | 'publishAt'> & {
  [F in 'state' | 'pinned' | 'publishAt']?: AnnounceItem[F] | undefined;
};

/** Without a state, an item is published, or a draft if it is to be published later. */
const withDefaults = (item: GivenItem): AnnounceItem => ({
  ...item,
  state: item.state ?? (item.publishAt ? ANNOUNCE.draft : ANNOUNCE.published),
  pinned: item.pinned ?? 0,
  publishAt: item.publishAt ?? null,
});

/** @throws Refused 422 if both a list and the fields of a single item are given */
function refuseBoth(input: AnnounceAdd | AnnounceSave): void {
  if (
    input.announceList &&
    [...REQUIRED, 'state' as const, 'pinned' as const, 'publishAt' as const].some((field) => input[field] !== undefined)
  )
    throw refuseField('announceList', '与单条公告的字段只能填写一种');
}

const cleanItems = (input: AnnounceAdd): AnnounceItem[] => itemsOf(input).map(sanitizeItem);

/** The announcement after a save. A draft that was changed is published by its schedule only if the change repeats it. */
function itemAfter(before: AnnounceRow, input: AnnounceSave): AnnounceItem {
  const given = { ...input.announceList?.[0], ...input };
  const merged = { ...auditedFields(before), publishAt: given.publishAt ?? null };
  for (const field of ['lang', 'title', 'content', 'platform', 'state', 'pinned'] as const)
    if (given[field] !== undefined) Object.assign(merged, { [field]: given[field] });
  return sanitizeItem(merged as AnnounceItem);
}

const sanitizeItem = (item: AnnounceItem): AnnounceItem => ({ ...item, content: cleanHtml(item.content) });

const validateAdd = (input: AnnounceAdd, now: number): void =>
  validateItems(
    cleanItems(input).map((item, index) => [pathOf(input, index), item]),
    now,
  );

/** @throws Refused 422 for items without content that are or will be published, and for a wrong time of publication */
function validateItems(items: readonly (readonly [path: string, AnnounceItem])[], now: number): void {
  const errors = items.flatMap(([path, { state, content, publishAt }]): FieldError[] => [
    ...((state === ANNOUNCE.published || publishAt !== null) && !hasContent(content)
      ? [{ field: `${path}content`, msg: `请输入${labelOf('content')}` }]
      : []),
    ...(imageKeysOf(content).length > ANNOUNCE_IMAGES_MAX
      ? [{ field: `${path}content`, msg: `${labelOf('content')}最多 ${ANNOUNCE_IMAGES_MAX} 张图片` }]
      : []),
    ...scheduleProblem(publishAt, state, now).map((msg) => ({ field: `${path}publishAt`, msg })),
  ]);
  if (errors.length > 0) throw refuse(refusals.invalid, errors[0]?.msg, errors);
}

function scheduleProblem(publishAt: number | null, state: number, now: number): string[] {
  if (publishAt === null) return [];
  if (state === ANNOUNCE.published) return ['只有草稿可以定时发布'];
  if (publishAt <= now) return ['定时发布的时间必须晚于现在'];
  return publishAt > now + ANNOUNCE_AHEAD_MS ? ['定时发布的时间不能晚于一年以后'] : [];
}

/** @throws Refused 422 if the content has an image that does not exist */
async function recordImages(ctx: Ctx, id: number, { content }: AnnounceItem, field: string): Promise<void> {
  const missing = await recordUses(ctx, id, imageKeysOf(content));
  if (missing.length > 0) throw refuseField(field, '中有不存在的图片，请重新上传');
}

const auditedFields = ({ lang, title, content, platform, state, pinned, publishAt }: AnnounceRow) => ({
  lang,
  title,
  content,
  platform,
  state,
  pinned,
  publishAt,
});
