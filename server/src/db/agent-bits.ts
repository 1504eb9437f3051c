interface AgentBits {
  /** As PostgreSQL reads a bytea: `\x…`. */
  text: string;
  /** The number of the last bit, which is nobody's. */
  last: number;
}

const known = new WeakMap<readonly number[], AgentBits>();

/**
 * A bit for each of these agents: bit n, as PostgreSQL's get_bit counts them, is that of the agent with the id n. The last
 * byte is zero, so that any id beyond can be looked for in its last bit. Kept for as long as the list is.
 */
export function agentBits(ids: readonly number[]): AgentBits {
  const made = known.get(ids);
  if (made) return made;
  const highest = ids.reduce((most, id) => Math.max(most, id), 0);
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 2);
  for (const id of ids) {
    const at = Math.floor(id / 8);
    bytes[at] = (bytes[at] ?? 0) | (1 << (id % 8));
  }
  const bits = { text: `\\x${bytes.toString('hex')}`, last: bytes.length * 8 - 1 };
  known.set(ids, bits);
  return bits;
}
