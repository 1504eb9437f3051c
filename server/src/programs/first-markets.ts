interface FirstMarket {
  name: string;
  networks: { network: string; explorer: string; fee: string }[];
  pricePrecision: number;
  amountPrecision: number;
  withdrawFee: string;
  withdrawMin: string;
  /** Open for trading unless false, and for subscriptions if true. */
  isTraded?: false;
  ieo?: true;
}

const network = (name: string, explorer: string, fee: string) => ({ network: name, explorer, fee });

/** The markets of a new installation. USDT is the settlement coin and is not traded itself. */
export const firstMarkets: readonly FirstMarket[] = [
  {
    name: 'USDT',
    networks: [
      network('TRC20', 'https://tronscan.org/#/transaction/{tx}', '1'),
      network('ERC20', 'https://etherscan.io/tx/{tx}', '1'),
    ],
    pricePrecision: 4,
    amountPrecision: 6,
    withdrawFee: '1',
    withdrawMin: '1',
    isTraded: false,
  },
  {
    name: 'BTC',
    networks: [network('Bitcoin', 'https://mempool.space/tx/{tx}', '0.0002')],
    pricePrecision: 2,
    amountPrecision: 8,
    withdrawFee: '0.0002',
    withdrawMin: '0.001',
  },
  {
    name: 'ETH',
    networks: [network('ERC20', 'https://etherscan.io/tx/{tx}', '0.002')],
    pricePrecision: 2,
    amountPrecision: 8,
    withdrawFee: '0.002',
    withdrawMin: '0.01',
  },
  {
    name: 'SOL',
    networks: [network('Solana', 'https://solscan.io/tx/{tx}', '0.01')],
    pricePrecision: 3,
    amountPrecision: 6,
    withdrawFee: '0.01',
    withdrawMin: '0.1',
  },
  {
    name: 'XRP',
    networks: [network('XRPL', 'https://xrpscan.com/tx/{tx}', '0.2')],
    pricePrecision: 5,
    amountPrecision: 4,
    withdrawFee: '0.2',
    withdrawMin: '20',
  },
  {
    name: 'HTT',
    networks: [network('ERC20', 'https://etherscan.io/tx/{tx}', '5')],
    pricePrecision: 5,
    amountPrecision: 4,
    withdrawFee: '5',
    withdrawMin: '50',
    ieo: true,
  },
];
