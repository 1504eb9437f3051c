import { operatorCell } from '../../../../navigation/account-cells.tsx';
import type { TimelineEvent } from '../../../../records/Timeline.tsx';

interface Login {
  id: number;
  ip: string;
  device: string | null;
  at: number;
}

interface Note {
  id: number;
  text: string;
  by: string;
  createdAt: number;
}

/** Logins of a user, and notes of operators about it. */
export const customerEvents = ({
  logins,
  notes,
}: {
  logins: readonly Login[];
  notes: readonly Note[];
}): TimelineEvent[] => [
  ...logins.map(({ id, ip, device, at }) => ({
    key: `login${id}`,
    at,
    label: '登录',
    content: (
      <>
        {ip} <span className="ht-value-faint">{device ?? '未知设备'}</span>
      </>
    ),
  })),
  ...notes.map(({ id, text, by, createdAt }) => ({
    key: `note${id}`,
    at: createdAt,
    label: '备注',
    content: (
      <>
        {text} <span className="ht-value-faint">{operatorCell(by)}</span>
      </>
    ),
  })),
];
