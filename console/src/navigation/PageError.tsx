import './page-error.css';
import { Button } from 'antd';
import { CallError, NetworkError, TimeoutError } from '../api/client.ts';
import { toDisplayError } from '../api/display-error.ts';
import { CopyButton } from '../ui/value/CopyButton.tsx';
import { ChunkLoadError } from './page-component.ts';

interface Props {
  error: unknown;
  onRetry: () => void;
}

interface ErrorText {
  title: string;
  text: string;
  requestId?: string;
}

function describeError(error: unknown): ErrorText {
  if (error instanceof ChunkLoadError) {
    return { title: '页面加载失败', text: '可能已发布新版本，或网络暂时中断。刷新后即可继续使用，其他标签页会保留。' };
  }
  if (error instanceof TimeoutError) return { title: '加载超时', text: `${toDisplayError(error).msg}，请稍后重试。` };
  if (error instanceof NetworkError) return { title: '暂时无法连接服务器', text: '请检查网络，稍后重试。' };
  if (error instanceof CallError) return { title: '无法加载数据', text: error.msg, requestId: error.requestId };
  return { title: '页面出错了', text: '页面遇到意外错误，其他标签页不受影响。' };
}

/** Shown in place of a page that failed. */
export function PageError({ error, onRetry }: Props) {
  const { title, text, requestId } = describeError(error);
  const isChunkError = error instanceof ChunkLoadError;
  return (
    <section className="ht-navigation-state" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      {requestId && (
        <p className="ht-navigation-request">
          请求编号 <code>{requestId}</code>
          <CopyButton text={requestId} label="请求编号" />
        </p>
      )}
      <div className="ht-navigation-state-tools">
        <Button type="primary" onClick={isChunkError ? () => window.location.reload() : onRetry}>
          {isChunkError ? '刷新' : '重试'}
        </Button>
      </div>
    </section>
  );
}
