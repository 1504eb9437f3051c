import type { Claim } from './claims.ts';

const OTHER = '其他操作员';

/** Who works on the open record. It only informs: everybody may still decide. */
export function ClaimNote({ claim }: { claim: Claim | undefined }) {
  const note = claim && noteOf(claim);
  if (!note) return null;
  return (
    <span className={note.warns ? 'ht-claim ht-warn-text' : 'ht-claim'} role="status" title={note.title}>
      {note.text}
    </span>
  );
}

const MAY_DECIDE = '占用只作提示，您仍可决定这条记录';

function noteOf({ answer, wasHere, isStale }: Claim): { text: string; title?: string; warns: boolean } | undefined {
  if (!answer?.waiting) return undefined;
  if (isStale) return { text: '占用可能已失效', title: '服务器没有应答，或您已离开较久', warns: true };
  const { holder } = answer;
  if (!holder) return undefined;
  if (holder.here) return { text: '您正在处理', warns: false };
  if (holder.mine) return { text: '您在另一个页面处理', title: MAY_DECIDE, warns: true };
  const text = `${holder.operator ?? OTHER} 正在处理`;
  return { text: wasHere ? `占用已失效，${text}` : text, title: MAY_DECIDE, warns: true };
}
