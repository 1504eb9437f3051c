import { SETTLEMENT } from '@hengtai/contract/values/money';
import { Form, Select } from 'antd';
import { useMarketOptions } from '../../../lists/market-options.ts';
import { clearButton } from '../../../ui/form/clear-button.tsx';

/** The two coins of a pair. Without them the market is a coin that is quoted in the settlement asset. */
export function PairFields({ disabled }: { disabled: boolean }) {
  const { marketId = {} } = useMarketOptions();
  const options = Object.values(marketId).map((name) => ({ value: name, label: name }));
  return (
    <>
      {(['base', 'quote'] as const).map((field) => (
        <Form.Item
          key={field}
          name={field}
          label={field === 'base' ? '交易币' : '计价币'}
          extra={field === 'base' ? '交易对才选；不选则是一种币' : `不选为 ${SETTLEMENT}`}
          dependencies={[field === 'base' ? 'quote' : 'base']}
          rules={[
            ({ getFieldValue }) => ({
              validator: (_rule, value: unknown) =>
                !value === !getFieldValue(field === 'base' ? 'quote' : 'base')
                  ? Promise.resolve()
                  : Promise.reject(new Error('交易对要同时选交易币和计价币')),
            }),
          ]}
        >
          <Select allowClear={clearButton} showSearch placeholder="--" options={options} disabled={disabled} />
        </Form.Item>
      ))}
    </>
  );
}
