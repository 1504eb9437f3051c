import { ASSET, type AssetAction, assetActions, assetStates } from '@hengtai/contract/asset';
import type { AssetChange } from '@hengtai/contract/asset.schema';
import { labelOf } from '@hengtai/contract/labels';
import { canonical, platformLabels } from '@hengtai/contract/money';
import { type Preview, amountItem, textItem } from '../http/preview.ts';
import { adjustmentLegs } from './asset.rules.ts';
import type { AssetTarget } from './asset.store.ts';

/** What the second person is shown of an adjustment: whose, what, how much of it there is, and what will be posted. */
export function previewAdjustment(
  action: AssetAction,
  input: AssetChange,
  target: AssetTarget,
  problem: string | undefined,
): Preview {
  const coin = target.marketName ?? '';
  const moves = action === ASSET.activeAdd || action === ASSET.activeSub;
  return {
    asked: [
      textItem('用户', `${target.account}（${target.userId}）`),
      textItem('操作', `${assetActions[action]}${moves ? '可用资产' : '资产'}`),
      textItem('币种', coin),
      textItem('账户类型', platformLabels[target.platform]),
      amountItem('数量', canonical(target.amount), coin),
      amountItem('估值', target.valuation, 'USDT'),
      ...(moves ? [textItem('报表口径', assetStates[input.state])] : []),
    ],
    now: [
      amountItem('可用', target.active, coin),
      amountItem('冻结', target.frozen, coin),
      amountItem('其中人工冻结', target.held, coin),
    ],
    legs: adjustmentLegs(action, target),
    problem: problem === undefined ? null : `${labelOf('amount')}${problem}`,
  };
}
