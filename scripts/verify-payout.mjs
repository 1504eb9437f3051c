#!/usr/bin/env node
// Verifies the signatures of a payout. It needs only Node.js and this file, so anybody can copy, read and run it anywhere.
//
//   node verify-payout.mjs command.json roster.json [--fingerprint <hex>] [--platform 1] [--at <unix ms>] [--age <hours>]
//
// `command.json` is the command `withdraw.payout`, or its data. `roster.json` is the roster that the wallet holds, exactly as
// its text is. Compare the fingerprint that this program prints with the one on paper, or give it as --fingerprint.
// `--at` verifies as of that time (now by default), `--age` is the oldest signature (48 hours by default).
// It cannot know what was paid before: the wallet must. docs/gateway.md describes the texts.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SKEW_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
/** The head of the DER of a P-256 key. */
const SPKI_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');
const AMOUNT = /^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/;
const DIGEST = /^[0-9a-f]{64}$/;

export class InvalidPayout extends Error {}

const ensure = (condition, problem) => {
  if (!condition) throw new InvalidPayout(problem);
};
const sha256 = (data) => createHash('sha256').update(data).digest();
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === 'string' && value.length > 0 && !/\p{Surrogate}/u.test(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 1;
const isTime = (value) => Number.isSafeInteger(value) && value >= 0;
const areUnique = (values) => new Set(values).size === values.length;

/** JSON with sorted fields and no spaces. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function ensureFields(value, names, what) {
  ensure(isObject(value), `${what} is not an object`);
  const own = Object.keys(value);
  const known = own.length === names.length && names.every((name) => own.includes(name));
  ensure(known, `${what} must have exactly the fields ${names.join(', ')}`);
}

/** Parses a text of a kind. Throws unless it is canonical JSON with exactly these fields. */
function parse(text, kind, names) {
  ensure(typeof text === 'string', `the ${kind} is missing`);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidPayout(`the ${kind} is not JSON`);
  }
  ensureFields(value, ['kind', ...names], `the ${kind}`);
  ensure(value.kind === kind, `the text is not a ${kind}`);
  ensure(canonical(value) === text, `the ${kind} is not canonical JSON`);
  return value;
}

function bytesOf(value, what) {
  ensure(typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value), `${what} is not base64url`);
  return Buffer.from(value, 'base64url');
}

/** Parses the text of a roster. */
export function readRoster(text) {
  const roster = parse(text, 'roster', ['version', 'previous', 'threshold', 'relyingParty', 'origins', 'keys']);
  const { version, previous, threshold, relyingParty, origins, keys } = roster;
  ensure(isCount(version), 'the version of the roster is not a number');
  ensure(
    version === 1 ? previous === null : DIGEST.test(String(previous)),
    'the roster does not name the one before it',
  );
  ensure(isText(relyingParty), 'the roster has no relying party');
  ensure(Array.isArray(origins) && origins.length > 0 && origins.every(isText), 'the roster has no origins');
  ensure(Array.isArray(keys), 'the roster has no keys');
  for (const key of keys) {
    ensureFields(key, ['id', 'person', 'publicKey'], 'a key');
    ensure(isText(key.id) && isText(key.person), 'a key has no id or no person');
    const der = bytesOf(key.publicKey, 'a public key');
    ensure(
      der.length === SPKI_HEAD.length + 64 && der.subarray(0, SPKI_HEAD.length).equals(SPKI_HEAD),
      'a public key is not one of P-256',
    );
    ensure(isKey(der), 'a public key is not a point of the curve');
  }
  ensure(areUnique(keys.map(({ id }) => id)), 'an id is in the roster twice');
  ensure(
    areUnique(keys.map(({ publicKey }) => bytesOf(publicKey, 'a public key').toString('hex'))),
    'a key is in the roster twice',
  );
  ensure(Number.isSafeInteger(threshold) && threshold >= 2, 'the threshold is below two persons');
  ensure(new Set(keys.map(({ person }) => person)).size >= threshold, 'the roster has too few persons');
  return { ...roster, digest: sha256(text).toString('hex') };
}

