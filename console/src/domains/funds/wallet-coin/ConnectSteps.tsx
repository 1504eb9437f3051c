import { PageLink } from '../../../navigation/PageLink.tsx';
import { Section } from '../../../ui/page/Section.tsx';

/** How a platform connects its wallets. */
export const ConnectSteps = () => (
  <div className="ht-wallet-coin-connect">
    <Section title="如何接入">
      <p>账面托管是账本认为钱包应持有的数量。平台报告钱包之后，这里每 30 秒比较两者，并说明差额来自哪一笔。</p>
      <ol>
        <li>
          在 <PageLink to="/config/gateway-key">网关密钥</PageLink> 中给钱包程序的密钥「钱包」与「链上转账」权限。
        </li>
        <li>
          用 <code>wallet.saved</code> 登记每个钱包：一个币种在一个网络上的一个地址。
        </li>
        <li>
          用 <code>wallet.balance</code> 报告每个钱包的余额，最好带区块高度；第一次读数是之后核对的起点。
        </li>
        <li>
          用 <code>chain.moved</code> 报告每一笔转入、转出与手续费，区块回滚时用 <code>chain.reverted</code>。
        </li>
      </ol>
    </Section>
  </div>
);
