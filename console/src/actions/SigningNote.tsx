import type { useSigning } from './use-signing.ts';

/** Says that the signing page is part of the decision, and while it is open, that it waits for the operator. */
export function SigningNote({ signing: { isDue, isAsking, problem } }: { signing: ReturnType<typeof useSigning> }) {
  if (!isDue || problem !== undefined) return null;
  return (
    <p className="ht-dialog-consequence" role="status">
      {isAsking
        ? '请在签名窗口中核对内容并签名；窗口关闭后回到这里。'
        : '确认后打开签名页：在那里核对将要签名的内容，再用签名密钥签名。'}
    </p>
  );
}
