/** Wallets come from the platform; no call of operators reads or changes them. */
export const wallet = {};
