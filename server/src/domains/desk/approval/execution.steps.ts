import { ABILITY } from '@hengtai/contract/authority/ability';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { RegisteredAction } from '../../../actions/action.ts';
import type { JudgedSave } from '../../../actions/save.ts';
import { hashOf } from '../../../actions/approval.rules.ts';
import { type ApprovalRecord, type MakerState, concernsHouse, findMaker } from '../../../actions/approval.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { Refused } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';

/** The actions that can need an approval, by name. */
export type ActionRegistry = ReadonlyMap<string, RegisteredAction<never, unknown>>;

/** Why an approval ended that signed another result. */
export const RECORD_CHANGED = '记录已变化';

/** Checks that the stored request is unaltered and that its maker still has the rights; `problem` is a Chinese text. */
export async function findExecutionProblem(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
  lock = false,
): Promise<{ intact: boolean; problem: string | null; maker?: MakerState }> {
  const intact = hashOf({ ...record, action: record.type }) === record.hash;
  const action = registry.get(record.type);
  if (!action) return { intact, problem: '操作已不受支持' };
  if (!intact) return { intact, problem: '申请内容已被改动' };
  const maker = await findMaker(ctx, record.makerId, record.agentId, lock);
  const ability = action.call.ability;
  const hasAbility = maker?.enabled && (maker.top || ability === undefined || maker.abilities.includes(ability));
  if (!maker || !hasAbility || !maker.seesTarget) return { intact, problem: '提交人已没有此权限' };
  return { intact, problem: null, maker };
}

/** Records without an agent concern the whole house, so any approver may decide about them. */
export const withRecordScope = <T>({ db }: Ctx, record: ApprovalRecord, work: () => Promise<T>): Promise<T> =>
  record.agentId === null || concernsHouse(record) ? withFullScope(db, work) : work();

/** Guarded actions check the rights of the maker, but read rows in the scope of the checker. */
export function makerContext(ctx: Ctx, record: ApprovalRecord, maker: MakerState): Pick<Ctx, 'scope' | 'operator'> {
  const { id, account, top, abilities } = maker;
  // Restoring an earlier value of a setting needs a maker with full scope; the scope of the checker does not matter.
  const needsFullScope = concernsHouse(record) && (top || abilities.includes(ABILITY.headquarters));
  return { scope: needsFullScope ? { kind: 'all' } : ctx.scope, operator: { id, account, top, abilities } };
}

/**
 * What a save would make of the records now; undefined for other actions, and for what is refused anyway, which is left to its
 * execution.
 *
 * @param reading in a read-only snapshot, without locks
 */
export async function judgeNow(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
  reading = false,
): Promise<JudgedSave | undefined> {
  const judgeSave = registry.get(record.type)?.judgeSave;
  const { problem, maker } = await findExecutionProblem(ctx, registry, record, !reading);
  if (!judgeSave || problem !== null || !maker) return undefined;
  try {
    const makerCtx = { ...ctx, ...makerContext(ctx, record, maker) };
    // Safe cast: the input was validated at the request, and its hash proves that it is unchanged.
    return await withRecordScope(ctx, record, () => judgeSave(makerCtx, record.input as never, reading));
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** Whether the request would now make other records than it signed. Before results were stored, requests signed none. */
export const hasChanged = ({ result }: ApprovalRecord, judged: JudgedSave | undefined): boolean =>
  judged !== undefined && (result === null || stableJson(judged.result) !== stableJson(result));
