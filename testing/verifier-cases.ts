import { makeMandate, makeOrder, payoutText, signMandate, signPayout } from './payout-thief.ts';
import { type NamedRoster, type Signed, canonicalJson, makeRoster, makeSigner } from './signer.ts';

/** What a wallet without earlier payouts must pay or refuse. Every verifier gives the same answer. */
export interface VerifierCase {
  name: string;
  roster: string;
  /** The wallet held the roster before consents and mandates carried its digest. */
  isOld: boolean;
  data: unknown;
  now: number;
  isValid: boolean;
}

export const CASES_AT = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const MISSING = Symbol('missing');
/** Values that no field of a text takes, unless a text has one of them anyway. */
const WRONG: readonly unknown[] = [
  MISSING, null, true, false, -1, 0, 1.5, 2 ** 53, '', 'x'.repeat(2000), '\ud800', [], {}, ['x'], [[]],
]; // prettier-ignore

type Fields = Record<string, unknown>;

const [alice, bob, carol] = [makeSigner('alice'), makeSigner('bob'), makeSigner('carol')];
const roster = makeRoster([alice, bob, carol]);
const order = { ...makeOrder(1), market: 'USDT', amount: '50' };

/** Each field with each wrong value, as [what, fields]. */
function spoil(fields: Fields): [string, Fields][] {
  return Object.keys(fields).flatMap((name) =>
    WRONG.filter((value) => value !== fields[name]).map((value): [string, Fields] => {
      const { [name]: _own, ...others } = fields;
      const shown = value === MISSING ? 'missing' : JSON.stringify(value).slice(0, 12);
      return [`${name} ${shown}`, value === MISSING ? others : { ...others, [name]: value }];
    }),
  );
}

const parsed = (text: string): Fields => JSON.parse(text) as Fields;

/** The payout of a text, whose command has the same fields. */
function signText(text: string, named: NamedRoster = roster, command = parsed(text)): Fields {
  const { received, no, attempt, account, market, network, address, memo } = command;
  const signatures = [alice, bob].map((signer) => signer.sign([text], { at: CASES_AT, roster: named }));
  return { no, attempt, account, market, network, address, memo, amount: received, payout: text, signatures };
}

const underMandate = (text: string, fields: Fields = {}, named: NamedRoster = roster): Fields => ({
  ...order,
  mandate: signMandate(text, [alice, bob], CASES_AT, named),
  ...fields,
});

/** Signs a consent of any form with the key of bob, beside the right one of alice. */
function withConsent(fields: Fields): Fields {
  const payout = payoutText(order, 'alice');
  const text = canonicalJson(fields);
  return { ...order, payout, signatures: [alice.sign([payout], { at: CASES_AT, roster }), bob.signConsent(text)] };
}

function consentFields(): Fields {
  const [, signed] = signPayout(order, [alice, bob], CASES_AT, roster).signatures as [Signed, Signed];
  return parsed(signed.consent);
}

const DATA_FIELDS = ['no', 'attempt', 'account', 'market', 'network', 'address', 'memo', 'amount'] as const;

/** Every field of every text, and of the command, with values of the wrong kind. All are signed as they are. */
function spoiledCases(): VerifierCase[] {
  const mandate = parsed(makeMandate(roster, CASES_AT - 1000));
  const [coin] = mandate['coins'] as [Fields];
  const named = (kind: string, all: [string, Fields][], toData: (fields: Fields) => unknown): VerifierCase[] =>
    all.map(([what, fields]) => refuse(`${kind}: ${what}`, toData(fields)));
  const data = Object.fromEntries(DATA_FIELDS.map((field) => [field, order[field]]));
  const signature = bob.sign([payoutText(order, 'alice')], { at: CASES_AT, roster });
  const { keys, ...rosterFields } = parsed(roster) as { keys: [Fields] } & Fields;
  const asRoster = (text: string): Omit<VerifierCase, 'name'> => ({
    roster: text, isOld: false, data: signText(payoutText(order, 'alice'), text), now: CASES_AT, isValid: false,
  }); // prettier-ignore
  return [
    ...named('payout', spoil(parsed(payoutText(order, 'alice'))), (fields) => signText(canonicalJson(fields))),
    ...named('mandate', spoil(mandate), (fields) => underMandate(canonicalJson(fields))),
    ...named('coin', spoil(coin), (fields) => underMandate(canonicalJson({ ...mandate, coins: [fields] }))),
    ...named('consent', spoil(consentFields()), withConsent),
    ...named('command', spoil(data), (fields) => ({ ...signText(payoutText(order, 'alice')), ...undefine(fields) })),
    ...named('command under a mandate', spoil(data), (fields) =>
      underMandate(canonicalJson(mandate), undefine(fields)),
    ),
    ...named('signature', spoil({ ...signature }), (fields) => {
      const signed = signText(payoutText(order, 'alice'));
      return { ...signed, signatures: [(signed['signatures'] as Signed[])[0], fields] };
    }),
    ...spoil({ ...rosterFields, keys }).map(([what, fields]) => ({
      name: `roster: ${what}`, ...asRoster(canonicalJson({ ...fields })),
    })), // prettier-ignore
    ...spoil(keys[0]).map(([what, fields]) => ({
      name: `key: ${what}`, ...asRoster(canonicalJson({ ...rosterFields, keys: [fields, ...keys.slice(1)] })),
    })), // prettier-ignore
  ];
}

/** A missing field is missing in the command as well, which a spread would not say. */
const undefine = (fields: Fields): Fields =>
  Object.fromEntries(DATA_FIELDS.map((field) => [field, field in fields ? fields[field] : undefined]));

