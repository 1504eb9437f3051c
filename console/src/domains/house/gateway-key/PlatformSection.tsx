import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { useState } from 'react';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { PlatformDialog } from './PlatformDialog.tsx';

/** 交易平台: the platforms, with the users and markets that their keys may report and read. */
export function PlatformSection({ platforms }: { platforms: readonly GatewayPlatform[] }) {
  const [dialog, setDialog] = useState<{ row?: GatewayPlatform }>();
  return (
    <Section
      title="交易平台"
      aside="每个平台只能上报和读取自己的用户与市场，只收到与其有关的指令"
      more={
        <GreyedAction look="button" onClick={() => setDialog({})}>
          新增平台
        </GreyedAction>
      }
    >
      <PageTable label="交易平台" titles={['名称', '用户', '市场', '操作']}>
        {platforms.map((row, index) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            <td>{index === 0 ? '后台新增的，以及其他平台没有注册的' : '由它注册的'}</td>
            <td>{row.markets === null ? '全部' : row.markets.join('、') || '仅 USDT'}</td>
            <td>
              <GreyedAction onClick={() => setDialog({ row })}>编辑</GreyedAction>
            </td>
          </tr>
        ))}
      </PageTable>
      {dialog && (
        <PlatformDialog {...dialog} isDefault={dialog.row === platforms[0]} onClose={() => setDialog(undefined)} />
      )}
    </Section>
  );
}
