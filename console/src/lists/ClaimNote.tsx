import './claim-note.css';
import type { QueueClaimed } from '@hengtai/contract/desk/queue/schema';
import type { Claim } from './claims.ts';

const OTHER = '其他操作员';

/** Who works on the open record, and who else has it open. It only informs: everybody may still decide. */
export function ClaimNote({ claim }: { claim: Claim | undefined }) {
  const note = claim && noteOf(claim);
  if (!note) return null;
  return (
    <span className={note.warns ? 'ht-lists-claim ht-value-warn' : 'ht-lists-claim'} role="status" title={note.title}>
      {note.text}
    </span>
  );
}

const MAY_DECIDE = '占用只作提示，打开记录的人都可决定';

function noteOf({ answer, wasHere, isStale }: Claim): { text: string; title?: string; warns: boolean } | undefined {
  if (!answer?.waiting) return undefined;
  if (isStale) return { text: '占用可能已失效', title: '服务器没有应答，或您已离开较久', warns: true };
  const { holder, viewers } = answer;
  const text = [holderText(holder, wasHere), viewersText(viewers)].filter((part) => part !== undefined).join('，');
  if (text === '') return undefined;
  if (holder?.here && viewers.length === 0) return { text, warns: false };
  return { text, title: MAY_DECIDE, warns: true };
}

function holderText(holder: QueueClaimed['holder'], wasHere: boolean): string | undefined {
  if (!holder) return undefined;
  if (holder.here) return '您正在处理';
  if (holder.mine) return '您在另一个页面处理';
  const text = `${holder.operator ?? OTHER} 正在处理`;
  return wasHere ? `占用已失效，${text}` : text;
}

const NAMES_MAX = 2;

function viewersText(viewers: QueueClaimed['viewers']): string | undefined {
  if (viewers.length === 0) return undefined;
  const names = [...new Set(viewers.map((account) => account ?? OTHER))].slice(0, NAMES_MAX);
  const count = viewers.length > names.length ? `等 ${viewers.length} 人` : '';
  return `${names.join('、')} ${count}也在查看`;
}
