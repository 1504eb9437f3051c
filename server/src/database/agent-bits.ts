interface AgentBits {
  /** A bytea in PostgreSQL's hex format: `\x…`. */
  text: string;
  /** Index of the last bit, which is always 0. */
  last: number;
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
    const at = Math.floor(id / 8);
    bytes[at] = (bytes[at] ?? 0) | (1 << (id % 8));
  }
  const bits = { text: `\\x${bytes.toString('hex')}`, last: bytes.length * 8 - 1 };
  cache.set(ids, bits);
  return bits;
}
