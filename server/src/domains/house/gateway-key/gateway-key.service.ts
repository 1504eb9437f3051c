import { GATEWAY_KEYS_MAX, gatewayKey as calls } from '@hengtai/contract/house/gateway-key/calls';
import type {
  GatewayKeyIssued,
  GatewayKeyList,
  GatewayKeyRow,
  GatewayKeySave,
} from '@hengtai/contract/house/gateway-key/schema';
import { gatewayRights } from '@hengtai/contract/gateway/rights';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { houseSubject } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { saveOfRecord } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, codeItem, textItem } from '../../../actions/preview.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { encryptSecret } from '../../../host/secret-key.ts';
import { listPlatformKeys, newPlatformKey } from '../../../host/platform-key.ts';
import { refuseField, refuseStateConflict } from '../../../app/refuse.ts';
import { parseNetwork } from '../../../gateway/networks.ts';
import { DEFAULT_PLATFORM } from '../../../gateway/platform-scope.ts';
import { findCurrentKey } from '../otp/secret-key.steps.ts';
import { requireTop } from '../../../authority/authority.ts';
import { type KeyTerms, loosensKey, marketsText } from './gateway-key.rules.ts';
import {
  fetchLastUses,
  findGatewayKey,
  insertGatewayKey,
  issueGatewayKey,
  listGatewayKeys,
  revokeGatewayKey,
  updateGatewayKey,
} from './gateway-key.store.ts';
import { findPlatform, listPlatforms } from './platform.store.ts';

/** @throws Refused 403 for operators other than the top-level admin */
export async function readGatewayKeys(ctx: Ctx, _input: unknown, { platform }: App): Promise<GatewayKeyList> {
  requireTop(ctx);
  const environment = listPlatformKeys(platform).map(({ key }) => key);
  return {
    keys: await listGatewayKeys(ctx.db),
    platforms: await listPlatforms(ctx.db),
    environment: await fetchLastUses(ctx.db, environment),
  };
}

/** A key belongs to no agent, so its approvals belong to the tree of their maker. */
const subjectOf = houseSubject('gatewayKey');

type SignedKey = KeyTerms & Pick<GatewayKeyRow, 'platformId'>;

const termsOf = ({ platformId, name, rights, addresses, expiresAt, nonce }: SignedKey): SignedKey => ({
  platformId,
  name,
  rights,
  addresses,
  expiresAt,
  nonce,
});

const find = async ({ db }: Ctx, { id }: IdInput): Promise<GatewayKeyRow | undefined> => findGatewayKey(db, id);

function refuseChanged({ revokedAt, issuedAt, by, updatedAt }: GatewayKeyRow) {
  const label = revokedAt !== null ? '已吊销' : issuedAt !== null ? '已签发' : '未签发';
  return refuseStateConflict(label, { state: revokedAt === null ? 1 : 0, by, at: updatedAt });
}

const refuseStale = ({ id, by, updatedAt }: GatewayKeyRow, seen: number) =>
  refuseStaleSave({ target: { type: 'gatewayKey', id }, since: seen, current: { by, at: updatedAt } });

