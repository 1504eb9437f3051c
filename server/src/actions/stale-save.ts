import type { ConflictField, RecordConflict } from '@hengtai/contract/wire/envelope';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { Ctx } from '../app/context.ts';
import { Refused, refuse } from '../app/refuse.ts';
import { withFullScope } from '../database/connect.ts';
import type { Subject } from './action-audit.ts';
import { type RecordedChange, fetchChanges } from './audit.store.ts';
import { changeOf, fieldsText, momentText } from './record-change.ts';
import type { Words } from './save.ts';

/** A save of a record that others have saved since the caller read it. */
export interface StaleSave {
  target: Subject;
  /** The `updatedAt` that the caller read. */
  since?: number | undefined;
  /** How many saves the version that the caller read is behind. */
  versions?: number;
  /** Tells saves of the record from other changes with the same target, by what their audit rows recorded. */
  isSave?: ((after: Readonly<Record<string, unknown>>) => boolean) | undefined;
  /** The record as it is. `by` and `at` are shown if no audit row of the change is found. */
  current: { state?: number; by?: string | null; at: number | null };
  words?: Partial<Words>;
}

/**
 * 409 for a save that is based on an older version. Its own text names nobody, because an approval may store it for readers of
 * other trees; `withChangesNamed` tells the caller what changed.
 */
class StaleSaveRefused extends Refused {
  readonly save: StaleSave;

  constructor(save: StaleSave) {
    super(refusals.saveConflict);
    this.save = save;
  }
}

export const refuseStaleSave = (save: StaleSave): Refused => new StaleSaveRefused(save);

/** Runs the work of a caller. A stale save is refused with the fields that changed, both values, by whom and when. */
export async function withChangesNamed<R>(ctx: Ctx, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StaleSaveRefused ? await nameChanges(ctx, error.save) : error;
  }
}

async function nameChanges(ctx: Ctx, save: StaleSave): Promise<Refused> {
  const { state, by = null, at } = save.current;
  const changes = await findChanges(ctx, save);
  const [last] = changes;
  const conflict: RecordConflict = {
    ...(state !== undefined && { state }),
    by: last ? last.by : by,
    at: last ? last.at : at,
    fields: fieldsOf(save, changes),
  };
  return refuse(refusals.saveConflict, conflictText(conflict), conflict);
}

/** Users and agents belong to a tree; the values of other records are the same for all who may save them. */
const isOwned = ({ type, userId }: Subject): boolean => type === 'agent' || typeof userId === 'number';

/** Changes since the caller read the record, the latest first. */
async function findChanges(ctx: Ctx, { target, since = 0, versions, isSave }: StaleSave): Promise<RecordedChange[]> {
  const fetch = () => fetchChanges(ctx, target, since);
  const changes = isOwned(target) ? await fetch() : await withFullScope(ctx.db, fetch);
  const saves = changes.filter(({ after }) => isSave?.(after) ?? true);
  // A caller may name a version that does not exist yet.
  return versions === undefined ? saves : saves.slice(0, Math.max(0, versions));
}

/** Longest text of a value in characters, and what a longer one shows before the first difference. */
const TEXT_MAX = 100;
const TEXT_BEFORE = 20;

/** Returns what shortens both texts of a field to where they differ. */
function excerptOf(before: string | null, after: string | null): (text: string | null) => string | null {
  const [one, other] = [Array.from(before ?? ''), Array.from(after ?? '')];
  if (Math.max(one.length, other.length) <= TEXT_MAX) return (text) => text;
  const differing = one.findIndex((character, index) => character !== other[index]);
  const from = Math.max(0, (differing < 0 ? one.length : differing) - TEXT_BEFORE);
  return (text) => {
    if (text === null) return null;
    const characters = Array.from(text);
    const end = from + TEXT_MAX;
    return `${from > 0 ? '…' : ''}${characters.slice(from, end).join('')}${characters.length > end ? '…' : ''}`;
  };
}

/** The fields that differ, as the caller read them and as they are. */
function fieldsOf({ target, words }: StaleSave, changes: readonly RecordedChange[]): ConflictField[] {
  // The values that a user or an agent had in another tree are not for this caller.
  if (isOwned(target) && changes.some(({ isByOutsider }) => isByOutsider)) return [];
  const subject = { action: changes[0]?.action ?? '', targetType: target.type };
  const keys = [...new Set(changes.flatMap(({ after }) => Object.keys(after)))].filter((key) => key !== 'version');
  return keys.flatMap((key) => {
    const changed = changes.filter(({ after }) => Object.hasOwn(after, key));
    const [newest, oldest] = [changed[0], changed.at(-1)];
    const last = changed.find(({ before, after }) => stableJson(before?.[key]) !== stableJson(after[key]));
    // What only an audit row has, such as the name of the record, was not changed.
    if (!newest || !last || !oldest?.before || !Object.hasOwn(oldest.before, key)) return [];
    const record = { title: '', before: { [key]: oldest.before[key] }, after: { [key]: newest.after[key] } };
    const { fields } = changeOf(subject, record, { names: {}, ...words });
    return fields
      .filter((field) => field.changed)
      .map(({ label, kind, before, after }) => {
        const excerpt = excerptOf(before, after);
        return { label, kind, before: excerpt(before), after: excerpt(after), by: last.by, at: last.at };
      });
  });
}

function conflictText({ by, at, fields }: RecordConflict): string {
  const what = fields.length > 0 ? `：${fieldsText(fields)}` : '';
  const source = [by, at === null ? null : momentText(at)].filter((part) => part !== null).join('，');
  return `记录已变化${what}${source && `（${source}）`}`;
}
