export const walletSchemas = {};
