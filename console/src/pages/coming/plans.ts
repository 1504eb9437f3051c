/** What each page that is not there yet will hold, in the operator's words. */
export const plans: Readonly<Record<string, readonly string[]>> = {
  '/report': ['每日资金报表', '负债证明'],
};
