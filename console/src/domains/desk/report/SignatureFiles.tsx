import type { SignatureFile } from '@hengtai/contract/desk/report/schema';
import { PROOF_FILES_MAX } from '@hengtai/contract/wire/input-values';
import { Button } from 'antd';
import { useRef } from 'react';
import { toast } from '../../../api/toast.ts';

interface SignatureFilesProps {
  files: readonly SignatureFile[];
  onChange: (files: SignatureFile[]) => void;
}

/** Chooses files with ownership signatures of wallets. Only their names and SHA-256 leave the browser. */
export function SignatureFiles({ files, onChange }: SignatureFilesProps) {
  const input = useRef<HTMLInputElement>(null);

  async function choose(chosen: readonly File[]) {
    if (!window.isSecureContext) toast.error('浏览器只在 HTTPS 页面上计算文件的 SHA-256');
    else if (chosen.length > PROOF_FILES_MAX) toast.error(`最多 ${PROOF_FILES_MAX} 个文件`);
    else onChange(await Promise.all(chosen.map(async (file) => ({ name: file.name, sha256: await digestOf(file) }))));
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="所有权签名文件"
        onChange={({ target }) => {
          void choose([...(target.files ?? [])]);
          // The same files can be chosen again.
          target.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>
        {files.length === 0 ? '附所有权签名' : `已附 ${files.length} 个签名文件`}
      </Button>
    </>
  );
}

async function digestOf(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
