#!/usr/bin/env node
// Verifies the signatures of a payout. It needs only Node.js and this file, so anybody can copy, read and run it anywhere.
//
//   node verify-payout.mjs command.json roster.json [--fingerprint <hex>] [--platform 1] [--at <unix ms>] [--age <hours>]
//
// `command.json` is the command `withdraw.payout`, or its data. `roster.json` is the roster that the wallet holds, exactly as
// its text is. Compare the fingerprint that this program prints with the one on paper, or give it as --fingerprint.
// `--at` verifies as of that time (now by default), `--age` is the oldest signature (48 hours by default).
// `--old-roster` is for a roster that wallets held before consents and mandates carried its digest: both forms are valid under it.
// It cannot know what was paid before: the wallet must. docs/signed-payouts.md describes the texts.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// The same limits as in clients/typescript/src/payout.ts (clocks) and contract/src/risk/signing/text.ts (mandates).
const SKEW_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const MANDATE_MS_MAX = 366 * 24 * HOUR_MS;

export class InvalidPayout extends Error {}

const ensure = (condition, problem) => {
  if (!condition) throw new InvalidPayout(problem);
};
const sha256 = (data) => createHash('sha256').update(data).digest();
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const areUnique = (values) => new Set(values).size === values.length;

const codeOf = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** What comes from a file, for a terminal: in quotes, with every character outside printable ASCII as its code. */
const quote = (value) => (JSON.stringify(value) ?? 'nothing').replace(/[^\x20-\x7e]/g, codeOf);

// Checks of one field each.
const matches = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
const isWithin = (value, min, max) => value >= min && value <= max;
const text = (max, min) => (value) =>
  typeof value === 'string' && isWithin(value.length, min ?? 1, max) && !/\p{Surrogate}/u.test(value);
const integer = (min, max) => (value) => Number.isSafeInteger(value) && isWithin(value, min, max ?? Infinity);
const list = (max, check) => (value) => Array.isArray(value) && isWithin(value.length, 1, max) && value.every(check);
/** Whether it is an object with exactly these fields. */
const record = (fields) => (value) =>
  isObject(value) &&
  Object.keys(value).length === Object.keys(fields).length &&
  Object.keys(fields).every((name) => Object.hasOwn(value, name) && fields[name](value[name]));

const isDigest = matches(/^[0-9a-f]{64}$/);
const isAmount = matches(/^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/);
const isPositive = (value) => isAmount(value) && value !== '0';
const isPerson = matches(/^[A-Za-z0-9._@+-]{2,64}$/);
/** The same for two persons that differ only in case: they count as one. */
const personKey = (person) => person.toUpperCase().toLowerCase();

const name = text(64);
const coin = text(32);
const [count, time] = [integer(1), integer(0)];
const [address, memo] = [text(256), text(256, 0)];
/** What a payout has in common with its command. */
const ORDER = { no: name, attempt: count, account: name, market: coin, network: coin, address, memo };
const SUMS = { amount: isAmount, fee: isAmount, received: isPositive };
const KEY = {
  id: matches(/^[A-Za-z0-9_-]{16,1366}$/),
  person: name,
  publicKey: matches(/^MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9_-]{85}[AQgw]$/),
};
const COIN = { market: coin, networks: list(20, coin), largest: isAmount, perDay: isAmount };
const coins = list(20, record(COIN));
const id = matches(/^[A-Za-z0-9-]{1,40}$/);
/** The fields of each kind of text besides `kind`. */
const FIELDS = {
  roster: {
    version: count,
    previous: (value) => value === null || isDigest(value),
    threshold: integer(2, 3),
    relyingParty: matches(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/),
    origins: list(5, matches(/^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:[0-9]{1,5})?$/)),
    keys: list(50, record(KEY)),
  },
  payout: {
    ...ORDER,
    command: matches(/^withdraw\.payout$/),
    platform: count,
    state: integer(0, 99),
    maker: name,
    ...SUMS,
  },
  mandate: { id, roster: count, platform: count, from: time, until: time, coins },
  consent: { person: name, roster: count, at: time, digests: list(200, isDigest) },
};

