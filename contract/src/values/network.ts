import type { Family } from './destination.ts';

/**
 * The networks that the product knows: usual name, family, other names. Other names are those of the chain, of its token
 * standard and of its coin. Standards with rows of their own, such as BEP2 and BEP20, are different networks.
 */
export const NETWORKS: readonly (readonly [name: string, family: Family, ...aliases: string[]])[] = [
  ['ERC20', 'evm', 'Ethereum', 'ETH', 'Ethereum Mainnet'],
  ['BEP20', 'evm', 'BSC', 'BNB Smart Chain', 'BNB Chain', 'Binance Smart Chain', 'BNB'],
  ['Polygon', 'evm', 'MATIC', 'POL', 'Polygon PoS'],
  ['Arbitrum', 'evm', 'Arbitrum One', 'ARB', 'ARBEVM'],
  ['Optimism', 'evm', 'OP', 'OP Mainnet', 'OPETH'],
  ['Base', 'evm', 'BASEEVM'],
  ['AVAXC', 'evm', 'AVAX', 'Avalanche', 'AVAX C-Chain', 'Avalanche C-Chain', 'C-Chain'],
  ['Fantom', 'evm', 'FTM'],
  ['Sonic', 'evm'],
  ['Cronos', 'evm', 'CRC20'],
  ['zkSync', 'evm', 'zkSync Era'],
  ['Linea', 'evm'],
  ['Scroll', 'evm'],
  ['Mantle', 'evm', 'MNT'],
  ['Blast', 'evm'],
  ['opBNB', 'evm'],
  ['Celo', 'evm'],
  ['Gnosis', 'evm', 'xDai', 'Gnosis Chain'],
  ['Moonbeam', 'evm', 'GLMR'],
  ['Moonriver', 'evm', 'MOVR'],
  ['Kaia', 'evm', 'Klaytn', 'KLAY'],
  ['ETC', 'evm', 'Ethereum Classic'],
  ['ETHW', 'evm', 'EthereumPoW'],
  ['HECO', 'evm', 'HRC20', 'HT', 'Huobi ECO Chain'],
  ['OKTC', 'evm', 'OKT', 'KIP20', 'OKC'],
  ['KCC', 'evm', 'KCS', 'KuCoin Community Chain'],
  ['XDC', 'evm', 'XinFin', 'XRC20', 'XDC Network'],
  ['Ronin', 'evm', 'RON', 'Ronin Network'],
  ['Berachain', 'evm', 'BERA'],
  ['HyperEVM', 'evm'],
  ['Hyperliquid', 'evm', 'HYPE', 'HyperCore'],
  ['Monad', 'evm', 'MON'],
  ['Plasma', 'evm', 'XPL'],
  ['World Chain', 'evm'],
  ['Unichain', 'evm'],
  ['CORE', 'evm', 'Core DAO', 'Core Chain'],
  ['Flare', 'evm', 'FLR'],
  ['Metis', 'evm'],
  ['PulseChain', 'evm', 'PLS'],
  ['VeChain', 'evm', 'VET', 'VIP180'],
  ['BTC', 'bitcoin', 'Bitcoin', 'SegWit', 'BTC SegWit', 'Omni'],
  ['BRC20', 'bitcoin', 'Ordinals'],
  ['Runes', 'bitcoin'],
  ['BCH', 'bitcoincash', 'Bitcoin Cash'],
  ['LTC', 'litecoin', 'Litecoin'],
  ['DOGE', 'dogecoin', 'Dogecoin'],
  ['TRC20', 'tron', 'TRON', 'TRX'],
  ['TRC10', 'tron'],
  ['TON', 'ton', 'Toncoin', 'The Open Network', 'Jetton'],
  ['XRP', 'xrp', 'XRPL', 'Ripple', 'XRP Ledger'],
  ['XLM', 'stellar', 'Stellar', 'Stellar Lumens'],
  ['SOL', 'solana', 'Solana', 'SPL'],
  ['DOT', 'substrate', 'Polkadot'],
  ['Polkadot Asset Hub', 'substrate', 'Statemint', 'DOT Asset Hub'],
  ['KSM', 'substrate', 'Kusama'],
  ['ASTR', 'substrate', 'Astar'],
  ['ACA', 'substrate', 'Acala'],
  ['TAO', 'substrate', 'Bittensor'],
  ['AZERO', 'substrate', 'Aleph Zero'],
  ['APT', 'aptos', 'Aptos'],
  ['SUI', 'sui'],
  ['NEAR', 'near', 'NEAR Protocol', 'NEP141'],
  ['ATOM', 'cosmos', 'Cosmos', 'Cosmos Hub'],
  ['OSMO', 'cosmos', 'Osmosis'],
  ['INJ', 'cosmos', 'Injective'],
  ['TIA', 'cosmos', 'Celestia'],
  ['DYDX', 'cosmos', 'dYdX Chain'],
  ['KAVA', 'cosmos'],
  ['AKT', 'cosmos', 'Akash'],
  ['JUNO', 'cosmos'],
  ['LUNA', 'cosmos', 'Terra', 'Terra 2.0'],
  ['LUNC', 'cosmos', 'Terra Classic'],
  ['RUNE', 'cosmos', 'THORChain'],
  ['Noble', 'cosmos'],
  ['Cronos POS', 'cosmos', 'Crypto.org', 'Crypto.org Chain'],
  ['BEP2', 'cosmos', 'BNB Beacon Chain', 'Binance Chain'],
  ['ADA', 'cardano', 'Cardano'],
  ['FIL', 'filecoin', 'Filecoin'],
  ['HBAR', 'hedera', 'Hedera', 'Hedera Hashgraph', 'HTS'],
  ['XMR', 'monero', 'Monero'],
  ['EOS', 'eos', 'Vaulta'],
];

