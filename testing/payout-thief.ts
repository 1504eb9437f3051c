import { randomBytes } from 'node:crypto';
import { makeRandom } from './random.ts';
import {
  type NamedRoster,
  type Signed,
  type Signer,
  type SignerLies,
  canonicalJson,
  makeSigner,
  nameRoster,
} from './signer.ts';

/** The data of a payout as the wallet receives it. */
export interface PayoutData {
  no: string;
  attempt: number;
  account: string;
  market: string;
  network: string;
  address: string;
  memo: string;
  amount: string;
  payout?: string;
  signatures?: Signed[];
  mandate?: { text: string; signatures: Signed[] };
}

export { makeRandom };
type Random = ReturnType<typeof makeRandom>;

/** What people decided: the data without signatures. */
export const makeOrder = (index: number): PayoutData => ({
  no: `W-${index}`,
  attempt: 1,
  account: `user${index}`,
  market: index % 3 === 0 ? 'BTC' : 'USDT',
  network: 'TRC20',
  address: `T${'x'.repeat(20)}${index}`,
  memo: '',
  amount: String(10 + index),
});

export const payoutText = (data: PayoutData, maker: string, platform = 1): string => {
  const { no, attempt, account, market, network, address, memo, amount } = data;
  return canonicalJson({
    kind: 'payout',
    command: 'withdraw.payout',
    platform,
    no,
    attempt,
    account,
    market,
    network,
    address,
    memo,
    amount: String(Number(amount) + 1),
    fee: '1',
    received: amount,
    state: attempt === 1 ? 0 : 7,
    maker,
  });
};

/** Signs one payout by maker and checker. */
export function signPayout(
  data: PayoutData,
  [maker, checker]: readonly [Signer, Signer],
  at: number,
  roster: NamedRoster,
): PayoutData {
  const payout = payoutText(data, maker.person);
  const signatures = [maker.sign([payout], { at, roster }), checker.sign([payout], { at: at + 1000, roster })];
  return { ...data, payout, signatures };
}

/** A mandate with the signatures of these people. */
export function signMandate(text: string, signers: readonly Signer[], at: number, roster: NamedRoster) {
  return { text, signatures: signers.map((signer) => signer.sign([text], { at, roster })) };
}

export const makeMandate = (roster: NamedRoster, from: number, fields: object = {}): string =>
  canonicalJson({
    kind: 'mandate',
    id: 'M-1',
    ...nameRoster(roster),
    platform: 1,
    from,
    until: from + 86_400_000,
    coins: [{ market: 'USDT', networks: ['TRC20'], largest: '100', perDay: '1000' }],
    ...fields,
  });

/** Everything above the wallet: all that was ever signed, all public keys, but no key of the roster. */
export interface Loot {
  signers: readonly Signer[];
  /** Text of the roster that the wallet holds. */
  roster: string;
  /** Signed payouts that were not delivered yet, and those that were paid. */
  waiting: readonly PayoutData[];
  paid: readonly PayoutData[];
  /** Of its budget for the day, 10 are left. */
  mandate: { text: string; signatures: Signed[] };
  at: number;
  maxAge: number;
}

type Attack = (loot: Loot, random: Random, thief: Signer) => { data: PayoutData; later?: number; platform?: number };

const fields = ['no', 'attempt', 'account', 'market', 'network', 'address', 'memo', 'amount'] as const;

function changed(data: PayoutData, random: Random): PayoutData {
  const field = random.pick(fields);
  if (field === 'attempt') return { ...data, attempt: data.attempt + 1 + random.int(3) };
  return { ...data, [field]: field === 'amount' ? `${data.amount}${1 + random.int(9)}` : `${data[field]}x` };
}

function signaturesOf({ signatures }: PayoutData): [Signed, Signed] {
  const [maker, checker] = signatures ?? [];
  if (!maker || !checker) throw new Error('The payout has no two signatures.');
  return [maker, checker];
}

