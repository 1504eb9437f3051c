/** What each page that is not there yet will hold, in the operator's words. */
export const plans: Readonly<Record<string, readonly string[]>> = {
  '/service': ['客服会话列表与回复'],
};
