import { type Static, Type } from '@sinclair/typebox';
import { Id, Nullable, PositiveAmount, Reason, Strict, Switch, priceAge } from '../../wire/schema.ts';
import { Asset } from '../../people/user/schema.ts';
import { LedgerLine } from '../withdraw/schema.ts';

const Platform = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal(4)]);
const Action = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal(4)]);

/** Takes 18 decimals regardless of the market's precision: a correction may be about dust below the order precision. */
const Change = Strict({
  userId: Id,
  marketId: Id,
  platform: Platform,
  amount: PositiveAmount,
  state: Switch,
  reason: Type.Optional(Reason),
});
export type AssetChange = Static<typeof Change>;

const PreviewInput = Strict({
  userId: Id,
  marketId: Id,
  platform: Platform,
  action: Action,
  amount: Type.Optional(PositiveAmount),
});
export type AssetPreviewInput = Static<typeof PreviewInput>;

const Preview = Type.Object({
  lines: Type.Array(LedgerLine, {
    description: 'ledger lines that the call would post now; empty without an amount or if refused',
  }),
  available: Nullable(Type.String({ description: 'largest amount that the call accepts now; null without a limit' })),
  valuation: Nullable(Type.String({ description: 'the amount in USDT; null if the coin has no price' })),
  ...priceAge,
  needsApproval: Type.Boolean({ description: 'whether the call will need a second person' }),
  refusal: Nullable(Type.String({ description: 'why the call would be refused now' })),
});
export type AssetPreview = Static<typeof Preview>;

export const assetSchemas = {
  activeAdd: { input: Change, output: Asset },
  activeSub: { input: Change, output: Asset },
  frozenAdd: { input: Change, output: Asset },
  frozenSub: { input: Change, output: Asset },
  preview: { input: PreviewInput, output: Preview },
};