const decide = (isValid: boolean, name: string, data: unknown, more: Partial<VerifierCase> = {}): VerifierCase => ({
  name,
  roster,
  isOld: false,
  data,
  now: CASES_AT,
  isValid,
  ...more,
});
const refuse = (name: string, data: unknown, more: Partial<VerifierCase> = {}) => decide(false, name, data, more);
const accept = (name: string, data: unknown, more: Partial<VerifierCase> = {}) => decide(true, name, data, more);

/** Rules that concern several fields, and forms that programs read differently. */
function singleCases(): VerifierCase[] {
  const payout = payoutText(order, 'alice');
  const text = makeMandate(roster, CASES_AT - 1000);
  const lasting = (days: number, more = 0) =>
    makeMandate(roster, CASES_AT - 1000, { until: CASES_AT - 1000 + days * DAY_MS + more });
  const coins = parsed(text)['coins'] as Fields[];
  const digests = consentFields()['digests'] as string[];
  const raw = (from: string, to: string): Fields => signText(payout.replace(from, to), roster, parsed(payout));
  return [
    accept('payout', signText(payout)),
    accept('mandate', underMandate(text)),
    accept('mandate of 366 days', underMandate(lasting(366))),
    refuse('mandate of more than 366 days', underMandate(lasting(366, 1))),
    ...[0, -1, '1', 1.5, true].map((attempt) => refuse(`mandate, attempt ${attempt}`, underMandate(text, { attempt }))),
    ...[50, '0', '-5', '5.0', '05', '1e1', '', null, '100.5', ['5']].map((amount) =>
      refuse(`mandate, amount ${JSON.stringify(amount)}`, underMandate(text, { amount })),
    ),
    refuse(
      'more than the day',
      underMandate(makeMandate(roster, CASES_AT, { coins: [{ ...coins[0], perDay: '10' }] })),
    ),
    refuse('coin twice', underMandate(makeMandate(roster, CASES_AT, { coins: [...coins, ...coins] }))),
    refuse('digest twice', withConsent({ ...consentFields(), digests: [...digests, ...digests] })),
    refuse('201 digests', withConsent({ ...consentFields(), digests: [...digests, ...makeDigests(200)] })),
    accept('200 digests', withConsent({ ...consentFields(), digests: [...digests, ...makeDigests(199)] })),
    refuse('state as text', signText(payout.replace('"state":0', '"state":"0"'))),
    refuse('state 100', signText(payout.replace('"state":0', '"state":100'))),
    refuse('state 1.0', raw('"state":0', '"state":0.0')),
    refuse('state -0', raw('"state":0', '"state":-0')),
    refuse('state 1e999', raw('"state":0', '"state":1e999')),
    refuse('state NaN', raw('"state":0', '"state":NaN')),
    refuse('attempt 1.0', raw('"attempt":1', '"attempt":1.0')),
    refuse('received "0"', signText(payout.replace(/"received":"[^"]*"/, '"received":"0"'))),
    accept('the longest account', signText(payoutText({ ...order, account: '𝄞'.repeat(32) }, 'alice'))),
    refuse(
      'an account that is too long in UTF-16',
      signText(payoutText({ ...order, account: '𝄞'.repeat(33) }, 'alice')),
    ),
    ...[null, [], 'x', 7, true].map((data) => refuse(`data ${JSON.stringify(data)}`, data)),
    refuse('both', { ...signText(payout), mandate: signMandate(text, [alice, bob], CASES_AT, roster) }),
    refuse('payout null beside a mandate', underMandate(text, { payout: null })),
    refuse('mandate as an array', { ...order, mandate: [] }),
    refuse('one digit too many', {
      ...signText(payout),
      signatures: [alice, bob].map((signer) => {
        const one = signer.sign([payout], { at: CASES_AT, roster });
        return {
          ...one,
          authenticatorData: `${one.authenticatorData}${'A'.repeat(5 - (one.authenticatorData.length % 4 || 4))}`,
        };
      }),
    }),
  ];
}

/** Which roster a consent or mandate names, and who its persons are. */
function rosterCases(): VerifierCase[] {
  const payout = payoutText(order, 'alice');
  const [Alice, odd] = [makeSigner('Alice'), makeSigner('аlice')];
  const held = makeRoster([alice, Alice, bob, odd]);
  const old = { roster: held, isOld: true };
  const signed = (...signers: (typeof alice)[]) => ({
    ...order,
    payout,
    signatures: signers.map((signer) => signer.sign([payout], { at: CASES_AT, roster: held })),
  });
  return [
    refuse('the form of before', signText(payout, 1)),
    accept('the form of before, held at the upgrade', signText(payout, 1), { isOld: true }),
    accept('the new form, held at the upgrade', signText(payout), { isOld: true }),
    refuse('a mandate of before, signed as now', underMandate(makeMandate(1, CASES_AT))),
    refuse('a mandate of before', underMandate(makeMandate(1, CASES_AT), {}, 1)),
    accept('a mandate of before, held at the upgrade', underMandate(makeMandate(1, CASES_AT), {}, 1), { isOld: true }),
    refuse('a mandate of another roster 1', underMandate(makeMandate(held, CASES_AT), {}, held)),
    refuse('a mandate of another roster 1, held at the upgrade', underMandate(makeMandate(held, CASES_AT), {}, held), {
      isOld: true,
    }),
    accept('a held roster with odd persons', signed(alice, bob), old),
    refuse('two persons that differ in case', signed(alice, Alice), old),
    refuse('two persons that differ in case, and a third', signed(alice, Alice, bob), old),
    accept('a person outside the form, in a held roster', signed(alice, odd), old),
    refuse('a pinned roster with odd persons', signed(alice, bob), { roster: held }),
  ];
}

const makeDigests = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'));

export const makeVerifierCases = (): VerifierCase[] => [...singleCases(), ...rosterCases(), ...spoiledCases()];
