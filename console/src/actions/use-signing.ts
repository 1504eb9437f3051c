import { signing } from '@hengtai/contract/risk/signing/calls';
import type { SigningTexts, SigningTextsInput } from '@hengtai/contract/risk/signing/schema';
import { useState } from 'react';
import { newKey, useAction, useRead } from '../api/hooks.ts';
import { SigningError, askSignature } from '../api/signing-window.ts';

export type SigningTarget = SigningTextsInput;

const NO_KEY = '您没有名册中的签名密钥，请在「签名打款」页创建，并由名册变更列入';
const NO_PAGE = '签名页没有可用的地址，请由主机管理员设置 SIGNING_URL';

const findProblem = (answer: SigningTexts | undefined): string | undefined =>
  answer?.page ? (answer.request?.keys.length ? undefined : NO_KEY) : NO_PAGE;

/** The operator's signatures for a decision about payouts. Without a target no signature is needed. */
export function useSigning(target: SigningTarget | undefined) {
  const { data, error, refetch } = useRead(signing.texts, target, { staleTime: 0 });
  const { submit } = useAction(signing.add);
  const [isAsking, setIsAsking] = useState(false);
  const [signedTexts, setSignedTexts] = useState('');
  const unsignedIn = (answer: SigningTexts | undefined): string[] => {
    const texts = target && answer ? answer.texts.map(({ text }) => text) : [];
    return signedTexts === texts.join('\n') ? [] : texts;
  };
  const isDue = unsignedIn(data).length > 0;

  return {
    /** Why the operator cannot sign. */
    problem: isDue ? findProblem(data) : undefined,
    /** The decision needs signatures of the operator. */
    isDue,
    isAsking,
    /** Opens the signing page if a signature is due. Called while a click is handled. @throws SigningError, CallError */
    sign: async () => {
      // The keyboard may confirm before the answer is there.
      const answer = data ?? (target && !error ? (await refetch()).data : undefined);
      const texts = unsignedIn(answer);
      if (texts.length === 0) return;
      const { page, request } = answer ?? {};
      if (!page || !request) throw new SigningError(findProblem(answer) ?? NO_KEY);
      setIsAsking(true);
      try {
        const signature = await askSignature(page, { ...request, texts, previous: null });
        await submit({ signature }, newKey());
        setSignedTexts(texts.join('\n'));
      } finally {
        setIsAsking(false);
      }
    },
    /** Forgets the signature after a refusal, because a changed record needs another one. */
    reset: async () => {
      setSignedTexts('');
      await refetch();
    },
  };
}