/** How a network's own texts begin, by its usual name: of XDC and Ronin, SS58 of Substrate, bech32 of Cosmos. */
const PREFIXES: Readonly<Record<string, string>> = {
  XDC: 'xdc',
  Ronin: 'ronin:',
  DOT: '0',
  'Polkadot Asset Hub': '0',
  KSM: '2',
  ASTR: '5',
  ACA: '10',
  TAO: '42',
  AZERO: '42',
  ATOM: 'cosmos',
  OSMO: 'osmo',
  INJ: 'inj',
  TIA: 'celestia',
  DYDX: 'dydx',
  KAVA: 'kava',
  AKT: 'akash',
  JUNO: 'juno',
  LUNA: 'terra',
  LUNC: 'terra',
  RUNE: 'thor',
  Noble: 'noble',
  'Cronos POS': 'cro',
  BEP2: 'bnb',
};

const fold = (network: string): string =>
  network
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\p{Pd}]/gu, '');

interface KnownNetwork {
  key: string;
  family: Family;
  prefix: string | undefined;
}

const byText: ReadonlyMap<string, KnownNetwork> = new Map(
  NETWORKS.flatMap(([name, family, ...aliases]) => {
    const known = { key: fold(name), family, prefix: PREFIXES[name] };
    return [name, ...aliases].map((text): [string, KnownNetwork] => [fold(text), known]);
  }),
);

/** Also finds `Ethereum (ERC20)`, whose two names are those of one network. */
function findKnown(network: string): KnownNetwork | undefined {
  const text = fold(network);
  const [, outer = '', inner = ''] = /^([^()]+)\(([^()]+)\)$/.exec(text) ?? [];
  const [first, second] = [byText.get(outer), byText.get(inner)];
  return byText.get(text) ?? (first === second ? first : undefined);
}

/** The text by which networks are compared: without case, width, blanks, hyphens and underscores, aliases resolved. */
export const networkKey = (network: string): string => findKnown(network)?.key ?? fold(network);

/** The family that a network's name says; a market's network may set another one. */
export const familyOf = (network: string): Family => findKnown(network)?.family ?? 'opaque';

/** How the network's own texts begin, if its accounts can also be written as those of other networks. */
export const prefixOf = (network: string): string | undefined => findKnown(network)?.prefix;

/** Whether the name says that the network is one for tests, whose addresses are marked in some families. */
export const isTestNetwork = (network: string): boolean => fold(network).includes('testnet');

/**
 * The listed spelling that a text means. The same text wins over one that differs in case or blanks, and that over an alias.
 * Undefined if none is meant, or several are.
 */
export function findListedNetwork(listed: readonly string[], network: string): string | undefined {
  const rules = [(text: string) => text, fold, networkKey];
  for (const rule of rules) {
    const found = listed.filter((text) => rule(text) === rule(network));
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}
