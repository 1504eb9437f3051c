import { ASSET, type AssetAction, assetActions, assetStates } from '@hengtai/contract/asset';
import type { AssetChange } from '@hengtai/contract/asset.schema';
import { labelOf } from '@hengtai/contract/labels';
import { canonical, platformLabels } from '@hengtai/contract/money';
import { type Outlook, amountFact, fact } from '../http/outlook.ts';
import { adjustmentLegs } from './asset.rules.ts';
import type { AssetTarget } from './asset.store.ts';

/** What the second person is shown of an adjustment: whose, what, how much of it there is, and what will be posted. */
export function adjustmentOutlook(
  action: AssetAction,
  input: AssetChange,
  target: AssetTarget,
  problem: string | undefined,
): Outlook {
  const coin = target.marketName ?? '';
  const moves = action === ASSET.activeAdd || action === ASSET.activeSub;
  return {
    asked: [
      fact('用户', `${target.account}（${target.userId}）`),
      fact('操作', `${assetActions[action]}${moves ? '可用资产' : '资产'}`),
      fact('币种', coin),
      fact('账户类型', platformLabels[target.platform]),
      amountFact('数量', canonical(target.amount), coin),
      amountFact('估值', target.valuation, 'USDT'),
      ...(moves ? [fact('报表口径', assetStates[input.state])] : []),
    ],
    now: [
      amountFact('可用', target.active, coin),
      amountFact('冻结', target.frozen, coin),
      amountFact('其中人工冻结', target.held, coin),
    ],
    legs: adjustmentLegs(action, target),
    problem: problem === undefined ? null : `${labelOf('amount')}${problem}`,
  };
}