/** JSON with sorted fields and no spaces. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** The messages of `JSON.parse` repeat what it could not read, so they are not shown. */
function parseJson(source, what) {
  try {
    return JSON.parse(source);
  } catch {
    throw new InvalidPayout(`${what} is not JSON`);
  }
}

/** Parses a text of a kind. Throws unless it is canonical JSON with exactly the fields of the kind, each of its form. */
function parse(source, kind) {
  ensure(typeof source === 'string', `the ${kind} is missing`);
  const value = parseJson(source, `the ${kind}`);
  ensure(isObject(value) && value.kind === kind, `the text is not a ${kind}`);
  const hasDigest = (kind === 'consent' || kind === 'mandate') && Object.hasOwn(value, 'rosterDigest');
  const fields = { ...FIELDS[kind], kind: name, ...(hasDigest && { rosterDigest: isDigest }) };
  ensure(record(fields)(value), `the ${kind} has not exactly its fields, each of its form`);
  ensure(canonical(value) === source, `the ${kind} is not canonical JSON`);
  return value;
}

function bytesOf(value, what) {
  const isBase64url = typeof value === 'string' && /^[A-Za-z0-9_-]{1,4096}$/.test(value) && value.length % 4 !== 1;
  ensure(isBase64url, `${what} is not base64url`);
  return Buffer.from(value, 'base64url');
}