function flipBit(value: string, random: Random): string {
  const bytes = Buffer.from(value, 'base64url');
  const at = random.int(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
  return bytes.toString('base64url');
}

/** What an authenticator or a page may claim that a wallet must refuse, even with a key of the roster. */
export const lies: readonly SignerLies[] = [
  { type: 'webauthn.create' },
  { origin: 'https://evil.example.com' },
  { relyingParty: 'evil.example.com' },
  { crossOrigin: true },
  { topOrigin: 'https://evil.example.com' },
  { flags: 1 },
  { flags: 4 },
  { roster: 2 },
  { rosterDigest: 'f'.repeat(64) },
];

const MALFORMED: readonly unknown[] = [null, undefined, 7, '', [], {}, [null], [{}], [[]], true, 'x'];

/** Payouts that spend the budget of a mandate up to 10: eleven that are paid, and one that is not. */
export const makeSpending = (mandate: Loot['mandate']): PayoutData[] =>
  Array.from({ length: 12 }, (_, index) => ({
    ...makeOrder(4_000_000 + index),
    market: 'USDT',
    amount: '90',
    mandate,
  }));

/** Attacks that only a wallet refuses, because it remembers what it paid. */
export const MEMORY_ATTACKS: readonly string[] = ['replayed', 'reordered', 'mandate, over its budget'];

/** The kinds of attack. Each makes a payout that must not be paid. */
export const attacks: Readonly<Record<string, Attack>> = {
  'unsigned order': ({ waiting }, random) => {
    const { payout: _payout, signatures: _signatures, ...data } = random.pick(waiting);
    return { data: changed(data, random) };
  },
  'changed data': ({ waiting }, random) => ({ data: changed(random.pick(waiting), random) }),
  'changed data and text': ({ waiting }, random) => {
    const victim = random.pick(waiting);
    const data = changed(victim, random);
    return { data: { ...data, payout: payoutText(data, JSON.parse(victim.payout ?? '').maker) } };
  },
  'changed bits': ({ waiting }, random) => {
    const victim = random.pick(waiting);
    const signatures = signaturesOf(victim);
    const field = random.pick(['authenticatorData', 'clientDataJSON', 'signature'] as const);
    const which = random.int(2);
    const signature = signatures[which] ?? signatures[0];
    return {
      data: {
        ...victim,
        signatures: signatures.with(which, { ...signature, [field]: flipBit(signature[field], random) }),
      },
    };
  },
  'changed consent': ({ waiting, at, signers }, random) => {
    const victim = random.pick(waiting);
    const [maker, checker] = signaturesOf(victim);
    const change = random.pick([
      { at: at + 5000 },
      { person: random.pick(signers).person },
      { roster: 2 },
      { rosterDigest: 'f'.repeat(64) },
      { rosterDigest: undefined },
      { digests: [] },
    ]);
    const { rosterDigest, ...changes } = { ...JSON.parse(checker.consent), ...change };
    const consent = canonicalJson({ ...changes, ...(rosterDigest !== undefined && { rosterDigest }) });
    if (consent === checker.consent) return { data: { ...victim, signatures: [maker] } };
    return { data: { ...victim, signatures: [maker, { ...checker, consent }] } };
  },
  'forged by an own key': ({ signers, at, roster }, random, thief) => {
    const data = makeOrder(1_000_000 + random.int(1_000_000));
    const [maker, checker] = [signers[0], signers[1]];
    if (!maker || !checker) throw new Error('There are no signers.');
    const payout = payoutText(data, maker.person);
    const forge = ({ person, id }: Signer): Signed =>
      thief.sign(
        [payout],
        { at, roster },
        { ...random.pick([{}, ...lies]), person, ...(random.int(2) === 0 && { key: id }) },
      );
    return { data: { ...data, payout, signatures: [forge(maker), forge(checker)] } };
  },
  'one signature': ({ waiting }, random) => {
    const victim = random.pick(waiting);
    const one = random.pick(signaturesOf(victim));
    return { data: { ...victim, signatures: random.pick([[one], [one, one], [one, { ...one }]]) } };
  },
  'signatures of two payouts': ({ waiting, paid }, random) => {
    const victim = random.pick(waiting);
    const other = random.pick(paid);
    const [maker] = signaturesOf(victim);
    return { data: { ...victim, signatures: random.pick([[maker, signaturesOf(other)[1]], signaturesOf(other)]) } };
  },
  replayed: ({ paid }, random) => ({ data: random.pick(paid) }),
  'replayed as another': ({ paid }, random) => {
    const victim = random.pick(paid);
    const change = random.pick([{ attempt: victim.attempt + 1 }, { no: `${victim.no}-1` }]);
    return { data: { ...victim, ...change } };
  },
  // The server reports a paid attempt as failed, so people sign a later one.
  reordered: ({ paid, signers: [maker, checker], at, roster }, random) => {
    if (!maker || !checker) throw new Error('There are no signers.');
    const { payout: _payout, signatures: _signatures, ...order } = random.pick(paid);
    return { data: signPayout({ ...order, attempt: order.attempt + 1 + random.int(3) }, [maker, checker], at, roster) };
  },
  'kept too long': ({ waiting, maxAge }, random) => ({
    data: random.pick(waiting),
    later: maxAge + 10_000 + random.int(86_400_000),
  }),
  'for another platform': ({ waiting }, random) => ({ data: random.pick(waiting), platform: 2 + random.int(3) }),
  malformed: ({ waiting }, random) => {
    const victim = random.pick(waiting);
    const bad = random.pick(MALFORMED);
    const field = random.pick(['signatures', 'payout', 'consent', 'mandate', 'clientDataJSON', 'signature'] as const);
    const inner = field === 'consent' || field === 'clientDataJSON' || field === 'signature';
    const [maker, checker] = signaturesOf(victim);
    // Without a mandate the victim is an honest payout.
    const value = field === 'mandate' && bad === undefined ? null : bad;
    const data = inner
      ? { ...victim, signatures: [maker, { ...checker, [field]: bad }] }
      : { ...victim, [field]: value };
    return { data };
  },
  'double field': ({ waiting }, random) => {
    const victim = random.pick(waiting);
    const payout = victim.payout?.replace('"received":', '"received":"999999","received":') ?? '';
    return { data: { ...victim, payout } };
  },
  'mandate, outside its conditions': ({ mandate }, random) => {
    const { payout: _payout, signatures: _signatures, ...order } = makeOrder(2_000_000 + random.int(1_000_000));
    const change = random.pick([
      { amount: '100.000000000000000001' },
      { market: 'BTC' },
      { network: 'ERC20' },
      { amount: '-5' },
      { amount: '1e1' },
      { amount: '5.0' },
      { amount: '0' },
      { attempt: 0 },
    ]);
    return { data: { ...order, market: 'USDT', amount: '5', ...change, mandate } };
  },
  'mandate, over its budget': ({ mandate }, random) => {
    const order = makeOrder(3_000_000 + random.int(1_000_000));
    return { data: { ...order, market: 'USDT', amount: String(11 + random.int(90)), mandate } };
  },
  'mandate, changed': ({ mandate, at, roster }, random, thief) => {
    const { payout: _payout, signatures: _signatures, ...order } = makeOrder(2_000_000 + random.int(1_000_000));
    const text = makeMandate(roster, at - 1000, { id: `M-${2 + random.int(99)}` });
    const [one, two] = mandate.signatures;
    if (!one || !two) throw new Error('The mandate has no two signatures.');
    const signatures = random.pick([
      mandate.signatures,
      [one, { ...thief.sign([text], { at, roster }), key: two.key }],
    ]);
    return { data: { ...order, market: 'USDT', amount: '5', mandate: { text, signatures } } };
  },
  'mandate, expired': ({ mandate }, random) => {
    const { payout: _payout, signatures: _signatures, ...order } = makeOrder(2_000_000 + random.int(1_000_000));
    return { data: { ...order, market: 'USDT', amount: '5', mandate }, later: random.pick([86_400_000, -86_400_000]) };
  },
};

/** The thief's own key, which is in no roster. */
export const makeThief = (): Signer => makeSigner(`thief-${randomBytes(4).toString('hex')}`);
