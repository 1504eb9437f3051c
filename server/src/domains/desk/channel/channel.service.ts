import { randomBytes } from 'node:crypto';
import { CHANNELS_MAX, channel as calls, channelTypes } from '@hengtai/contract/desk/channel/calls';
import type { ChannelList, ChannelRow, ChannelSave, ChannelSaved } from '@hengtai/contract/desk/channel/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { houseSubject } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { requireUnlimited } from '../../../authority/authority.ts';
import type { ActionCtx, App, Ctx } from '../../../app/context.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { availableKinds, checkChannelAddress } from './address.rules.ts';
import {
  type EncryptedTarget,
  deleteChannel,
  findChannel,
  findTarget,
  insertChannel,
  listChannels,
  updateChannel,
} from './channel.store.ts';
import { addTestMessage } from './delivery.store.ts';
import { BlockedTarget } from '../../../outbound/checked-address.ts';
import { type Target, decryptTarget, encryptTarget } from './target.steps.ts';

export async function readChannels(ctx: Ctx, _input: unknown, { channels }: App): Promise<ChannelList> {
  return {
    channels: await listChannels(ctx),
    kinds: availableKinds(channels),
    hosts: [...channels.hosts],
    linked: channels.publicUrl !== undefined,
  };
}

const subjectOf = houseSubject('channel');
/** The audit log has the masked address. */
const auditFields = ({ kind, name, address, types, enabled }: ChannelRow) => ({ kind, name, address, types, enabled });

/**
 * Inserts a channel, or updates one. A webhook gets a secret, which only the answer of this call shows. Address and signing
 * key of a Feishu bot belong together: a new address without a key is that of a bot that does not verify signatures.
 */
export const channelSave = defineAction<ChannelSave, ChannelSaved, ChannelRow | null>({
  call: calls.save,
  validate: ({ id, address, types, kind, renewSecret, signingKey }) => {
    const known = new Set<string>(channelTypes);
    if (!types.every((type) => known.has(type))) throw refuseField('types', '格式不正确');
    if (id === undefined && address === undefined) throw refuseField('address', '不能为空');
    if (renewSecret === 1 && kind !== 'webhook') throw refuseField('renewSecret', '仅用于 Webhook');
    if (signingKey !== undefined && kind !== 'feishu') throw refuseField('signingKey', '仅用于飞书');
  },
  // A channel sends what the operator may see, also after the session has ended.
  authorize: requireUnlimited,
  load: async (ctx, { id, kind }) => {
    if (id === undefined) return null;
    const found = await findChannel(ctx, id);
    return found?.kind === kind ? found : undefined;
  },
  execute: async (ctx, input, target) => {
    const { kind, name, types, enabled } = input;
    const hint = input.address === undefined ? undefined : hintOf(ctx, kind, input.address);
    const isWebhook = kind === 'webhook';
    const secret =
      isWebhook && (!target || input.renewSecret === 1) ? randomBytes(32).toString('base64url') : undefined;
    const key = secret ?? input.signingKey;
    const fields = { name, types, enabled, ...(hint !== undefined && { hint }) };
    const change = { address: input.address, key, keepsKey: isWebhook || input.address === undefined };
    const sealed = hint === undefined && key === undefined ? undefined : await seal(ctx, target, change);
    const id = target ? target.id : await insert(ctx, { kind, ...fields }, sealed);
    if (target && !(await updateChannel(ctx, id, { ...fields, ...(sealed && { target: sealed }) })))
      throw refuse(refusals.notFound);
    const saved = await findChannel(ctx, id);
    if (!saved) throw refuse(refusals.notFound);
    return {
      data: { channel: saved, ...(secret !== undefined && { secret }) },
      subject: subjectOf(ctx, { id }),
      before: target && auditFields(target),
      after: {
        ...auditFields(saved),
        ...(target && { addressChanged: input.address !== undefined, secretChanged: key !== undefined }),
      },
    };
  },
});

/** What screens show of an address. */
function hintOf({ app }: ActionCtx, kind: ChannelSave['kind'], address: string): string {
  try {
    return checkChannelAddress(kind, address, app.channels);
  } catch (error) {
    if (error instanceof BlockedTarget) throw refuseField('address', `：${error.message}`);
    throw error;
  }
}

/** Encrypts a new address or key together with the part that stays. */
async function seal(
  ctx: ActionCtx,
  channel: ChannelRow | null,
  { address, key, keepsKey }: { address: string | undefined; key: string | undefined; keepsKey: boolean },
): Promise<EncryptedTarget> {
  const { app, db, operator } = ctx;
  const stored = channel ? requireFound(await findTarget(ctx, channel.id)) : undefined;
  const before: Target = stored === undefined ? { address: '' } : decryptTarget(app, operator.id, stored);
  const keptKey = keepsKey ? before.key : undefined;
  return encryptTarget(app, db, operator.id, { address: address ?? before.address, key: key ?? keptKey });
}

async function insert(
  ctx: Ctx,
  channel: Pick<ChannelSave, 'kind' | 'name' | 'types' | 'enabled'> & { hint?: string },
  target: EncryptedTarget | undefined,
): Promise<number> {
  const { hint } = channel;
  if (hint === undefined || !target) throw new Error('validate has refused a new channel without an address');
  const id = await insertChannel(ctx, { ...channel, hint, target });
  if (id === undefined) throw refuseField('name', `：最多 ${CHANNELS_MAX} 个通知渠道`);
  return id;
}

/** Puts a test message into the outbox. Its result is in the channel's row a moment later. */
export const channelTest = defineAction<IdInput, ChannelRow, ChannelRow>({
  call: calls.test,
  load: (ctx, { id }) => findChannel(ctx, id),
  execute: async (ctx, { id }, target) => {
    await addTestMessage(ctx.db, { id, operatorId: ctx.operator.id }, ctx.now);
    return { data: (await findChannel(ctx, id)) ?? target, subject: subjectOf(ctx, { id }), msg: '测试消息已提交发送' };
  },
});

export const channelDel = defineAction<IdInput, null, ChannelRow>({
  call: calls.del,
  load: (ctx, { id }) => findChannel(ctx, id),
  execute: async (ctx, { id }, target) => {
    if (!(await deleteChannel(ctx, id))) throw refuse(refusals.notFound);
    return { data: null, subject: subjectOf(ctx, { id }), before: auditFields(target), msg: '已删除' };
  },
});
