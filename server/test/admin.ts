/** The admin of test installations. */
export const ADMIN = { account: 'admin', password: 'admin-password' } as const;
