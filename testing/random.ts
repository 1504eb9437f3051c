/** A repeatable generator (mulberry32). */
export function makeRandom(seed: number): { int: (below: number) => number; pick: <T>(list: readonly T[]) => T } {
  let state = seed >>> 0;
  const int = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return {
    int,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('cannot pick from an empty list');
      // Safe cast: the index is in range, and an element may be undefined.
      return list[int(list.length)] as T;
    },
  };
}