/** Adds a key, or changes one. A new key has no secret, so approvals of it contain none: `issue` makes it afterwards. */
export const gatewayKeySave = defineAction<GatewayKeySave, GatewayKeyRow, GatewayKeyRow | null>({
  call: calls.save,
  validate: ({ addresses }) => {
    const wrong = addresses.find((address) => !parseNetwork(address));
    if (wrong !== undefined) throw refuseField('addresses', `：${wrong} 不是 IP 地址或网段`);
  },
  authorize: requireTop,
  load: async (ctx, { id }) => (id === undefined ? null : find(ctx, { id })),
  check: (_ctx, target, { seen }) => {
    if (!target) return;
    if (target.revokedAt !== null) throw refuseChanged(target);
    if (seen !== undefined && seen !== target.updatedAt) throw refuseStale(target, seen);
  },
  setting: {
    record: (target, ctx) => (target ? { data: target, subject: subjectOf(ctx, target) } : undefined),
    isSet: (target, { platformId: _platform, ...terms }) =>
      target !== null &&
      stableJson(termsOf(target)) === stableJson(termsOf({ ...terms, platformId: target.platformId })),
  },
  save: saveOfRecord<GatewayKeySave, GatewayKeyRow | null, SignedKey>({
    line: (target, { name }) => (target ? `gatewayKey:${target.id}` : `gatewayKey:new:${name}`),
    title: (target, { name }) => `网关密钥 ${target?.name ?? name}`,
    words: async ({ db }, target, { platformId = DEFAULT_PLATFORM }) => {
      const platform = await findPlatform(db, target?.platformId ?? platformId);
      return {
        texts: {
          platformId: (id: number) =>
            platform ? `${platform.name}（市场：${marketsText(platform.markets)}）` : `#${id}`,
          addresses: (addresses: readonly string[]) => addresses.join(', ') || '不限',
        },
      };
    },
    before: (target) => target && termsOf(target),
    after: (target, { platformId = DEFAULT_PLATFORM, ...terms }) =>
      termsOf({ ...terms, platformId: target?.platformId ?? platformId }),
    loosens: (before, after) => after === null || loosensKey(before, after),
    renew: (input, target) => (target ? { ...input, seen: target.updatedAt } : input),
  }),
  guard: {
    // A new key has no id yet.
    subject: (target, ctx) =>
      target ? subjectOf(ctx, target) : { type: 'installation', id: 1, agentId: ctx.operator.id },
    preview: async ({ db }, input) =>
      previewOf(input, input.id === undefined ? null : await findGatewayKey(db, input.id)),
  },
  execute: async (ctx, { id: _id, seen: _seen, reason: _reason, platformId = DEFAULT_PLATFORM, ...terms }, target) => {
    const saved = target
      ? await updateGatewayKey(ctx, target, terms)
      : await insertGatewayKey(ctx, { key: newPlatformKey().key, platformId }, terms);
    if (!saved)
      throw target
        ? refuseStale(target, target.updatedAt)
        : refuseField('name', `：最多 ${GATEWAY_KEYS_MAX} 个有效密钥`);
    return {
      data: saved,
      subject: subjectOf(ctx, saved),
      before: target && termsOf(target),
      after: termsOf(saved),
    };
  },
});

const rightsText = (rights: readonly string[]): string =>
  rights.map((right) => gatewayRights[right] ?? right).join('、');

function itemsOf({ name, rights, addresses, expiresAt, nonce }: Omit<GatewayKeySave, 'id' | 'seen'>) {
  return [
    textItem('名称', name),
    textItem('网关权限', rightsText(rights)),
    codeItem('来源地址', addresses.join(', ') || '不限'),
    textItem('失效时间', expiresAt === null ? '长期有效' : new Date(expiresAt).toISOString()),
    textItem('一次性随机数', nonce === 1 ? '要求' : '不要求'),
  ];
}

/** @param before the key that is changed, null for a new one */
function previewOf(input: GatewayKeySave, before: GatewayKeyRow | null | undefined): Preview {
  const isGone = before === undefined || (before !== null && before.revokedAt !== null);
  return {
    input: itemsOf(input),
    now: before ? itemsOf(before) : [],
    legs: [],
    problem: isGone ? refusals.notFound.msg : null,
    consequence: before ? '立即对使用此密钥的请求生效。' : '通过后须另行签发，密钥内容只在签发时显示一次。',
  };
}

/** Makes the secret of a key. Only this answer shows it. */
export const gatewayKeyIssue = defineAction<IdInput, GatewayKeyIssued, GatewayKeyRow>({
  call: calls.issue,
  authorize: requireTop,
  load: find,
  check: (_ctx, target) => {
    if (target.issuedAt !== null || target.revokedAt !== null) throw refuseChanged(target);
  },
  execute: async (ctx, { id }, target) => {
    const { secret } = newPlatformKey();
    const by = await findCurrentKey(ctx.app.secretKeys.keys(), ctx.db);
    const stored = { secret: encryptSecret(by, id, secret, 'gateway'), keyId: by.id };
    if (!(await issueGatewayKey(ctx, id, stored))) throw refuseChanged(target);
    return { data: { key: target.key, secret }, subject: subjectOf(ctx, target), after: { name: target.name } };
  },
});

export const gatewayKeyRevoke = defineAction<IdInput, GatewayKeyRow, GatewayKeyRow>({
  call: calls.revoke,
  authorize: requireTop,
  load: find,
  check: (_ctx, target) => {
    if (target.revokedAt !== null) throw refuseChanged(target);
  },
  execute: async (ctx, { id }, target) => {
    const revoked = await revokeGatewayKey(ctx, id);
    if (!revoked) throw refuseChanged(target);
    return { data: revoked, subject: subjectOf(ctx, target), before: termsOf(target), msg: '已吊销' };
  },
});
