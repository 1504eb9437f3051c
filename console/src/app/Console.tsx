import { QueryClientProvider } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import type { ComponentProps } from 'react';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '../api/query-client.ts';
import { DocumentTheme, useKitTheme } from './theme.ts';
import { ZoneContext } from '../ui/value/zone.ts';
import { FreshCodeDialog } from '../domains/house/security/exported/FreshCodeDialog.tsx';
import { MeGate } from './MeGate.tsx';
import { Questions } from './Questions.tsx';
import { Toasts } from './Toasts.tsx';
import { useZoneChoice } from './zone-choice.ts';

dayjs.locale('zh-cn');

const button = { autoInsertSpace: false } as const;

interface Props {
  router: ComponentProps<typeof RouterProvider>['router'];
}

/** Root component: query client, UI kit, theme, zone, toasts and the operator. */
export function Console({ router }: Props) {
  const theme = useKitTheme();
  const [zone] = useZoneChoice();
  return (
    <QueryClientProvider client={queryClient}>
      <DocumentTheme />
      <ConfigProvider locale={zhCN} theme={theme} button={button}>
        <Toasts />
        <ZoneContext value={zone}>
          <MeGate>
            <RouterProvider router={router} />
            <FreshCodeDialog />
            <Questions />
          </MeGate>
        </ZoneContext>
      </ConfigProvider>
    </QueryClientProvider>
  );
}
