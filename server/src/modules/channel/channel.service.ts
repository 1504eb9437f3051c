import { randomBytes } from 'node:crypto';
import { CHANNELS_MAX, channel as calls, channelTypes } from '@hengtai/contract/channel';
import type { ChannelList, ChannelRow, ChannelSave, ChannelSaved } from '@hengtai/contract/channel.schema';
import { refusals } from '@hengtai/contract/refusals';
import type { IdInput } from '@hengtai/contract/schema';
import type { Subject } from '../../actions/action-audit.ts';
import { defineAction } from '../../actions/action.ts';
import type { ActionCtx, App, Ctx } from '../../core/context.ts';
import { encryptSecret } from '../../core/otp-key.ts';
import { refuse, refuseField } from '../../core/refuse.ts';
import { availableKinds, checkChannelAddress } from './address.rules.ts';
import { deleteChannel, findChannel, insertChannel, listChannels, updateChannel } from './channel.store.ts';
import { addTestMessage } from './delivery.store.ts';
import { BlockedTarget } from './post.ts';

export async function readChannels(ctx: Ctx, _input: unknown, { channels }: App): Promise<ChannelList> {
  return {
    channels: await listChannels(ctx),
    kinds: availableKinds(channels),
    hosts: [...channels.hosts],
    linked: channels.publicUrl !== undefined,
  };
}

const subjectOf = ({ operator }: Ctx, id: number): Subject => ({ type: 'channel', id, agentId: operator.id });
/** The audit log has the masked address. */
const auditFields = ({ kind, name, address, types, enabled }: ChannelRow) => ({ kind, name, address, types, enabled });

/** Inserts a channel, or updates one. A webhook gets a secret, which only the answer of this call shows. */
export const channelSave = defineAction<ChannelSave, ChannelSaved, ChannelRow | null>({
  name: 'channel.save',
  call: calls.save,
  validate: ({ id, address, types, kind, renewSecret }) => {
    const known = new Set<string>(channelTypes);
    if (!types.every((type) => known.has(type))) throw refuseField('types', '格式不正确');
    if (id === undefined && address === undefined) throw refuseField('address', '不能为空');
    if (renewSecret === 1 && kind !== 'webhook') throw refuseField('renewSecret', '仅用于 Webhook');
  },
  load: async (ctx, { id, kind }) => {
    if (id === undefined) return null;
    const found = await findChannel(ctx, id);
    return found?.kind === kind ? found : undefined;
  },
  execute: async (ctx, input, target) => {
    const { kind, name, types, enabled } = input;
    const encrypt = (text: string): Promise<string> => encryptSecret(ctx.app.otpKey, ctx.operator.id, text, 'channel');
    const located = input.address === undefined ? {} : await locate(ctx, { ...input, address: input.address }, encrypt);
    const needsSecret = kind === 'webhook' && (target === null || input.renewSecret === 1);
    const secret = needsSecret ? randomBytes(32).toString('base64url') : undefined;
    const stored = secret === undefined ? undefined : await encrypt(secret);
    const id = target ? target.id : await insert(ctx, { kind, name, types, enabled, ...located }, stored);
    if (target) {
      const change = { name, types, enabled, ...located, ...(stored !== undefined && { secret: stored }) };
      if (!(await updateChannel(ctx, id, change))) throw refuse(refusals.notFound);
    }
    const saved = await findChannel(ctx, id);
    if (!saved) throw refuse(refusals.notFound);
    return {
      data: { channel: saved, ...(secret !== undefined && { secret }) },
      subject: subjectOf(ctx, id),
      before: target && auditFields(target),
      after: {
        ...auditFields(saved),
        ...(target && { addressChanged: input.address !== undefined, secretChanged: secret !== undefined }),
      },
    };
  },
});

async function locate(
  { app }: ActionCtx,
  { kind, address }: { kind: ChannelSave['kind']; address: string },
  encrypt: (text: string) => Promise<string>,
): Promise<{ address: string; hint: string }> {
  try {
    const hint = checkChannelAddress(kind, address, app.channels);
    return { address: await encrypt(address), hint };
  } catch (error) {
    if (error instanceof BlockedTarget) throw refuseField('address', `：${error.message}`);
    throw error;
  }
}

async function insert(
  ctx: Ctx,
  channel: Pick<ChannelSave, 'kind' | 'name' | 'types' | 'enabled'> & { address?: string; hint?: string },
  secret: string | undefined,
): Promise<number> {
  // `validate` has refused a new channel without an address.
  const { address = '', hint = '' } = channel;
  const id = await insertChannel(ctx, { ...channel, address, hint, secret: secret ?? null });
  if (id === undefined) throw refuseField('name', `：最多 ${CHANNELS_MAX} 个通知渠道`);
  return id;
}

/** Puts a test message into the outbox. Its result is in the channel's row a moment later. */
export const channelTest = defineAction<IdInput, ChannelRow, ChannelRow>({
  name: 'channel.test',
  call: calls.test,
  load: (ctx, { id }) => findChannel(ctx, id),
  execute: async (ctx, { id }, target) => {
    await addTestMessage(ctx.db, { id, operatorId: ctx.operator.id }, ctx.now);
    return { data: (await findChannel(ctx, id)) ?? target, subject: subjectOf(ctx, id), msg: '测试消息已提交发送' };
  },
});

export const channelDel = defineAction<IdInput, null, ChannelRow>({
  name: 'channel.del',
  call: calls.del,
  load: (ctx, { id }) => findChannel(ctx, id),
  execute: async (ctx, { id }, target) => {
    if (!(await deleteChannel(ctx, id))) throw refuse(refusals.notFound);
    return { data: null, subject: subjectOf(ctx, id), before: auditFields(target), msg: '已删除' };
  },
});
