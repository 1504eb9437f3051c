interface AgentBits {
  /** A bytea in PostgreSQL's hex format: `\x…`. */
  hex: string;
  /** Index of the last bit, which is always 0. */
  lastBit: number;
}

const cache = new WeakMap<readonly number[], AgentBits>();

/**
 * Encodes agent ids as a bitmap for PostgreSQL's get_bit: bit n belongs to the agent with id n. The last byte is zero, so
 * that ids beyond the bitmap can be clamped to its last bit. Memoized per array.
 */
export function agentBits(ids: readonly number[]): AgentBits {
  const cached = cache.get(ids);
  if (cached) return cached;
  const highest = ids.reduce((most, id) => Math.max(most, id), 0);
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 2);
  for (const id of ids) {
    const byte = Math.floor(id / 8);
    bytes[byte] = (bytes[byte] ?? 0) | (1 << (id % 8));
  }
  const bits = { hex: `\\x${bytes.toString('hex')}`, lastBit: bytes.length * 8 - 1 };
  cache.set(ids, bits);
  return bits;
}
