import { describe, expect, test } from 'vitest';
import { files, isTest, read } from './files.ts';

// docs/cryptography.md lists every use of cryptography in what ships. Both directions are compared.

/** What a use of each algorithm looks like, in TypeScript, Python and shell. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  'SHA-256': /createHash\('sha256'\)|\bsha256\(sha256\(|subtle\.digest\('SHA-256'|hashlib\.sha256\(|\bsha256sum\b/,
  'HMAC-SHA-256': /createHmac\('sha256'|hmac\.new\(.*hashlib\.sha256\)/,
  'AES-256-GCM': /'aes-256-gcm'/,
  'HKDF-SHA-256': /hkdfSync\('sha256'/,
  'PBKDF2-SHA-256': /pbkdf2Sync\([^)]*'sha256'\)/,
  Ed25519: /'ed25519'/,
  ES256: /dsaEncoding: 'der'|^"""Verification of ES256/,
  RS256: /'RS256'/,
  argon2id: /from '@node-rs\/argon2'/,
  TOTP: /from 'otpauth'/,
  'RIPEMD-160': /\bripemd160\(/,
  'Keccak-256': /\bkeccak_256\b/,
  BLAKE2b: /\bblake2b\(/,
  WebAuthn: /from '@simplewebauthn\/(server|browser)'/,
  'OpenID Connect': /from 'openid-client'/,
  Random: /\brandom(Bytes|Int|UUID)\(|getRandomValues|\bimport secrets\b/,
};

/** What may be imported of node:crypto; a further name needs a sign above. */
const KNOWN_NAMES: readonly string[] = [
  'KeyObject',
  'createCipheriv',
  'createDecipheriv',
  'createHash',
  'createHmac',
  'createPrivateKey',
  'createPublicKey',
  'generateKeyPairSync',
  'hkdfSync',
  'pbkdf2Sync',
  'randomBytes',
  'randomInt',
  'randomUUID',
  'sign',
  'timingSafeEqual',
  'verify',
];

/** What may be imported of @noble/hashes; a further name needs a sign above. */
const KNOWN_HASHES: readonly string[] = ['blake2b', 'keccak_256', 'ripemd160', 'sha256'];

/** Functions whose first argument names an algorithm, and the names that the signs cover. */
const CALLS =
  /\b(?:createHash|createHmac|createCipheriv|createDecipheriv|generateKeyPairSync|hkdfSync|subtle\.\w+)\(\s*([^,)]+)/g;
const KNOWN_ARGUMENTS: readonly string[] = ["'sha256'", "'aes-256-gcm'", "'ed25519'", "'SHA-256'"];

/** Generated types repeat descriptions of fields. */
const GENERATED = /\/types\.(ts|py)$/;
const shipped = files.filter(
  (path) =>
    /\.(ts|tsx|mjs|py|sh)$/.test(path) &&
    !isTest(path) &&
    !GENERATED.test(path) &&
    !/(^|\/)tests?\/|^(architecture|bench|drill|testing)\//.test(path),
);

const usesIn = (text: string): string[] => Object.keys(SIGNS).filter((name) => SIGNS[name]?.test(text));

/** Names and arguments that no sign covers. */
function unknownIn(text: string): string[] {
  const imported = [...text.matchAll(/import (?:type )?\{([^}]*)\} from '(?:node:)?crypto'/g)].flatMap(
    ([, names = '']) =>
      names.split(',').map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      ),
  );
  const others = /import \* as \w+ from '(node:)?crypto'|require\('(node:)?crypto'\)/.test(text) ? ['node:crypto'] : [];
  const hashes = [...text.matchAll(/import \{([^}]*)\} from '@noble\/hashes\//g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const calls = [...text.matchAll(CALLS)].map(([, argument = '']) => argument.trim());
  return [
    ...imported.filter((name) => name !== '' && !KNOWN_NAMES.includes(name)),
    ...hashes.filter((name) => !KNOWN_HASHES.includes(name)),
    ...calls.filter((argument) => !KNOWN_ARGUMENTS.includes(argument)),
    ...others,
  ];
}

interface Line {
  algorithms: string[];
  places: string[];
}

const lines: Line[] =
  read('docs/cryptography.md')
    .split('\n## Plan')[0]
    ?.split('\n')
    .filter((line) => /^\| .*`/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , algorithm = '', where = '']) => ({
      algorithms: algorithm.split(', '),
      places: [...where.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place),
    })) ?? [];

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

describe('the inventory of cryptography', () => {
  const uses = shipped.flatMap((path) => usesIn(read(path)).map((algorithm) => ({ path, algorithm })));

  test('lists every use', () => {
    expect(uses.length).toBeGreaterThan(80);
    const missing = uses.filter(
      ({ path, algorithm }) =>
        !lines.some(
          ({ algorithms, places }) => algorithms.includes(algorithm) && places.some((one) => isIn(path, one)),
        ),
    );
    expect(missing).toEqual([]);
  });

  test('lists nothing that is not used', () => {
    const unused = lines.flatMap(({ algorithms, places }) =>
      algorithms.flatMap((algorithm) =>
        places
          .filter((place) => !uses.some((use) => use.algorithm === algorithm && isIn(use.path, place)))
          .map((place) => `${algorithm}: ${place}`),
      ),
    );
    expect(unused).toEqual([]);
  });

  test('knows every function and algorithm that is used', () => {
    expect(shipped.flatMap((path) => unknownIn(read(path)).map((name) => `${path}: ${name}`))).toEqual([]);
  });

  test('finds what is new', () => {
    expect(unknownIn("import { createECDH } from 'node:crypto';")).toEqual(['createECDH']);
    expect(unknownIn("import { sha1 } from '@noble/hashes/legacy.js';")).toEqual(['sha1']);
    expect(unknownIn("createHash('md5')")).toEqual(["'md5'"]);
    expect(unknownIn('createCipheriv(algorithm, key, iv)')).toEqual(['algorithm']);
    expect(unknownIn("import * as crypto from 'node:crypto';")).toEqual(['node:crypto']);
    expect(usesIn("createHmac('sha256', key)")).toEqual(['HMAC-SHA-256']);
  });
});