/** Parses the text of a roster; `isOld`: of before consents carried its digest, and persons had to have a form. */
export function readRoster(source, { isOld = false } = {}) {
  const roster = parse(source, 'roster');
  const { version, previous, threshold, relyingParty, origins, keys } = roster;
  ensure((version === 1) === (previous === null), 'the roster does not name the one before it');
  // A dot before each host, so that the relying party is its end only at a dot.
  const hosts = origins.map((origin) => origin.replace(/^https?:\/\//, '.').replace(/:\d+$/, ''));
  const areOwn = hosts.every((host) => host.endsWith(`.${relyingParty}`));
  ensure(areOwn && areUnique(origins), 'an origin is not of the relying party, or there twice');
  const areDistinct = areUnique(keys.map(({ id }) => id)) && areUnique(keys.map(({ publicKey }) => publicKey));
  ensure(areDistinct, 'an id or a key is in the roster twice');
  const persons = [...new Set(keys.map(({ person }) => person))];
  ensure(persons.length >= threshold, 'the roster has too few persons');
  ensure(isOld || persons.every(isPerson), 'a person of the roster is not 2 to 64 of A-Z a-z 0-9 . _ @ + -');
  ensure(isOld || areUnique(persons.map(personKey)), 'two persons of the roster differ only in case');
  ensure(keys.every(isOnCurve), 'a public key is not a point of the curve');
  return { ...roster, digest: sha256(source).toString('hex'), isOld };
}

/** Throws unless a consent or mandate names the roster in a form that is valid under it. */
function requireRoster(roster, named, what) {
  ensure(named.roster === roster.version, `${what} is of version ${named.roster} of the roster`);
  if (named.rosterDigest === undefined)
    ensure(roster.isOld, `${what} names no digest of the roster, as only those of an old roster (--old-roster)`);
  else ensure(named.rosterDigest === roster.digest, `${what} names another roster of this version`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Verifies one signature and returns its consent. */
function readConsent(roster, signature) {
  ensure(isObject(signature), 'a signature is missing');
  const consent = parse(signature.consent, 'consent');
  ensure(areUnique(consent.digests), 'a consent has a digest twice');
  const person = quote(consent.person);
  requireRoster(roster, consent, `the consent of ${person}`);
  const key = roster.keys.find(({ id }) => id === signature.key);
  ensure(key?.person === consent.person, `the key of ${person} is not in the roster, or of another person`);
  const clientData = bytesOf(signature.clientDataJSON, 'clientDataJSON');
  const client = succeeds(() => JSON.parse(utf8.decode(clientData)));
  ensure(isObject(client) && client.type === 'webauthn.get', `clientDataJSON of ${person} is not of an assertion`);
  const challenge = sha256(signature.consent).toString('base64url');
  ensure(client.challenge === challenge, `the challenge of ${person} is not the SHA-256 of the consent`);
  ensure(roster.origins.includes(client.origin), `${person} signed at ${quote(client.origin)}, not in the roster`);
  const isAlone = [undefined, false].includes(client.crossOrigin) && client.topOrigin === undefined;
  ensure(isAlone, `${person} signed inside a page of another origin`);
  const data = bytesOf(signature.authenticatorData, 'authenticatorData');
  ensure(data.length >= 37, `authenticatorData of ${person} is too short`);
  ensure(data.subarray(0, 32).equals(sha256(roster.relyingParty)), `${person} signed for another relying party`);
  ensure((data[32] & 5) === 5, `${person} was not present, or not verified by PIN, fingerprint or the like`);
  const signed = Buffer.concat([data, sha256(clientData)]);
  const isRight = isSignature(key.publicKey, signed, bytesOf(signature.signature, 'signature'));
  ensure(isRight, `the signature of ${person} is wrong`);
  return consent;
}

const keyOf = (publicKey) => createPublicKey({ key: bytesOf(publicKey, 'a key'), format: 'der', type: 'spki' });

/** OpenSSL throws for a point that is not on the curve, and for some malformed signatures. */
function succeeds(work) {
  try {
    return work();
  } catch {
    return false;
  }
}

const isOnCurve = ({ publicKey }) => succeeds(() => keyOf(publicKey).type === 'public');
const isSignature = (publicKey, signed, signature) =>
  succeeds(() => verifySignature('sha256', signed, { key: keyOf(publicKey), dsaEncoding: 'der' }, signature));

/** Verifies that enough distinct persons signed a text, and returns who did when. */
function readSigners(roster, source, signatures) {
  ensure(Array.isArray(signatures), 'the payout is not signed');
  ensure(signatures.length >= roster.threshold, `${roster.threshold} signatures are needed`);
  ensure(signatures.length <= roster.keys.length, 'there are more signatures than keys');
  const consents = signatures.map((signature) => readConsent(roster, signature));
  ensure(areUnique(consents.map(({ person }) => personKey(person))), 'a person signed more than once');
  const digest = sha256(source).toString('hex');
  for (const { person, digests } of consents) ensure(digests.includes(digest), `${quote(person)} signed other texts`);
  return consents.map(({ person, at }) => ({ person, at }));
}

/** Verifies the data of a payout under a result of `readRoster`. Throws an `InvalidPayout` with the reason. */
export function verify(data, roster, { platform = 1, now = Date.now(), maxAge = 48 * HOUR_MS } = {}) {
  ensure(isObject(data), 'the command has no data');
  if (data.mandate !== undefined) return verifyMandate(data, roster, { platform, now });
  const payout = parse(data.payout, 'payout');
  for (const field of Object.keys(ORDER)) ensure(data[field] === payout[field], `the signed ${field} differs`);
  ensure(data.amount === payout.received, 'the signed amount differs');
  ensure(payout.platform === platform, `the payout is for platform ${payout.platform}`);
  const persons = readSigners(roster, data.payout, data.signatures);
  const areFresh = persons.every(({ at }) => at >= now - maxAge && at <= now + SKEW_MS);
  ensure(areFresh, 'a signature is too old or from the future');
  const hasMaker = persons.some(({ person }) => person === payout.maker);
  ensure(hasMaker, `${quote(payout.maker)}, who ordered it, did not sign`);
  return { payout, persons };
}

/** An amount in whole units of 10^-18. */
function unitsOf(amount) {
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

function verifyMandate(data, roster, { platform, now }) {
  ensure(data.payout === undefined, 'the payout has both signatures and a mandate');
  ensure(isObject(data.mandate), 'the mandate is not an object');
  const { text: source, signatures } = data.mandate;
  const mandate = parse(source, 'mandate');
  const { from, until, coins } = mandate;
  ensure(from < until && until - from <= MANDATE_MS_MAX, 'the mandate ends before it begins, or after 366 days');
  ensure(areUnique(coins.map(({ market }) => market)), 'the mandate has a coin twice');
  requireRoster(roster, mandate, 'the mandate');
  ensure(mandate.platform === platform, `the mandate is for platform ${mandate.platform}`);
  ensure(now >= from && now < until, 'the mandate is not valid at this time');
  for (const [field, check] of Object.entries(ORDER)) ensure(check(data[field]), `${field} has not the right form`);
  ensure(isPositive(data.amount), 'the amount is not a canonical decimal number above 0');
  const { networks, largest, perDay } = coins.find(({ market }) => market === data.market) ?? {};
  ensure(networks?.includes(data.network), `the mandate does not name ${quote(data.market)} on ${quote(data.network)}`);
  ensure(unitsOf(data.amount) <= unitsOf(largest), `the mandate allows at most ${largest} at once`);
  ensure(unitsOf(data.amount) <= unitsOf(perDay), `the mandate allows at most ${perDay} a day`);
  return { mandate, persons: readSigners(roster, source, signatures) };
}

/** What was signed, one field a line. */
function describe({ payout, mandate }, data) {
  const fields = ['amount', 'market', 'network', 'address', 'memo', 'account', 'no', 'attempt'];
  const order = fields.map((field) => `  ${field} ${quote(data[field])}\n`).join('');
  return payout
    ? `The payout of\n${order}  maker ${quote(payout.maker)}\nis signed by\n`
    : `The payout of\n${order}is within the mandate ${quote(mandate.id)}, which names no address, signed by\n`;
}

const OPTIONS = {
  fingerprint: { type: 'string' },
  platform: { type: 'string', default: '1' },
  at: { type: 'string' },
  age: { type: 'string', default: '48' },
  'old-roster': { type: 'boolean', default: false },
};

/** A consent may name a moment beyond the last date. */
const timeOf = (ms) => (ms <= 8.64e15 ? new Date(ms).toISOString() : quote(ms));

function main(args) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [commandFile, rosterFile] = positionals;
  if (!commandFile || !rosterFile) {
    process.stderr.write('usage: node verify-payout.mjs command.json roster.json [--fingerprint <hex>]\n');
    return 2;
  }
  try {
    const command = parseJson(readFileSync(commandFile, 'utf8'), 'the file of the command');
    const roster = readRoster(readFileSync(rosterFile, 'utf8').trimEnd(), { isOld: values['old-roster'] });
    process.stdout.write(`Roster ${roster.version}, fingerprint ${roster.digest.match(/.{4}/g).join(' ')}\n`);
    const fingerprint = values.fingerprint?.replace(/\s/g, '').toLowerCase();
    ensure(fingerprint === undefined || fingerprint === roster.digest, 'the roster has another fingerprint');
    const now = values.at === undefined ? Date.now() : Number(values.at);
    const options = { platform: Number(values.platform), now, maxAge: Number(values.age) * HOUR_MS };
    const data = isObject(command) ? (command.data ?? command) : command;
    const verified = verify(data, roster, options);
    const signers = verified.persons.map(({ person, at }) => `  ${quote(person)} at ${timeOf(at)}\n`);
    process.stdout.write(`${describe(verified, data)}${signers.join('')}`);
    return 0;
  } catch (error) {
    // Its own messages quote what comes from a file; those of Node.js may repeat a file.
    const reason = error instanceof InvalidPayout ? error.message : quote(String(error));
    process.stdout.write(`The payout is NOT verified: ${reason}\n`);
    return 1;
  }
}

// The folder of an installation is a link, which Node.js resolves for the module only.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