/** Verifies one signature and returns its consent. */
function readConsent(roster, signature) {
  ensure(isObject(signature), 'a signature is missing');
  const consent = parse(signature.consent, 'consent', ['person', 'roster', 'at', 'digests']);
  const { person, at, digests } = consent;
  ensure(isText(person) && isTime(at), 'a consent has no person or no time');
  ensure(Array.isArray(digests) && digests.every((digest) => DIGEST.test(String(digest))), 'a consent has no digests');
  ensure(consent.roster === roster.version, `${person} signed for version ${consent.roster} of the roster`);
  const key = roster.keys.find(({ id }) => id === signature.key);
  ensure(key, `the key of ${person} is not in the roster`);
  ensure(key.person === person, `the key of ${person} belongs to ${key.person}`);

  const clientData = bytesOf(signature.clientDataJSON, 'clientDataJSON');
  let client;
  try {
    client = JSON.parse(clientData.toString('utf8'));
  } catch {
    client = undefined;
  }
  ensure(isObject(client) && client.type === 'webauthn.get', `clientDataJSON of ${person} is not of an assertion`);
  ensure(
    client.challenge === sha256(signature.consent).toString('base64url'),
    `the challenge of ${person} is not the SHA-256 of the consent`,
  );
  ensure(roster.origins.includes(client.origin), `${person} signed at ${client.origin}, which is not in the roster`);
  ensure(
    (client.crossOrigin === undefined || client.crossOrigin === false) && client.topOrigin === undefined,
    `${person} signed inside a page of another origin`,
  );
  const data = bytesOf(signature.authenticatorData, 'authenticatorData');
  ensure(data.length >= 37, `authenticatorData of ${person} is too short`);
  ensure(data.subarray(0, 32).equals(sha256(roster.relyingParty)), `${person} signed for another relying party`);
  ensure((data[32] & 1) === 1, `${person} was not present`);
  ensure((data[32] & 4) === 4, `${person} was not verified by PIN, fingerprint or the like`);
  const signed = Buffer.concat([data, sha256(clientData)]);
  ensure(
    isSignature(key.publicKey, signed, bytesOf(signature.signature, 'signature')),
    `the signature of ${person} is wrong`,
  );
  return consent;
}

function isKey(der) {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).type === 'public';
  } catch {
    return false;
  }
}

