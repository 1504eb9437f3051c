import type { IdInput } from '@hengtai/contract/schema';
import { ANNOUNCE, announce as calls } from '@hengtai/contract/announce';
import type { AnnounceAdd, AnnounceItem, AnnounceRow, AnnounceSave } from '@hengtai/contract/announce.schema';
import type { FieldError } from '@hengtai/contract/envelope';
import { labelOf } from '@hengtai/contract/labels';
import { refusals } from '@hengtai/contract/refusals';
import { announceStates } from '@hengtai/contract/announce.facts';
import type { Ctx } from '../../core/context.ts';
import { enqueue } from '../../gateway/command.store.ts';
import { defineAction } from '../../actions/action.ts';
import type { Subject } from '../../actions/action-audit.ts';
import { refuse, refuseField, refuseMissing, refuseStateConflict } from '../../core/refuse.ts';
import { deleteAnnounce, findAnnounce, insertAnnounce, lockAnnounce, updateAnnounce } from './announce.store.ts';
import { cleanHtml, hasText } from './clean.ts';

/** @throws Refused 404 for an unknown announcement */
export async function announceDetail(ctx: Ctx, { id }: IdInput): Promise<AnnounceRow> {
  const row = await findAnnounce(ctx, id);
  if (!row) throw refuse(refusals.notFound);
  return row;
}

/** Adds all languages of an announcement in one transaction. */
export const announceAdd = defineAction<AnnounceAdd, AnnounceRow[]>({
  name: 'announce.add',
  call: calls.add,
  validate: (input) => void itemsOf(input),
  execute: async (ctx, input) => {
    const items = itemsOf(input).map(sanitizeItem);
    const pathOf = (index: number): string => (input.announceList ? `announceList/${index}/content` : 'content');
    validateContent(items.map((item, index) => [pathOf(index), item]));
    const rows: AnnounceRow[] = [];
    for (const item of items) {
      const row = await announceDetail(ctx, { id: await insertAnnounce(ctx, item) });
      await publish(ctx, row);
      rows.push(row);
    }
    const [first] = rows;
    const subject: Subject | undefined = first && { type: 'announce', id: first.id };
    return { data: rows, ...(subject && { subject }), after: { announceList: rows } };
  },
});

export const announceSave = defineAction<AnnounceSave, AnnounceRow, AnnounceRow>({
  name: 'announce.save',
  call: calls.save,
  validate: refuseBoth,
  load: (ctx, { id }) => lockAnnounce(ctx, id),
  check: (_ctx, target, { seen }) => {
    if (seen === undefined || seen === target.updatedAt) return;
    const { state, by, updatedAt: at } = target;
    throw refuseStateConflict(announceStates[state as keyof typeof announceStates], { state, by, at });
  },
  execute: async (ctx, input, before) => {
    const { lang, title, content, platform, state } = before;
    const merged = { lang, title, content, platform, state };
    for (const field of ['lang', 'title', 'content', 'platform', 'state'] as const) {
      const value = input[field] ?? input.announceList?.[0]?.[field];
      if (value !== undefined) Object.assign(merged, { [field]: value });
    }
    const item = sanitizeItem(merged as AnnounceItem);
    validateContent([['content', item]]);
    await updateAnnounce(ctx, before.id, item);
    const after = await announceDetail(ctx, { id: before.id });
    await publish(ctx, after);
    return {
      data: after,
      subject: { type: 'announce', id: after.id },
      before: auditedFields(before),
      after: auditedFields(after),
    };
  },
});

export const announceDel = defineAction<IdInput & { reason?: string }, AnnounceRow, AnnounceRow>({
  name: 'announce.del',
  call: calls.del,
  load: (ctx, { id }) => lockAnnounce(ctx, id),
  execute: async (ctx, _input, target) => {
    await deleteAnnounce(ctx, target.id);
    await publish(ctx, { ...target, state: 0, updatedAt: ctx.now }, 1);
    return { data: target, subject: { type: 'announce', id: target.id }, before: auditedFields(target), after: null };
  },
});

const REQUIRED = ['lang', 'title', 'content', 'platform'] as const;

/**
 * The items of `announceList`, or the single item from the fields of the body. The default state is published.
 *
 * @throws Refused 422 if both forms or neither are given, or a field is missing
 */
function itemsOf(input: AnnounceAdd): AnnounceItem[] {
  refuseBoth(input);
  const { announceList, lang, title, content, platform, state } = input;
  if (announceList) return announceList.map((item) => ({ ...item, state: item.state ?? ANNOUNCE.published }));
  if (REQUIRED.every((field) => input[field] === undefined)) throw refuseMissing('announceList');
  if (lang === undefined || title === undefined || content === undefined || platform === undefined)
    throw refuseMissing(REQUIRED.find((field) => input[field] === undefined) ?? 'announceList');
  return [{ lang, title, content, platform, state: state ?? ANNOUNCE.published }];
}

/** @throws Refused 422 if both a list and the fields of a single item are given */
function refuseBoth(input: AnnounceAdd | AnnounceSave): void {
  if (input.announceList && [...REQUIRED, 'state' as const].some((field) => input[field] !== undefined))
    throw refuseField('announceList', '与单条公告的字段只能填写一种');
}

const sanitizeItem = (item: AnnounceItem): AnnounceItem => ({ ...item, content: cleanHtml(item.content) });

/** @throws Refused 422 for published items without text; drafts may be empty */
function validateContent(items: readonly (readonly [string, AnnounceItem])[]): void {
  const errors = items
    .filter(([, { state, content }]) => state === 1 && !hasText(content))
    .map(([field]): FieldError => ({ field, msg: `请输入${labelOf('content')}` }));
  if (errors.length > 0) throw refuse(refusals.invalid, errors[0]?.msg, errors);
}

/** Sends an announcement to the platform, drafts and deletions included, so that it can remove them. */
async function publish(ctx: Ctx, row: AnnounceRow, deleted = 0): Promise<void> {
  const { id, lang, title, content, platform, state, updatedAt: at } = row;
  const data = { no: `A${id}`, lang, title, content, platform, state, deleted, at };
  await enqueue(ctx.db, { type: 'announce.published', refType: 'announce', refId: id, data, now: ctx.now });
}

const auditedFields = ({ lang, title, content, platform, state }: AnnounceRow) => ({
  lang,
  title,
  content,
  platform,
  state,
});
