const network = (name: string) => ({ network: name, recharge: 1, withdraw: 1, fee: '1', explorer: '' });

const market = (marketName: string, networks: readonly string[]) => ({
  marketName,
  spot: 1,
  future: 1,
  second: 1,
  ieo: 0,
  pricePrecision: 2,
  amountPrecision: 6,
  minAmount: '0',
  maxAmount: '0',
  makerFee: '0.001',
  takerFee: '0.001',
  maxLeverage: 100,
  maintenanceRate: '0.005',
  withdrawFee: '1',
  withdrawMin: '0',
  withdrawMax: '0',
  rechargeState: 1,
  withdrawState: 1,
  networks: networks.map(network),
  state: 1,
  price: marketName === 'USDT' ? null : '50000',
  halted: [],
});

/** The data of the calls with which a platform reads, by path. The same for every scenario. */
export const READS: Readonly<Record<string, unknown>> = {
  markets: [market('USDT', ['TRC20']), market('BTC', ['Bitcoin']), market('XRP', ['XRPL'])],
  seconds: [],
  announcements: [],
  signals: [],
  liabilities: null,
  balances: [],
  'withdrawal-limits': [],
};
