const CHARACTERS_MAX = 20;

/** Whether an account takes the whole width of a detail list instead of one column. */
export const isLongAccount = (account: string): boolean => account.length > CHARACTERS_MAX;
