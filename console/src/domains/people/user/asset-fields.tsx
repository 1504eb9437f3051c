import { type AssetAction, assetActions, assetStates } from '@hengtai/contract/funds/asset/facts';
import { market } from '@hengtai/contract/trading/market/calls';
import { type Platform, platformLabels } from '@hengtai/contract/values/money';
import { Radio, Segmented, Select } from 'antd';
import { useEffect } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { FormField, FormGroup } from '../../../ui/form/FormPart.tsx';
import { ASSET_ACTIONS, reportStateText } from './asset-words.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface VerbsProps {
  value: AssetAction;
  onChange: (action: AssetAction) => void;
}

/** 增加, 扣减, 冻结 or 解冻. */
export function AssetVerbs({ value, onChange }: VerbsProps) {
  return (
    <FormGroup label="调整方式" isWide>
      {(labelId) => (
        <Segmented
          block
          aria-labelledby={labelId}
          value={value}
          options={ASSET_ACTIONS.map((action) => ({ value: action, label: assetActions[action] }))}
          onChange={onChange}
        />
      )}
    </FormGroup>
  );
}

interface Place {
  marketId: number;
  platform: Platform;
}

interface PlaceProps {
  value: Place;
  onChange: (place: Place) => void;
  /** Receives the coin names by market id when they are loaded. */
  onCoins: (names: Readonly<Record<number, string>>) => void;
}

const PLATFORMS = Object.entries(platformLabels).map(([value, label]) => ({ value: Number(value) as Platform, label }));

/** Fields for coin and account type, if the dialog was not opened for one account. */
export function AssetPlace({ value, onChange, onCoins }: PlaceProps) {
  const query = useRead(market.filter, {}, { staleTime: 600_000 });
  const { data, isPending } = query;
  useEffect(() => {
    if (data) onCoins(Object.fromEntries(data.map(({ id, marketName }) => [id, marketName])));
  }, [data, onCoins]);
  return (
    <>
      <FormField label="币种">
        {(id) => (
          <Select
            id={id}
            showSearch={{ optionFilterProp: 'label' }}
            loading={isPending}
            value={data ? value.marketId : null}
            options={(data ?? []).map((coin) => ({ value: coin.id, label: coin.marketName }))}
            onChange={(marketId) => marketId !== null && onChange({ ...value, marketId })}
          />
        )}
      </FormField>
      {!data && <QueryPlace query={query} isSmall />}
      <FormField label="账户类型">
        {(id) => (
          <Select
            id={id}
            value={value.platform}
            options={PLATFORMS}
            onChange={(platform) => onChange({ ...value, platform })}
          />
        )}
      </FormField>
    </>
  );
}

interface CountsProps {
  action: AssetAction;
  value: 0 | 1;
  onChange: (state: 0 | 1) => void;
}

const STATES = [0, 1] as const;

/** Choice whether reports count the adjustment, each option with an explanation. */
export function AssetCounts({ action, value, onChange }: CountsProps) {
  return (
    <FormGroup label="报表口径">
      {(labelId) => (
        <Radio.Group
          aria-labelledby={labelId}
          className="ht-user-asset-counts"
          value={value}
          onChange={(event) => onChange(event.target.value === 1 ? 1 : 0)}
        >
          {STATES.map((state) => (
            <Radio key={state} value={state}>
              {assetStates[state]}
              <small className="ht-value-faint">{reportStateText(action, state)}</small>
            </Radio>
          ))}
        </Radio.Group>
      )}
    </FormGroup>
  );
}
