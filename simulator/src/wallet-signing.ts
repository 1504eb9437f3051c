import { existsSync, readFileSync } from 'node:fs';
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import { MemoryPayoutStore, verifyPayout } from '../../clients/typescript/src/payout.ts';
import {
  type HeldRoster,
  NotVerified,
  type VerificationFault,
  acceptRoster,
  pinRoster,
  restoreRoster,
} from '../../clients/typescript/src/roster.ts';
import type { Reads } from '../../clients/typescript/src/types.ts';
import { log } from './log.ts';
import type { World } from './world.ts';

const reasons: Readonly<Record<VerificationFault, string>> = {
  unsigned: '没有签名',
  malformed: '格式不正确',
  differs: '与签名内容不一致',
  unknown_key: '密钥不在名册中',
  challenge: '签名与内容不符',
  client_data: '不是在签名页签署',
  relying_party: '不属于签名页的域名',
  user_verification: '签名人未经核验',
  signature: '签名错误',
  roster_version: '名册版本不符',
  roster_digest: '名册指纹不符',
  same_person: '同一人重复签名',
  threshold: '签名人数不足',
  maker: '缺少提交人的签名',
  platform: '属于其他平台',
  age: '签名已过期',
  mandate: '不在授权范围内',
  budget: '超出授权的当日额度',
  repeated: '该笔打款已受理过',
};

/**
 * Pins the roster of the file. Until there is one, nothing is paid. Another text in the file is pinned instead, as after lost
 * keys; what was paid stays recorded.
 */
function findHeld(world: World): HeldRoster | undefined {
  const { options, state } = world;
  const pinned =
    options.roster && existsSync(options.roster) ? readFileSync(options.roster, 'utf8').trimEnd() : undefined;
  if (pinned !== undefined && pinned !== state.signing?.pinned) {
    log('the wallet pinned a roster', { fingerprint: pinRoster(pinned).digest });
    const records = state.signing?.records ?? { attempts: {}, spent: {} };
    state.signing = { pinned, roster: pinned, needsDigest: true, records };
  }
  return state.signing && restoreRoster(state.signing.roster, state.signing.needsDigest ?? false);
}

/**
 * Verifies and claims a payout, if the wallet has to.
 *
 * @returns why it is refused, in Chinese; undefined if it may be paid
 */
export function refusePayout(world: World, data: PayoutData): string | undefined {
  if (!world.options.roster) return undefined;
  try {
    const roster = findHeld(world);
    if (!roster || !world.state.signing) return '钱包尚未固定签名名册';
    const claim = verifyPayout(data, { roster, now: world.now });
    const answer = new MemoryPayoutStore(world.state.signing.records).claim(claim);
    if (answer === 'claimed') return undefined;
    return describe(answer === 'repeated' ? 'repeated' : 'budget');
  } catch (error) {
    if (error instanceof NotVerified) return describe(error.fault);
    throw error;
  }
}
type PayoutData = Extract<PlatformCommand, { type: 'withdraw.payout' }>['data'];

const describe = (fault: VerificationFault): string => `签名核验未通过：${reasons[fault]}`;

/** Allows a later attempt, because this one was certainly not paid. */
export function releasePayout({ state }: World, no: string, attempt: number): void {
  if (state.signing) new MemoryPayoutStore(state.signing.records).release(no, attempt);
}

/** Version of the roster that the wallet holds; undefined if it verifies nothing. */
export const findHeldVersion = (world: World): number | undefined =>
  world.options.roster ? findHeld(world)?.version : undefined;

/** Accepts the rosters that follow the held one, up to the first that does not verify. */
export function followRosters(world: World, rosters: Reads['rosters']['data']): void {
  const held = findHeld(world);
  if (!held || !world.state.signing) return;
  try {
    rosters.reduce((roster, { text, signatures }) => {
      const next = acceptRoster(roster, text, signatures);
      if (world.state.signing) world.state.signing = { ...world.state.signing, roster: text, needsDigest: true };
      log('the wallet accepted a roster', { version: next.version, fingerprint: next.digest });
      return next;
    }, held);
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error;
    log('the wallet refused a roster', { fault: error.fault, error: error.message });
  }
}
