/** Returns a function that runs work at once while fewer than `max` of its kind run, and otherwise in the order of arrival. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < max) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place of this work passes to the next one.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
