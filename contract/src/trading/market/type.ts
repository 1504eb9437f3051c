/** Kinds of trading in a market. Each has its own price protection, and a halt stops only that kind. */
export const MARKET_TYPE = { spot: 1, future: 2, second: 3 } as const;
export const marketTypes = { 1: '现货', 2: '合约', 3: '秒合约' } as const;
export type MarketType = keyof typeof marketTypes;
