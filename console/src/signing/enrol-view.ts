import { groupDigest } from '@hengtai/contract/risk/signing/text';
import type { View } from './view.ts';

export const enrolView = (person: string): View => ({
  title: '创建签名密钥',
  lead: '签名密钥只用于签名打款，与登录用的通行密钥无关。创建时须验证指纹、面容或 PIN。',
  blocks: [
    {
      title: '密钥',
      rows: [
        { label: '签名人', value: person, look: 'code' },
        { label: '签名页域名', value: location.hostname, look: 'code' },
      ],
    },
  ],
});

export const enrolledView = (person: string, fingerprint: string): View => ({
  title: '请抄写密钥指纹',
  lead: '把指纹抄写在纸上，交给签署名册的人核对：控制台可能替换您的公钥，只有指纹能证明名册里的是这一把。',
  blocks: [
    {
      title: '密钥',
      rows: [
        { label: '签名人', value: person, look: 'code' },
        { label: '密钥指纹', value: groupDigest(fingerprint), look: 'large' },
      ],
    },
  ],
});
