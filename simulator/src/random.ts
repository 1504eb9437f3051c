import { createHash } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const HEX = '0123456789abcdef';
export const ALPHABET = { base58: BASE58, bech32: BECH32, hex: HEX } as const;

export interface Random {
  /** Uniform in [0, 1). */
  next: () => number;
  /** Uniform whole number, both ends included. */
  int: (low: number, high: number) => number;
  /** Uniform in [low, high). */
  span: (low: number, high: number) => number;
  chance: (share: number) => boolean;
  /** Uniform element; throws RangeError if the list is empty. */
  pick: <T>(list: readonly T[]) => T;
  /** Element chosen by its weight; throws RangeError if the list is empty. */
  weighted: <T>(list: readonly (readonly [T, number])[]) => T;
  normal: () => number;
  /** Mean 1: gaps between events that are independent of each other. */
  exponential: () => number;
  /** Heavy-tailed; half of all values are below `median`. */
  logNormal: (median: number, sigma: number) => number;
  text: (alphabet: string, length: number) => string;
}

/**
 * A deterministic generator for one object, seeded by its key. Object n depends only on seed and n, so a restarted
 * process needs its counters but no generator state.
 */
export function createRandom(...key: (string | number)[]): Random {
  const next = sfc32(createHash('sha256').update(key.join('\u0000')).digest());
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(next() * list.length)];
    if (found === undefined) throw new RangeError('cannot pick from an empty list');
    return found;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    span: (low, high) => low + next() * (high - low),
    chance: (share) => next() < share,
    pick,
    weighted: (list) => weighted(next(), list),
    normal,
    exponential: () => -Math.log(1 - next()),
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    text: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(Math.floor(next() * alphabet.length))).join(''),
  };
}

function weighted<T>(at: number, list: readonly (readonly [T, number])[]): T {
  let left = at * list.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of list) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = list.at(-1);
  if (!last) throw new RangeError('cannot pick from an empty list');
  return last[0];
}

/** The sfc32 generator: three words of state and a counter, which guarantees a long period. */
function sfc32(seed: Buffer): () => number {
  let a = seed.readUInt32LE(0);
  let b = seed.readUInt32LE(4);
  let c = seed.readUInt32LE(8);
  let counter = seed.readUInt32LE(12);
  return () => {
    const out = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + out;
    return (out >>> 0) / 4_294_967_296;
  };
}
