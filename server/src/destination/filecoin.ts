import { blake2b } from '@noble/hashes/blake2.js';
import { base32nopad } from '@scure/base';
import { decode, toHex, withoutChecksum } from './codec.ts';
import { readEvmBytes } from './evm.ts';
import { type Reading, keyOwner } from './reading.ts';

const TEXT = /^([ft])(?:0(\d{1,19})|([123])([a-z2-7]+)|4(\d{1,19})f([a-z2-7]+))$/;
/** An EVM address that stands for the number of an account. */
const MASKED_ID = /^ff0{22}([0-9a-f]{16})$/;
const ID_MAX = 2n ** 63n - 1n;
const CHECKSUM_BYTES = 4;
const DELEGATED = 4;
/** The manager of EVM accounts. */
const EVM_NAMESPACE = 10;
const EVM_LENGTH = 20;
const DELEGATED_MAX = 54;
const LENGTHS: Readonly<Record<number, number>> = { 1: 20, 2: 20, 3: 48 };

/** f… on the main network, t… on test networks. Accounts of EVM contracts are written as f410… or as 0x… */
export function readFilecoin(text: string): Reading | undefined {
  const evm = readEvmBytes(text);
  if (evm) return evm.prefix === '0x' ? { ...ofEvm(evm.hex), ...(evm.isWrong && { fault: 'checksum' }) } : undefined;
  const [, network, id, protocol, body = '', namespace, subaddress = ''] = TEXT.exec(text) ?? [];
  if (network === undefined) return undefined;
  const reading =
    id !== undefined
      ? ofId(BigInt(id))
      : namespace !== undefined
        ? ofDelegated(BigInt(namespace), subaddress)
        : ofHash(Number(protocol), body);
  return network === 't' && reading ? { ...reading, fault: 'test_network' } : reading;
}

function ofEvm(hex: string): Reading {
  const id = MASKED_ID.exec(hex)?.[1];
  const masked = id === undefined ? undefined : ofId(BigInt(`0x${id}`));
  return masked ?? { account: `${DELEGATED}:${EVM_NAMESPACE}:${hex}`, owners: [keyOwner(hex)] };
}

const ofId = (id: bigint): Reading | undefined => (id > ID_MAX ? undefined : { account: `0:${id}`, owners: [] });

function ofHash(protocol: number, body: string): Reading | undefined {
  const bytes = decodeBody(body, [protocol]);
  if (!bytes || bytes.length !== LENGTHS[protocol]) return undefined;
  const hex = toHex(bytes);
  return { account: `${protocol}:${hex}`, owners: [keyOwner(hex)] };
}

function ofDelegated(namespace: bigint, body: string): Reading | undefined {
  const bytes = decodeBody(body, [DELEGATED, ...toLeb128(namespace)]);
  if (!bytes || bytes.length > DELEGATED_MAX) return undefined;
  const isEvm = namespace === BigInt(EVM_NAMESPACE) && bytes.length === EVM_LENGTH;
  return isEvm ? ofEvm(toHex(bytes)) : { account: `${DELEGATED}:${namespace}:${toHex(bytes)}`, owners: [] };
}

/** The checksum is over the parts before the body as well. */
const decodeBody = (body: string, head: readonly number[]): Uint8Array | undefined =>
  withoutChecksum(decode(base32nopad, body.toUpperCase()), CHECKSUM_BYTES, (payload) =>
    blake2b(Uint8Array.from([...head, ...payload]), { dkLen: CHECKSUM_BYTES }),
  );

function toLeb128(value: bigint): number[] {
  const low = Number(value & 127n);
  return value < 128n ? [low] : [low | 128, ...toLeb128(value >> 7n)];
}
