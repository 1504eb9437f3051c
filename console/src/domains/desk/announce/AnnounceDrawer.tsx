import './announce.css';
import { announce, langsText, missingLangs } from '@hengtai/contract/desk/announce/calls';
import { ANNOUNCE, announceStates } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { Button } from 'antd';
import { useRead } from '../../../api/hooks.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { offsetText, useZone } from '../../../ui/value/zone.ts';
import { Preview } from './Preview.tsx';
import type { AnnounceAction } from './AnnounceDialog.tsx';
import { langName, platformName, stateTones } from './columns.tsx';

interface Props {
  id: number;
  onEdit: (row: AnnounceRow) => void;
  onAsk: (action: AnnounceAction, row: AnnounceRow) => void;
  onAddLangs: (row: AnnounceRow) => void;
  onClose: () => void;
}

/** One announcement with a preview. */
export function AnnounceDrawer({ id, onEdit, onAsk, onAddLangs, onClose }: Props) {
  const zone = useZone();
  const query = useRead(announce.detail, { id });
  const { data: row } = query;
  return (
    <PageDrawer
      open
      width={640}
      title={
        <span className="ht-announce-head">
          公告 #{id} {row && <StateTag state={row.state} labels={announceStates} tones={stateTones} />}
        </span>
      }
      footer={
        row && (
          <div className="ht-announce-buttons">
            <Button onClick={() => onEdit(row)}>编辑</Button>
            <Button onClick={() => onAsk('state', row)}>{row.state === ANNOUNCE.published ? '下线' : '发布'}</Button>
            <Button onClick={() => onAsk('pin', row)}>{row.pinned === 1 ? '取消置顶' : '置顶'}</Button>
            {missingLangs(row).length > 0 && <Button onClick={() => onAddLangs(row)}>补充语言</Button>}
            <Button danger onClick={() => onAsk('delete', row)}>
              删除
            </Button>
          </div>
        )
      }
      onClose={onClose}
    >
      {row ? (
        <>
          <p className="ht-value-faint">
            {langName(row.lang)} · {platformName(row.platform)} · {operatorDetail(row.by)} 更新于{' '}
            <Time value={row.updatedAt} />
          </p>
          {row.publishAt !== null && (
            <p>
              将于 <Time value={row.publishAt} />（{zone} {offsetText(row.publishAt, zone)}）由系统发布。
            </p>
          )}
          <p className="ht-value-faint">语言：{langsText(row)}</p>
          <Preview title={row.title} html={row.content} lang={row.lang} platform={row.platform} at={row.createdAt} />
        </>
      ) : (
        <QueryPlace query={query}>
          <span className="ht-page-skeleton-line ht-announce-skeleton" role="status" aria-label="加载中" />
        </QueryPlace>
      )}
    </PageDrawer>
  );
}