function isSignature(publicKey, signed, signature) {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
    return verifySignature('sha256', signed, { key, dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}

/** Verifies that enough distinct persons signed a text, and returns their consents. */
function readConsents(roster, text, signatures) {
  ensure(Array.isArray(signatures), 'the payout is not signed');
  ensure(signatures.length >= roster.threshold, `${roster.threshold} signatures are needed`);
  ensure(signatures.length <= roster.keys.length, 'there are more signatures than keys');
  const consents = signatures.map((signature) => readConsent(roster, signature));
  ensure(areUnique(consents.map(({ person }) => person)), 'a person signed more than once');
  const digest = sha256(text).toString('hex');
  for (const { person, digests } of consents) ensure(digests.includes(digest), `${person} signed other texts`);
  return consents;
}

const PAYOUT_FIELDS = ['command', 'platform', 'no', 'attempt', 'account', 'market', 'network', 'address', 'memo'];
const REPEATED = ['no', 'attempt', 'account', 'market', 'network', 'address', 'memo'];

/**
 * Verifies the data of a payout and returns who signed it. Throws an `InvalidPayout` with the reason.
 *
 * @param roster result of `readRoster`
 * @param now unix milliseconds
 */
export function verify(data, roster, { platform = 1, now = Date.now(), maxAge = 48 * HOUR_MS } = {}) {
  ensure(isObject(data), 'the command has no data');
  if (data.mandate !== undefined) return verifyMandate(data, roster, { platform, now });
  const payout = parse(data.payout, 'payout', [...PAYOUT_FIELDS, 'amount', 'fee', 'received', 'state', 'maker']);
  ensure(payout.command === 'withdraw.payout', 'the text is for another command');
  for (const field of REPEATED) ensure(data[field] === payout[field], `${field} differs from what was signed`);
  ensure(isText(payout.no) && isCount(payout.attempt) && isText(payout.address), 'the payout has no number or address');
  ensure(AMOUNT.test(String(payout.received)), 'the amount is not a canonical decimal number');
  ensure(data.amount === payout.received, 'amount differs from what was signed');
  ensure(payout.platform === platform, `the payout is for platform ${payout.platform}`);
  const consents = readConsents(roster, data.payout, data.signatures);
  for (const { person, at } of consents)
    ensure(at >= now - maxAge && at <= now + SKEW_MS, `the signature of ${person} is too old or from the future`);
  ensure(
    consents.some(({ person }) => person === payout.maker),
    `${payout.maker}, who ordered it, did not sign`,
  );
  return { payout, persons: consents.map(({ person, at }) => ({ person, at })) };
}

/** An amount in whole units of 10^-18. */
function unitsOf(amount) {
  ensure(typeof amount === 'string' && AMOUNT.test(amount), 'an amount is not a canonical decimal number');
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

function verifyMandate(data, roster, { platform, now }) {
  ensure(data.payout === undefined, 'the payout has both signatures and a mandate');
  ensure(isObject(data.mandate), 'the mandate is not an object');
  const { text, signatures } = data.mandate;
  const mandate = parse(text, 'mandate', ['id', 'roster', 'platform', 'from', 'until', 'coins']);
  ensure(mandate.roster === roster.version, `the mandate is of version ${mandate.roster} of the roster`);
  ensure(mandate.platform === platform, `the mandate is for platform ${mandate.platform}`);
  ensure(isTime(mandate.from) && isTime(mandate.until), 'the mandate has no times');
  ensure(now >= mandate.from && now < mandate.until, 'the mandate is not valid at this time');
  ensure(isText(data.no) && isCount(data.attempt) && isText(data.address), 'the payout has no number or address');
  ensure(Array.isArray(mandate.coins), 'the mandate has no coins');
  const coin = mandate.coins.find((one) => one?.market === data.market);
  ensure(coin && Array.isArray(coin.networks), `the mandate does not name ${data.market}`);
  ensureFields(coin, ['market', 'networks', 'largest', 'perDay'], 'a coin of the mandate');
  ensure(coin.networks.includes(data.network), `the mandate does not name the network ${data.network}`);
  const units = unitsOf(data.amount);
  ensure(units <= unitsOf(coin.largest), `the mandate allows at most ${coin.largest} at once`);
  ensure(units <= unitsOf(coin.perDay), `the mandate allows at most ${coin.perDay} a day`);
  const consents = readConsents(roster, text, signatures);
  return { mandate, persons: consents.map(({ person, at }) => ({ person, at })) };
}

const OPTIONS = {
  fingerprint: { type: 'string' },
  platform: { type: 'string', default: '1' },
  at: { type: 'string' },
  age: { type: 'string', default: '48' },
};

function main(args) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [commandFile, rosterFile] = positionals;
  if (!commandFile || !rosterFile) {
    process.stderr.write(
      'usage: node verify-payout.mjs command.json roster.json [--fingerprint <hex>] [--platform 1]\n',
    );
    return 2;
  }
  try {
    const command = JSON.parse(readFileSync(commandFile, 'utf8'));
    const roster = readRoster(readFileSync(rosterFile, 'utf8').trimEnd());
    process.stdout.write(`Roster ${roster.version}, fingerprint ${roster.digest.match(/.{4}/g).join(' ')}\n`);
    const fingerprint = values.fingerprint?.replace(/\s/g, '').toLowerCase();
    ensure(fingerprint === undefined || fingerprint === roster.digest, 'the roster has another fingerprint');
    const now = values.at === undefined ? Date.now() : Number(values.at);
    const options = { platform: Number(values.platform), now, maxAge: Number(values.age) * HOUR_MS };
    const { persons } = verify(isObject(command) ? (command.data ?? command) : command, roster, options);
    const signers = persons.map(({ person, at }) => `  ${person} at ${new Date(at).toISOString()}\n`).join('');
    process.stdout.write(`The payout is signed by\n${signers}`);
    return 0;
  } catch (error) {
    process.stdout.write(`The payout is NOT verified: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

// The folder of an installation is a link, which Node.js resolves for the module only.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
