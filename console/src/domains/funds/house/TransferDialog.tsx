import { house, isOnChain } from '@hengtai/contract/funds/house/calls';
import { type SystemAccount, SYSTEM_ACCOUNTS, systemAccountLabels } from '@hengtai/contract/values/money';
import { Input, Select } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useAmountPreview } from '../../../actions/use-amount-preview.ts';
import { useTabGuard } from '../../../navigation/page-route.ts';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { FormField, FormGrid } from '../../../ui/form/FormPart.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { amountOf } from '../../../ui/value/amount.ts';
import { priceDetails } from '../../../ui/value/price-details.tsx';
import { destinationsOf, transferConsequence } from './words.ts';

interface Props {
  /** The coin that the page shows, if it shows one. */
  marketId: number | undefined;
  /** The coins by id. */
  names: Readonly<Record<string, string>>;
  onClose: () => void;
}

const optionsOf = (accounts: readonly SystemAccount[]) =>
  accounts.map((account) => ({ value: account, label: systemAccountLabels[account] }));

/** Level 2: moves money between accounts of the house. */
export function TransferDialog({ marketId: shownId = 1, names, onClose }: Props) {
  const [places, setPlaces] = useState<{ marketId: number; from: SystemAccount; to: SystemAccount }>({
    marketId: shownId,
    from: 'custody',
    to: 'capital',
  });
  const [amountText, setAmountText] = useState('');
  const [hash, setHash] = useState('');
  const { marketId, from, to } = places;
  const coin = names[marketId] ?? '';
  const amount = amountOf(amountText);
  const needsHash = isOnChain(places);
  const txHash = hash.trim();
  const preview = useAmountPreview(house.preview, places, amount);
  const { data } = preview;
  const needsChecker = data?.refusal === null && data.needsApproval;
  const isDirty = amountText !== '' || hash !== '';
  useTabGuard(isDirty);

  const consequence =
    amount === undefined ? '输入数量后，这里会说明将发生什么。' : transferConsequence(places, amount, coin);
  const problem =
    amount === undefined
      ? '请输入数量'
      : needsHash && txHash === ''
        ? '请输入交易哈希'
        : (data?.refusal ?? (preview.hasFailed ? '未能加载预览' : undefined));
  return (
    <ActionDialog
      call={house.transfer}
      input={{ ...places, amount: amount ?? '', ...(needsHash && { txHash }) }}
      needsChecker={needsChecker}
      dirty={isDirty}
      width={720}
      amounts={[{ value: amount ?? '', unit: coin }]}
      details={[
        { label: '估值', value: <Money value={data?.valuation} unit="USDT" digits={2} shortened /> },
        ...priceDetails(data),
        ...(['from', 'to'] as const).map((side) => ({
          label: `${systemAccountLabels[places[side]]}余额`,
          value: <Change before={preview.without.data?.[side].before} after={data?.[side].after} coin={coin} />,
        })),
      ]}
      blocked={problem}
      query={preview.without}
      loading={preview.isPending}
      consequence={needsChecker ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      onClose={onClose}
    >
      <FormGrid>
        <FormField label="币种">
          {(id) => (
            <Select
              id={id}
              showSearch={{ optionFilterProp: 'label' }}
              value={marketId}
              options={Object.entries(names).map(([key, label]) => ({ value: Number(key), label }))}
              onChange={(next) => setPlaces({ ...places, marketId: next })}
            />
          )}
        </FormField>
        <FormField label="数量">
          {(id) => (
            <AmountInput
              id={id}
              label="数量"
              value={amountText}
              unit={coin}
              onChange={setAmountText}
              all={from === 'capital' ? (preview.without.data?.from.before ?? null) : undefined}
            />
          )}
        </FormField>
        <FormField label="转出账户">
          {(id) => (
            <Select
              id={id}
              value={from}
              options={optionsOf(SYSTEM_ACCOUNTS)}
              onChange={(next) => setPlaces({ marketId, from: next, to: reachable(next, to) })}
            />
          )}
        </FormField>
        <FormField label="转入账户">
          {(id) => (
            <Select
              id={id}
              value={to}
              options={optionsOf(destinationsOf(from))}
              onChange={(next) => setPlaces({ ...places, to: next })}
            />
          )}
        </FormField>
        {needsHash && (
          <div className="ht-form-wide">
            <FormField label="交易哈希" hint="链上收款或付款的那一笔">
              {(id) => (
                <Input
                  id={id}
                  maxLength={256}
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="请输入交易哈希"
                  value={hash}
                  onChange={(event) => setHash(event.target.value)}
                />
              )}
            </FormField>
          </div>
        )}
      </FormGrid>
    </ActionDialog>
  );
}

/** The destination, or the first that money of the account can go to. */
function reachable(from: SystemAccount, to: SystemAccount): SystemAccount {
  const destinations = destinationsOf(from);
  return destinations.includes(to) ? to : (destinations[0] ?? 'capital');
}

interface ChangeProps {
  before: string | undefined;
  after: string | undefined;
  coin: string;
}

const Change = ({ before, after, coin }: ChangeProps) => (
  <>
    <Money value={before} unit={coin} />
    {after !== undefined && (
      <>
        {' → '}
        <Money value={after} unit={coin} />
      </>
    )}
  </>
);
