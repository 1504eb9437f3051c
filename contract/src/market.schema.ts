import { type Static, Type } from '@sinclair/typebox';
import { market } from './market.ts';
import { Id, Int, Ms, Nothing, Nullable, Signed, Switch, endpoint, listEndpoint, page } from './schema.ts';

export const Network = Type.Object({
  network: Type.String(),
  recharge: Switch,
  withdraw: Switch,
  fee: Signed,
  explorer: Type.String({ description: 'URL template of the block explorer, {tx} stands for the hash' }),
});
export type Network = Static<typeof Network>;

const Row = Type.Object({
  id: Id,
  marketName: Type.String(),
  icon: Type.String(),
  spot: Switch,
  future: Switch,
  second: Switch,
  ieo: Switch,
  pricePrecision: Int,
  amountPrecision: Int,
  minAmount: Signed,
  maxAmount: Signed,
  makerFee: Type.String({ description: 'as a ratio: 0.001 is 0.1 %' }),
  takerFee: Type.String({ description: 'as a ratio' }),
  maxLeverage: Int,
  maintenanceRate: Type.String({ description: 'as a ratio' }),
  withdrawFee: Signed,
  withdrawMin: Signed,
  withdrawMax: Signed,
  rechargeState: Switch,
  withdrawState: Switch,
  networks: Type.Array(Network),
  sort: Int,
  state: Int,
  price: Nullable(Signed),
  change24h: Nullable(
    Type.String({
      description:
        'change of the price in percent, rounded to 4 decimals, against the last tick that is a day old; against the first tick of a market that is younger; null before a tick',
    }),
  ),
  version: Int,
  createdAt: Ms,
  updatedAt: Ms,
});
export type MarketRow = Static<typeof Row>;

const Name = Type.Object({ id: Id, marketName: Type.String() });
export type MarketName = Static<typeof Name>;

export const marketEndpoints = {
  list: listEndpoint(market.list, page(Row)),
  filter: endpoint(market.filter, Nothing, Type.Array(Name)),
};
