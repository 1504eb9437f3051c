import { type Static, Type } from '@sinclair/typebox';
import { asset } from './asset.ts';
import { Id, Nullable, PositiveAmount, Reason, Strict, Switch, endpoint } from './schema.ts';
import { Asset } from './user.schema.ts';
import { LedgerLine } from './withdraw.schema.ts';

const Platform = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal(4)]);
const Action = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3), Type.Literal(4)]);

/** 18 decimals whatever the market's precision: what is corrected by hand may just be the dust that no order can move. */
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
  lines: Type.Array(LedgerLine, { description: 'what would be posted now; empty without an amount or when refused' }),
  available: Nullable(Type.String({ description: 'the most that it can take now; null where nothing limits it' })),
  valuation: Nullable(Type.String({ description: 'the amount in USDT; null when it has no price' })),
  needsApproval: Type.Boolean({ description: 'it will go to a second person' }),
  refusal: Nullable(Type.String({ description: 'why it would be refused now' })),
});
export type AssetPreview = Static<typeof Preview>;

export const assetEndpoints = {
  activeAdd: endpoint(asset.activeAdd, Change, Asset),
  activeSub: endpoint(asset.activeSub, Change, Asset),
  frozenAdd: endpoint(asset.frozenAdd, Change, Asset),
  frozenSub: endpoint(asset.frozenSub, Change, Asset),
  preview: endpoint(asset.preview, PreviewInput, Preview),
};
