import { stableJson } from '@hengtai/contract/wire/stable-json';
import { type Mandate, type Roster, parseRoster, personKey } from '@hengtai/contract/risk/signing/text';
import type { SigningKey, SigningMine, SigningState } from '@hengtai/contract/risk/signing/schema';
import { formatPlain } from '../../../ui/value/decimal.ts';

type Page = NonNullable<SigningMine['page']>;
export type RosterInForce = Pick<NonNullable<SigningState['roster']>, 'version' | 'digest' | 'signsDigest'>;

/** The text of a new roster, which follows the one in force. */
export function rosterText(
  held: SigningState['roster'],
  page: Page,
  keys: readonly SigningKey[],
  threshold: number,
): string {
  const roster: Roster = {
    kind: 'roster',
    version: (held?.version ?? 0) + 1,
    previous: held?.digest ?? null,
    threshold,
    relyingParty: page.relyingParty,
    origins: [new URL(page.url).origin],
    keys: keys.map(({ key, person, publicKey }) => ({ id: key, person, publicKey })),
  };
  return stableJson(roster);
}

/** Why these keys cannot be a roster; undefined if they can. */
export function rosterProblem(keys: readonly SigningKey[], threshold: number): string | undefined {
  const names = [...new Set(keys.map(({ person }) => person))];
  const persons = new Set(names.map(personKey)).size;
  if (persons < names.length) return '有签名人的账号只差大小写，不能同时列入';
  return persons < threshold ? `至少需要 ${threshold} 位签名人的密钥，现有 ${persons} 位` : undefined;
}

/** A coin of a mandate as it is typed. */
export interface CoinFields {
  market: string;
  networks: string;
  largest: string;
  perDay: string;
}

export interface MandateFields {
  id: string;
  /** Number of the platform whose wallet pays. */
  platform: number;
  from: number | undefined;
  until: number | undefined;
  coins: readonly CoinFields[];
}

export const NO_COIN: CoinFields = { market: '', networks: '', largest: '', perDay: '' };

const splitNames = (text: string): string[] => [...new Set(text.split(/[\s,，、]+/).filter((name) => name !== ''))];

/** The first field that is missing; undefined if the mandate is complete. */
export function mandateProblem({ id, from, until, coins }: MandateFields): string | undefined {
  if (!/^[A-Za-z0-9-]{1,40}$/.test(id)) return '授权编号须为 1 至 40 个字母、数字或连字符';
  if (from === undefined || until === undefined || from >= until) return '请选择生效与失效时间，失效须晚于生效';
  const open = coins.find(({ market, networks, largest, perDay }) => {
    const isTyped = market.trim() !== '' && splitNames(networks).length > 0;
    return !isTyped || largest === '' || perDay === '';
  });
  return open && '请填写每个币种的网络、单笔上限和每日上限';
}

/** The text of a mandate under the roster in force. */
export function mandateText(
  { id, platform, from, until, coins }: MandateFields,
  { version, digest, signsDigest }: RosterInForce,
): string {
  const mandate: Mandate = {
    kind: 'mandate',
    id,
    roster: version,
    ...(signsDigest && { rosterDigest: digest }),
    platform,
    from: from ?? 0,
    until: until ?? 0,
    coins: coins.map(({ market, networks, largest, perDay }) => ({
      market: market.trim(),
      networks: splitNames(networks),
      largest: formatPlain(largest),
      perDay: formatPlain(perDay),
    })),
  };
  return stableJson(mandate);
}

/** The caller's keys that can sign a draft: of the roster in force, or for the first roster, of the draft itself. */
export function signerKeys(mine: SigningMine, held: SigningState['roster'], draft: string): string[] {
  if (held) return mine.keys.filter(({ inRoster }) => inRoster).map(({ key }) => key);
  const ids = new Set(parseRoster(draft).keys.map(({ id }) => id));
  return mine.keys.filter(({ key }) => ids.has(key)).map(({ key }) => key);
}
