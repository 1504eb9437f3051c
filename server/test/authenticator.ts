import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Assertion, PasskeyAdd, PasskeyCreation, PasskeyRequest } from '@hengtai/contract/house/passkey/schema';

type CborValue = number | string | Buffer | Map<number | string, CborValue>;

function cborHead(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 256) return Buffer.from([type | 24, value]);
  return Buffer.from([type | 25, value >> 8, value & 255]);
}

/** Encodes what an authenticator sends (RFC 8949), without the server's library, so that the library itself is tested. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = [...value].flatMap(([name, one]) => [cbor(name), cbor(one)]);
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const FLAG = { present: 1, verified: 4, attested: 64 } as const;

export type Algorithm = 'ES256' | 'EdDSA';

/** What an assertion of an attack differs in. */
export interface Lies {
  origin?: string;
  rpId?: string;
  verified?: boolean;
  counter?: number;
  challenge?: string;
  id?: string;
  crossOrigin?: boolean;
}

/** A software authenticator with one passkey. */
export interface Authenticator {
  /** Answers the options of `passkey.enrol`. */
  create: (options: PasskeyCreation, lies?: Lies) => Omit<PasskeyAdd, 'name'>;
  /** Answers a challenge and increments the counter. */
  get: (request: PasskeyRequest, lies?: Lies) => Assertion;
  id: string;
}

function keyPair(algorithm: Algorithm): { privateKey: KeyObject; cose: Map<number, CborValue> } {
  if (algorithm === 'EdDSA') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    return {
      privateKey,
      cose: new Map<number, CborValue>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, Buffer.from(x, 'base64url')],
      ]),
    };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = [x, y].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  return {
    privateKey,
    cose: new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point[0]],
      [-3, point[1]],
    ]),
  };
}

/** @param hasCounter false as for passkeys that are copied between devices */
export function makeAuthenticator({
  algorithm = 'ES256',
  hasCounter = true,
  origin = 'http://localhost:8080',
}: { algorithm?: Algorithm; hasCounter?: boolean; origin?: string } = {}): Authenticator {
  const { privateKey, cose } = keyPair(algorithm);
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;
  let userHandle = '';

  const clientDataOf = (type: string, challenge: string, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    );
  const authenticatorDataOf = (rpId: string, flags: number, lies: Lies): Buffer => {
    counter += hasCounter ? 1 : 0;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | FLAG.present | (lies.verified === false ? 0 : FLAG.verified));
    head.writeUInt32BE(lies.counter ?? counter, 1);
    return Buffer.concat([sha256(lies.rpId ?? rpId), head]);
  };

  return {
    id,
    create: ({ challenge, rp, user }, lies = {}) => {
      userHandle = user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const data = authenticatorDataOf(rp.id, FLAG.attested, lies);
      const authData = Buffer.concat([data, Buffer.alloc(16), length, credentialId, cbor(cose)]);
      const attestation = new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id: lies.id ?? id,
        clientData: clientDataOf('webauthn.create', challenge, lies).toString('base64url'),
        attestation: cbor(attestation).toString('base64url'),
        transports: ['usb'],
        attachment: 'cross-platform',
      };
    },
    get: ({ challenge, rpId }, lies = {}) => {
      const data = authenticatorDataOf(rpId, 0, lies);
      const clientData = clientDataOf('webauthn.get', challenge, lies);
      const signed = Buffer.concat([data, sha256(clientData)]);
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', signed, privateKey);
      return {
        id: lies.id ?? id,
        clientData: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      };
    },
  };
}
