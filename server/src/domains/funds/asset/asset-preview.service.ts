import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction, assetActions, assetStates } from '@hengtai/contract/funds/asset/facts';
import type { AssetChange } from '@hengtai/contract/funds/asset/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { canonical, platformLabels } from '@hengtai/contract/values/money';
import type { PriceAge } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, textItem, valueItems } from '../../../actions/preview.ts';
import { adjustmentLegs } from './asset.rules.ts';
import type { AssetTarget } from './asset.store.ts';

/** The preview of an adjustment that the checker sees: user, amount, current balances and ledger legs. */
export function previewAdjustment(
  action: AssetAction,
  input: AssetChange,
  target: AssetTarget & PriceAge,
  problem: string | undefined,
): Preview {
  const coin = target.marketName ?? '';
  const changesTotal = action === ASSET.activeAdd || action === ASSET.activeSub;
  return {
    input: [
      textItem('用户', `${target.account}（${target.userId}）`),
      textItem('操作', `${assetActions[action]}${changesTotal ? '可用资产' : '资产'}`),
      textItem('币种', coin),
      textItem('账户类型', platformLabels[target.platform]),
      amountItem('数量', canonical(target.amount), coin),
      ...(changesTotal ? [textItem('报表口径', assetStates[input.state])] : []),
    ],
    now: [
      ...valueItems(target.valuation, target),
      amountItem('可用', target.active, coin),
      amountItem('冻结', target.frozen, coin),
      amountItem('其中人工冻结', target.held, coin),
    ],
    legs: adjustmentLegs(action, target),
    problem: problem === undefined ? null : `${labelOf('amount')}${problem}`,
  };
}
