import './export-panel.css';
import {
  EXPORT,
  EXPORT_DAYS,
  type ExportFormat,
  exportFormats,
  exportJobs,
  exportStates,
} from '@hengtai/contract/desk/export/calls';
import type { ExportRow } from '@hengtai/contract/desk/export/schema';
import { Button, Progress } from 'antd';
import { useState } from 'react';
import { CallError, sendFile } from '../../../api/client.ts';
import { toDisplayError, settle } from '../../../api/display-error.ts';
import { saveFile } from '../../../api/file-answer.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { Countdown } from '../../../ui/value/Countdown.tsx';
import { byteText } from '../../../ui/value/byte-text.ts';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { formatTime, useZone } from '../../../ui/value/zone.ts';
import { isUnderWay } from '../../../lists/export-jobs.ts';

interface Props {
  jobs: readonly ExportRow[];
  error: unknown;
  onRetry: () => void;
}

/** Background exports of the operator: progress and finished files. */
export function ExportPanel({ jobs, error, onRetry }: Props) {
  return (
    <section className="ht-notification-panel ht-export-panel" aria-label="导出任务">
      <header className="ht-notification-head">
        <h2>导出任务</h2>
        <span>文件保留 {EXPORT_DAYS} 天，仅本人可下载</span>
      </header>
      {error && jobs.length === 0 ? (
        <ErrorState error={toDisplayError(error)} onRetry={onRetry} />
      ) : jobs.length === 0 ? (
        <p className="ht-notification-empty">没有导出任务。行数很多的列表导出时会在后台生成，完成后在这里下载。</p>
      ) : (
        <ul>
          {jobs.map((job) => (
            <ExportLine key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

const formatCount = (rows: number): string => rows.toLocaleString('en');

function ExportLine({ job }: { job: ExportRow }) {
  const zone = useZone();
  const { title, format, filters, state, total, size, createdAt, expiresAt } = job;
  return (
    <li>
      <div className="ht-export-head">
        <b>{title}</b>
        <span className="ht-export-state" data-state={state}>
          {exportStates[state as keyof typeof exportStates]}
        </span>
        <Actions job={job} />
      </div>
      <p>
        {exportFormats[format as ExportFormat]} · {formatCount(total)} 行
        {size !== null && state === EXPORT.done && ` · ${byteText(size)}`} ·{' '}
        <time dateTime={new Date(createdAt).toISOString()}>{formatTime(createdAt, zone).slice(5)}</time>
      </p>
      <p className="ht-export-filters" title={filters}>
        {filters || '无筛选'}
      </p>
      {isUnderWay(job) && <ExportProgress job={job} />}
      {job.reason !== '' && <p className="ht-export-why">{job.reason}</p>}
      {state === EXPORT.done && expiresAt !== null && (
        <p>
          <Countdown until={expiresAt} />
        </p>
      )}
    </li>
  );
}

function ExportProgress({ job: { title, state, done, total } }: { job: ExportRow }) {
  const percent = total > 0 ? Math.floor((done / total) * 100) : 0;
  return (
    <div className="ht-export-made">
      <Progress percent={percent} size="small" showInfo={false} aria-label={`${title}的进度`} />
      <span>{state === EXPORT.queued ? '等待前面的任务' : `${formatCount(done)} / ${formatCount(total)} 行`}</span>
    </div>
  );
}

function Actions({ job }: { job: ExportRow }) {
  const { id, title, state } = job;
  const cancel = useAction(exportJobs.cancel);
  const remove = useAction(exportJobs.remove);
  const [bytes, setBytes] = useState<number>();

  async function download() {
    setBytes(0);
    try {
      const file = await sendFile(exportJobs.download, { id }, { onBytes: setBytes });
      if ('blob' in file) saveFile(file);
    } catch (error) {
      toast.error(error instanceof CallError ? error.msg : '下载中断，文件没有保存，请重试');
    } finally {
      setBytes(undefined);
    }
  }
  async function runWithErrorToast(action: () => Promise<unknown>) {
    const error = await settle(action);
    if (error) toast.error(error.msg);
  }

  if (isUnderWay(job)) {
    return (
      <Button
        size="small"
        aria-label={`取消${title}`}
        loading={cancel.pending}
        onClick={() => void runWithErrorToast(() => cancel.submit({ id }, newKey()))}
      >
        取消
      </Button>
    );
  }
  return (
    <>
      {state === EXPORT.done && (
        <Button
          size="small"
          type="primary"
          aria-label={`下载${title}`}
          disabled={bytes !== undefined}
          onClick={() => void download()}
        >
          {bytes === undefined ? '下载' : byteText(bytes)}
        </Button>
      )}
      <Button
        size="small"
        aria-label={`删除${title}`}
        loading={remove.pending}
        onClick={() => void runWithErrorToast(() => remove.submit({ id }, newKey()))}
      >
        删除
      </Button>
    </>
  );
}
