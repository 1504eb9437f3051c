/** The admin of test installations. */
export const ADMIN = { account: 'admin', password: 'admin-password' } as const;

/** The least cost of Argon2: the real one would dominate a test run. */
export const CHEAPEST = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
